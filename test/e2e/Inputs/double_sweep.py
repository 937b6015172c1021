"""double_sweep.py print: a program with a kernel for each function, which applies it
to operands of f64.
double_sweep.py operands FILE: the operands, as .npy: half are random bits, half of
size 2^-16 to 2^16, and some are special.
double_sweep.py check FUNCTION RESULT ULPS: RESULT must be within ULPS of the function
in 60 digits, and the same where it is infinite, NaN or zero."""
import decimal
import math
import random
import struct
import sys
from decimal import Decimal
from fractions import Fraction

COUNT = 16384
FUNCTIONS = ("exp exp2 expm1 log log2 log10 log1p tanh sinh cosh erf sin cos tan "
             "sqrt rsqrt".split())
KERNEL = """tile.kernel @%(name)s(%%x: !tile.ptr<f64>, %%y: !tile.ptr<f64>) {
  %%pid = tile.program_id x
  %%side = arith.constant 1024 : i32
  %%first = arith.muli %%pid, %%side overflow<nsw> : i32
  %%firsts = tile.splat %%first : tensor<1024xi32>
  %%steps = tile.iota : tensor<1024xi32>
  %%i = arith.addi %%firsts, %%steps overflow<nsw> : tensor<1024xi32>
  %%true = arith.constant dense<true> : tensor<1024xi1>
  %%at = tile.load %%x[%%i] mask %%true : !tile.ptr<f64>, tensor<1024xi32> -> tensor<1024xf64>
  %%z = math.%(name)s %%at : tensor<1024xf64>
  tile.store %%y[%%i], %%z mask %%true : !tile.ptr<f64>, tensor<1024xi32>, tensor<1024xf64>
  tile.return
}
"""


def operands():
    source = random.Random(1)
    result = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, -0.5,
              math.ldexp(1, -1074), -math.ldexp(1, -1074), math.ldexp(1, -1022),
              sys.float_info.max, -sys.float_info.max, 709.78, 709.79, -745.13,
              -745.14, 1024.0, -1075.0, 710.47, 710.48,
              math.ldexp(6381956970095103, 797)]
    while len(result) < COUNT:
        bits = source.getrandbits(64)
        if len(result) % 2:
            exponent = source.randrange(1023 - 16, 1023 + 16)
            bits = bits & 0x800FFFFFFFFFFFFF | exponent << 52
        result.append(struct.unpack("<d", struct.pack("<Q", bits))[0])
    return result


def arctan_of_inverse(n, one):
    """atan(1/n) times `one`."""
    power, result, k = one // n, 0, 1
    while power:
        result += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return result


PLACES, SHORT = 1400, 300
HALF_PI = (8 * arctan_of_inverse(5, 1 << PLACES) -
           2 * arctan_of_inverse(239, 1 << PLACES))


