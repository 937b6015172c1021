"""math_sweep.py print: a program with a kernel for each function, which applies it
to every 32749th f32.
math_sweep.py check FUNCTION RESULT ULPS: RESULT must be within ULPS of the function
in f64, and the same where it is infinite, NaN or zero."""
import math
import struct
import sys

import sweep

COUNT, STRIDE, OTHER = 131072, 32749, 0x9E3779B1
FUNCTIONS = {
    "exp": math.exp, "exp2": lambda x: 2.0 ** x, "log": math.log,
    "log2": math.log2, "log10": math.log10, "tanh": math.tanh, "erf": math.erf,
    "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1.0 / math.sqrt(x), "expm1": math.expm1,
    "log1p": math.log1p, "sinh": math.sinh, "cosh": math.cosh,
    "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh,
    "cbrt": lambda x: math.copysign(abs(x) ** (1.0 / 3.0), x),
    "erfc": math.erfc, "tan": math.tan, "asin": math.asin, "acos": math.acos,
    "atan": math.atan, "sincos": math.cos,
}


def power(x, y):
    """As C99 has it, where Python raises an error."""
    odd = math.isfinite(y) and y % 2.0 == 1.0
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.copysign(math.inf, x if odd else 1.0)
    except ValueError:
        if x == 0:
            return math.copysign(math.inf, x if odd else 1.0)
        return math.nan


def remainder(x, y):
    try:
        return math.fmod(x, y)
    except ValueError:
        return math.nan


def integer_power(bits, n):
    x = bits - (bits >> 31 << 32)
    if n < 0:
        return (1 if x == 1 else 1 - 2 * (n & 1) if x == -1 else 0) % 2 ** 32
    return pow(x, n, 2 ** 32)


# Functions of two operands by the name of their kernel: the op, the operands.
PAIRS = {
    "powf": (power, "math.powf", "small"), "powf_any": (power, "math.powf", "any"),
    "atan2": (math.atan2, "math.atan2", "any"),
    "remf": (remainder, "arith.remf", "any"),
    "remf_f16": (remainder, "arith.remf", "half"),
    "fpowi": (power, "math.fpowi", "integer"),
    "ipowi": (integer_power, "math.ipowi", "both"),
}
KERNEL = """tile.kernel @%(name)s(%%y: !tile.ptr<f32>) {
""" + sweep.PLACES + """  %%stride = arith.constant dense<%(stride)d> : tensor<1024xi32>
  %%bits = arith.muli %%i, %%stride : tensor<1024xi32>
  %%x = arith.bitcast %%bits : tensor<1024xi32> to tensor<1024xf32>
%(body)s  tile.store %%y[%%i], %%z mask %%true : !tile.ptr<f32>, tensor<1024xi32>, tensor<1024xf32>
  tile.return
}
"""
UNARY = "  %%z = math.%s %%x : tensor<1024xf32>\n"
BOTH = "  %%sine, %%z = math.%s %%x : tensor<1024xf32>\n"
OTHERS = """  %%step = arith.constant dense<%d> : tensor<1024xi32>
  %%other = arith.muli %%i, %%step : tensor<1024xi32>
"""
BINARY = {
    "any": """  %%w = arith.bitcast %%other : tensor<1024xi32> to tensor<1024xf32>
  %%z = %s %%x, %%w : tensor<1024xf32>
""",
    "small": """  %%large = arith.sitofp %%other : tensor<1024xi32> to tensor<1024xf32>
  %%unit = arith.constant dense<0x32800000> : tensor<1024xf32>
  %%w = arith.mulf %%large, %%unit : tensor<1024xf32>
  %%z = %s %%x, %%w : tensor<1024xf32>
""",
    "half": """  %%low = arith.trunci %%bits : tensor<1024xi32> to tensor<1024xi16>
  %%v = arith.bitcast %%low : tensor<1024xi16> to tensor<1024xf16>
  %%right = arith.trunci %%other : tensor<1024xi32> to tensor<1024xi16>
  %%w = arith.bitcast %%right : tensor<1024xi16> to tensor<1024xf16>
  %%narrow = %s %%v, %%w : tensor<1024xf16>
  %%z = arith.extf %%narrow : tensor<1024xf16> to tensor<1024xf32>
""",
    "integer": """  %%count = arith.constant dense<24> : tensor<1024xi32>
  %%n = arith.shrsi %%other, %%count : tensor<1024xi32>
  %%z = %s %%x, %%n : tensor<1024xf32>, tensor<1024xi32>
""",
    "both": """  %%count = arith.constant dense<28> : tensor<1024xi32>
  %%n = arith.shrsi %%other, %%count : tensor<1024xi32>
  %%power = %s %%bits, %%n : tensor<1024xi32>
  %%z = arith.bitcast %%power : tensor<1024xi32> to tensor<1024xf32>
""",
}


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def half(bits):
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def signed(bits, shift):
    return (bits - (bits >> 31 << 32)) >> shift


