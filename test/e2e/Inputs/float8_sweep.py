"""float8_sweep.py print TYPE: a kernel that applies each op to pairs of numbers of the
8-bit float TYPE: all 65536 where it takes two.
float8_sweep.py check TYPE RESULT: RESULT must hold what each op makes of exact numbers,
rounded once, as the op's name says where it is a mode of rounding; a NaN is any NaN."""
import bisect
import functools
import math
import sys
from fractions import Fraction

import sweep

COUNT = 65536
KERNEL = """tile.kernel @float8(%%y: !tile.ptr<i8>) {
""" + sweep.PLACES + """  %%eight = arith.constant dense<8> : tensor<1024xi32>
  %%factor = arith.constant dense<40503> : tensor<1024xi32>
  %%j = arith.shrui %%i, %%eight : tensor<1024xi32>
  %%scaled = arith.muli %%i, %%factor : tensor<1024xi32>
  %%k = arith.shrui %%scaled, %%eight : tensor<1024xi32>
  %%a8 = arith.trunci %%i : tensor<1024xi32> to tensor<1024xi8>
  %%b8 = arith.trunci %%j : tensor<1024xi32> to tensor<1024xi8>
  %%c8 = arith.trunci %%k : tensor<1024xi32> to tensor<1024xi8>
  %%a = arith.bitcast %%a8 : tensor<1024xi8> to tensor<1024x%(type)s>
  %%b = arith.bitcast %%b8 : tensor<1024xi8> to tensor<1024x%(type)s>
  %%c = arith.bitcast %%c8 : tensor<1024xi8> to tensor<1024x%(type)s>
  %%wide_a = arith.extf %%a : tensor<1024x%(type)s> to tensor<1024xf32>
  %%wide_b = arith.extf %%b : tensor<1024x%(type)s> to tensor<1024xf32>
  %%product = arith.mulf %%wide_a, %%wide_b : tensor<1024xf32>
%(body)s  tile.return
}
"""
OP = """  %%z%(n)d = %(op)s tensor<1024x%(type)s>
  %%r%(n)d = arith.%(cast)s %%z%(n)d : tensor<1024x%(result)s> to tensor<1024xi8>
  %%first%(n)d = arith.constant dense<%(first)d> : tensor<1024xi32>
  %%at%(n)d = arith.addi %%i, %%first%(n)d overflow<nsw> : tensor<1024xi32>
  tile.store %%y[%%at%(n)d], %%r%(n)d mask %%true : !tile.ptr<i8>, tensor<1024xi32>, tensor<1024xi8>
"""


def larger(x, y):
    """Of two zeros, +0; no NaN."""
    return max((x, y), key=lambda value: (value, math.copysign(1, value)))


def held(x, low, high):
    return math.nan if x != x or low != low or high != high else (
        -larger(-larger(x, low), -high))


def divided(x, y):
    if y == 0 and x != 0 and x == x:
        return math.copysign(math.inf, x) * math.copysign(1, y)
    return x / y if y else math.nan


def fused(x, y, z):
    """Exact where it is finite; f64 has room for its zeros and infinities."""
    near = x * y + z
    if near == 0 or not math.isfinite(near):
        return near
    return Fraction(x) * Fraction(y) + Fraction(z)


def valid(function):
    def of(*operands):
        try:
            return function(*operands)
        except ValueError:
            return math.nan
    return of


ROUNDED = "arith.truncf %%product %s : tensor<1024xf32> to"
OPS = {
    "addf": ("arith.addf %a, %b :", lambda x, y, z: x + y),
    "subf": ("arith.subf %a, %b :", lambda x, y, z: x - y),
    "mulf": ("arith.mulf %a, %b :", lambda x, y, z: x * y),
    "divf": ("arith.divf %a, %b :", lambda x, y, z: divided(x, y)),
    "remf": ("arith.remf %a, %b :", valid(lambda x, y, z: math.fmod(x, y))),
    "fma": ("math.fma %a, %b, %c :", lambda x, y, z: fused(x, y, z)),
    "maximumf": ("arith.maximumf %a, %b :",
                 lambda x, y, z: held(x, y, math.inf)),
    "minnumf": ("arith.minnumf %a, %b :", lambda x, y, z:
                y if x != x else x if y != y else -larger(-x, -y)),
    "clampf": ("math.clampf %a to [%b, %c] :", held),
    "sqrt": ("math.sqrt %a :", valid(lambda x, y, z: math.sqrt(x))),
    "exp": ("math.exp %a :", lambda x, y, z: math.exp(min(x, 700)) if x == x else x),
    "ceil": ("math.ceil %a :", lambda x, y, z:
             math.copysign(math.ceil(x), x) if math.isfinite(x) else x),
    "less": ("arith.cmpf olt, %a, %b :", lambda x, y, z: x < y),
    "isnormal": ("math.isnormal %a :", None),
    "isfinite": ("math.isfinite %a :", lambda x, y, z: math.isfinite(x)),
    "upward": (ROUNDED % "upward", lambda x, y, z: x * y),
    "downward": (ROUNDED % "downward", lambda x, y, z: x * y),
    "toward_zero": (ROUNDED % "toward_zero", lambda x, y, z: x * y),
    "to_nearest_away": (ROUNDED % "to_nearest_away", lambda x, y, z: x * y),
    "negf": ("arith.negf %a :", None),
    "copysign": ("math.copysign %a, %b :", None),
}
BITS = {
    "isnormal": lambda a, b, kind: 0 < (a & 0x7f) >> kind.digits and (
        not kind.is_special(a)),
    "negf": lambda a, b, kind: a ^ 0x80,
    "copysign": lambda a, b, kind: a & 0x7f | b & 0x80,
}