def waves(x):
    """Sine and cosine as fractions, by series of x modulo pi/2 in fixed point."""
    scaled = Fraction(x) * (1 << PLACES)
    turns, rest = divmod(scaled.numerator // scaled.denominator + HALF_PI // 2,
                         HALF_PI)
    rest = (rest - HALF_PI // 2) >> (PLACES - SHORT)
    one = 1 << SHORT
    sums, term, n = [0, 0], one, 0
    while term:
        sums[n % 2] += term if n % 4 < 2 else -term
        n += 1
        term = (abs(term) * abs(rest) >> SHORT) // n
    cosine, sine = sums[0], sums[1] if rest >= 0 else -sums[1]
    for _ in range(turns % 4):
        sine, cosine = cosine, -sine
    return Fraction(sine, one), Fraction(cosine, one)


def erf(x):
    if x > 7:
        return Decimal(1)
    power, result, n = x, Decimal(0), 0
    while abs(power) > Decimal("1e-70"):
        result += power / (2 * n + 1)
        n += 1
        power *= -x * x / n
    return 2 * result / PI.sqrt()


decimal.setcontext(decimal.Context(prec=60, Emin=-10**6, Emax=10**6))
PI = Decimal(2 * HALF_PI >> (PLACES - SHORT)) / Decimal(1 << SHORT)
LOG2 = Decimal(2).ln()


def logarithm(x):
    fraction, exponent = math.frexp(x)
    if 0.5 < x < 2:
        return Decimal(x).ln()
    return Decimal(fraction).ln() + exponent * LOG2


def exact(function, x):
    """The function of a usual number as something that a fraction can be of."""
    size, sign = Decimal(abs(x)), -1 if x < 0 else 1
    if function in ("sin", "cos", "tan"):
        sine, cosine = waves(x)
        return {"sin": sine, "cos": cosine, "tan": sine / cosine}[function]
    if function == "exp":
        return Decimal(x).exp()
    if function == "exp2":
        return (Decimal(x) * LOG2).exp()
    if function == "expm1":
        return Decimal(x).exp() - 1
    if function == "tanh":
        return sign * (1 - 2 / ((2 * size).exp() + 1))
    if function in ("sinh", "cosh"):
        up, down = size.exp(), (-size).exp()
        return sign * (up - down) / 2 if function == "sinh" else (up + down) / 2
    if function == "erf":
        return sign * erf(size)
    if function == "log1p":
        return (1 + Decimal(x)).ln()
    if function in ("sqrt", "rsqrt"):
        root = size.sqrt()
        return root if function == "sqrt" else 1 / root
    scale = {"log": 1, "log2": LOG2, "log10": Decimal(10).ln()}[function]
    return logarithm(x) / scale


# What is infinite, NaN or zero for infinite operands, and beyond these sizes.
LIMITS = {"exp": (0.0, math.inf), "exp2": (0.0, math.inf),
          "expm1": (-1.0, math.inf), "tanh": (-1.0, 1.0),
          "sinh": (-math.inf, math.inf), "cosh": (math.inf, math.inf),
          "erf": (-1.0, 1.0), "log": (math.nan, math.inf)}


def wanted(function, x):
    """A number of f64 where it is exact, else a fraction."""
    if math.isnan(x):
        return x
    if math.isinf(x) and function in ("sin", "cos", "tan"):
        return math.nan
    if function.startswith("log"):
        least = -1.0 if function == "log1p" else 0.0
        if x <= least:
            return -math.inf if x == least else math.nan
        if math.isinf(x):
            return x
    elif function in ("sqrt", "rsqrt"):
        if x == 0:
            return x if function == "sqrt" else math.copysign(math.inf, x)
        if x < 0 or math.isinf(x):
            return math.nan if x < 0 else x if function == "sqrt" else 0.0
        return Fraction(exact(function, x))
    elif function in LIMITS and abs(x) > 1100:
        return LIMITS[function][x > 0]
    if x == 0:
        return 1.0 if function in ("exp", "exp2", "cos", "cosh") else x
    if abs(x) < 2.0 ** -80 and function not in ("log", "log2", "log10"):
        # The series' first terms.
        slope = 1 if function != "erf" else 2 / PI.sqrt()
        if function in ("exp", "exp2", "cos", "cosh"):
            return 1.0
        return Fraction(x) * Fraction(slope)
    if x == 1 and function in ("log", "log2", "log10"):
        return 0.0
    return Fraction(exact(function, x))


def ulps(got, want):
    if isinstance(want, float):
        same = struct.pack("<d", got) == struct.pack("<d", want)
        return 0.0 if same or got != got and want != want else math.inf
    if math.isnan(got):
        return math.inf
    size, end = abs(want), Fraction(2) ** 1024
    got = Fraction(got) if math.isfinite(got) else end if got > 0 else -end
    if size >= end:
        return 0.0 if got == (end if want > 0 else -end) else math.inf
    exponent = max(size.numerator.bit_length() - size.denominator.bit_length(),
                   -1022)
    if exponent > -1022 and size < Fraction(2) ** exponent:
        exponent -= 1
    return float(abs(got - want) / Fraction(2) ** (exponent - 52))


def check(function, path, limit):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    results = [value for value, in struct.iter_unpack("<d", data[10 + length:])]
    assert len(results) == COUNT
    worst = (0.0, 0.0)
    for x, got in zip(operands(), results):
        worst = max(worst, (ulps(got, wanted(function, x)), x))
    print("%s: %s, %.3f ulp at %s" % (
        function, "ok" if worst[0] <= limit else "wrong", worst[0],
        worst[1].hex()))


def write(path):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % COUNT
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(struct.pack("<%dd" % COUNT, *operands()))


if sys.argv[1] == "print":
    print("".join(KERNEL % {"name": name} for name in FUNCTIONS))
elif sys.argv[1] == "operands":
    write(sys.argv[2])
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]))