def operands(i, kind):
    """Those of a function of two, of the element i."""
    bits, other = i * STRIDE & 0xFFFFFFFF, i * OTHER & 0xFFFFFFFF
    if kind == "any":
        return number(bits), number(other)
    if kind == "small":
        # The conversion of the integer is rounded.
        rounded = struct.unpack("<f", struct.pack("<f", signed(other, 0)))[0]
        return number(bits), rounded / 2.0 ** 26
    if kind == "half":
        return half(bits), half(other)
    if kind == "integer":
        return number(bits), float(signed(other, 24))
    return bits, signed(other, 28)


def exact(function, x):
    """The function, with what IEEE 754 says where Python raises an error."""
    try:
        return FUNCTIONS[function](x)
    except OverflowError:
        return math.copysign(math.inf, x) if function == "sinh" else math.inf
    except (ValueError, ZeroDivisionError):
        if function == "rsqrt" and x == 0 or function == "atanh" and abs(x) == 1:
            return math.copysign(math.inf, x)
        pole = {"log": 0, "log2": 0, "log10": 0, "log1p": -1}.get(function)
        return math.nan if x != pole else -math.inf


def ulps(got, want):
    if math.isnan(want) or math.isnan(got):
        return 0.0 if math.isnan(want) == math.isnan(got) else math.inf
    if math.isinf(want) or abs(want) >= 2.0 ** 128:
        return 0.0 if got == math.copysign(math.inf, want) else math.inf
    if want == 0:
        same = got == 0 and math.copysign(1, got) == math.copysign(1, want)
        return 0.0 if same else math.inf
    if math.isinf(got):
        got = math.copysign(2.0 ** 128, got)
    exponent = max(math.frexp(want)[1] - 1, -126)
    return abs(got - want) / 2.0 ** (exponent - 23)


def error(function, i, bits):
    """How far the element i is off, and its operands."""
    if function not in PAIRS:
        x = number(i * STRIDE & 0xFFFFFFFF)
        return ulps(number(bits), exact(function, x)), (x,)
    evaluate, _, kind = PAIRS[function]
    pair = operands(i, kind)
    if kind == "both":
        return (0.0 if bits == evaluate(*pair) else math.inf), pair
    return ulps(number(bits), evaluate(*pair)), pair


def check(function, path, limit):
    worst, where = max((error(function, i, bits) for i, bits in
                        enumerate(sweep.elements(path, "<I", COUNT))),
                       key=lambda pair: pair[0])
    sweep.report(function, worst, limit, where)


def kernels():
    for name in FUNCTIONS:
        yield name, (UNARY if name != "sincos" else BOTH) % name
    for name, (_, op, kind) in PAIRS.items():
        yield name, OTHERS % (OTHER - 2 ** 32) + BINARY[kind] % op


if sys.argv[1] == "print":
    print("".join(KERNEL % {"name": name, "stride": STRIDE, "body": body}
                  for name, body in kernels()))
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]))