class Kind:
    """An 8-bit float by the digits of its fraction."""

    def __init__(self, name):
        self.is_finite = name == "f8E4M3FN"
        self.digits = 3 if self.is_finite else 2
        self.bias = 7 if self.is_finite else 15
        self.top = 0x7e if self.is_finite else 0x7b
        self.values = [self.value(bits) for bits in range(self.top + 1)]

    def is_special(self, bits):
        return bits & 0x7f > self.top

    def value(self, bits):
        sign, bits = -1.0 if bits & 0x80 else 1.0, bits & 0x7f
        if bits > self.top:
            is_infinite = not self.is_finite and bits == self.top + 1
            return sign * math.inf if is_infinite else math.nan
        exponent, fraction = bits >> self.digits, bits & (1 << self.digits) - 1
        if exponent:
            fraction |= 1 << self.digits
        return sign * math.ldexp(fraction,
                                 max(exponent, 1) - self.bias - self.digits)

    def rounded(self, x, mode):
        """The bits of the number that the mode takes; None for NaN."""
        if x != x:
            return None
        sign = 0x80 if x < 0 or x == 0 and math.copysign(1, x) < 0 else 0
        if mode in ("upward", "downward"):
            mode = "away" if (mode == "upward") == (sign == 0) else "toward_zero"
        return sign | self.rounded_size(abs(x), mode)

    @functools.lru_cache(maxsize=None)
    def rounded_size(self, size, mode):
        over = self.top if self.is_finite else self.top + 1
        if size == math.inf:
            return over
        at = bisect.bisect_left(self.values, size)
        # Past the largest number: as if the range went on.
        last = Fraction(self.values[-1])
        step = last - Fraction(self.values[-2])
        if at <= self.top and self.values[at] == size or size > last + step:
            return min(at, over) if mode != "toward_zero" else min(at, self.top)
        value = Fraction(self.values[at]) if at <= self.top else last + step
        low, high = Fraction(size) - Fraction(self.values[at - 1]), value - Fraction(size)
        is_tie_inside = at % 2 == 1 and mode == "to_nearest_even"
        is_inside = {"toward_zero": True, "away": False}.get(
            mode, low < high or low == high and is_tie_inside)
        return min(at - is_inside, over)


def check(kind, op, data):
    for i, got in enumerate(data):
        a, b, c = i & 255, i >> 8, (i * 40503 >> 8) & 255
        operands = [kind.value(bits) for bits in (a, b, c)]
        want = BITS[op](a, b, kind) if op in BITS else OPS[op][1](*operands)
        if op not in BITS and not isinstance(want, bool):
            mode = op if "ward" in op or "away" in op else "to_nearest_even"
            want = kind.rounded(want, mode)
        is_nan = kind.value(got) != kind.value(got)
        if got != want and not (want is None and is_nan):
            return "wrong, %s: got %#x, expected %s" % (
                operands, got, "NaN" if want is None else hex(want))
    return "ok"


def check_all(kind, path):
    data = sweep.elements(path, "B", COUNT * len(OPS))
    for n, op in enumerate(OPS):
        print("%s: %s" % (op, check(kind, op, data[n * COUNT:(n + 1) * COUNT])))


def print_kernel(name):
    body = ""
    for n, (text, _) in enumerate(OPS.values()):
        is_bit = text.startswith(("math.is", "arith.cmpf"))
        body += OP % {"n": n, "op": text, "type": name, "first": n * COUNT,
                      "cast": "extui" if is_bit else "bitcast",
                      "result": "i1" if is_bit else name}
    print(KERNEL % {"type": name, "body": body})


if sys.argv[1] == "print":
    print_kernel(sys.argv[2])
else:
    check_all(Kind(sys.argv[2]), sys.argv[3])
