"""double_sweep.py print: a program with a kernel for each function, which applies it
to operands of f64.
double_sweep.py operands FILE: the operands, as .npy: half are random bits, half of
size 2^-16 to 2^16, and some are special.
Functions of two numbers take operand i and operand -1 - i, of which fpowi takes the
lowest seven bits.
double_sweep.py check FUNCTION RESULT ULPS: RESULT must be within ULPS of the function
in 60 digits, and the same where it is infinite, NaN or zero."""
import decimal
import math
import random
import struct
import sys
from decimal import Decimal
from fractions import Fraction

import sweep

COUNT = 16384
FUNCTIONS = ("exp exp2 expm1 log log2 log10 log1p tanh sinh cosh erf erfc sin cos tan "
             "atan asin acos asinh acosh atanh cbrt powf atan2 sqrt rsqrt fpowi remf".split())
BINARY = ("powf", "atan2", "fpowi", "remf")
UNARY_OP = "  %%z = math.%s %%at : tensor<1024xf64>\n"
BINARY_OP = "  %%z = %s.%s %%at, %%other : tensor<1024xf64>\n"
INTEGER_OP = """  %%bits = arith.bitcast %%other : tensor<1024xf64> to tensor<1024xi64>
  %%count = arith.constant dense<57> : tensor<1024xi64>
  %%high = arith.shli %%bits, %%count : tensor<1024xi64>
  %%n = arith.shrsi %%high, %%count : tensor<1024xi64>
  %%z = math.fpowi %%at, %%n : tensor<1024xf64>, tensor<1024xi64>
"""
KERNEL = """tile.kernel @%(name)s(%%x: !tile.ptr<f64>, %%y: !tile.ptr<f64>) {
""" + sweep.PLACES + """  %%at = tile.load %%x[%%i] mask %%true : !tile.ptr<f64>, tensor<1024xi32> -> tensor<1024xf64>
  %%end = arith.constant dense<16383> : tensor<1024xi32>
  %%back = arith.subi %%end, %%i overflow<nsw> : tensor<1024xi32>
  %%other = tile.load %%x[%%back] mask %%true : !tile.ptr<f64>, tensor<1024xi32> -> tensor<1024xf64>
%(body)s  tile.store %%y[%%i], %%z mask %%true : !tile.ptr<f64>, tensor<1024xi32>, tensor<1024xf64>
  tile.return
}
"""


def body(name):
    if name == "fpowi":
        return INTEGER_OP % ()
    if name in BINARY:
        return BINARY_OP % ("arith" if name == "remf" else "math", name)
    return UNARY_OP % name


def exponent_of(x):
    """The power that fpowi takes of an operand."""
    low = struct.unpack("<q", struct.pack("<d", x))[0] & 127
    return float(low - 128 if low > 63 else low)


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


def erfc(x):
    if x < 5:
        return 1 - erf(x) if x > 0 else 1 + erf(-x)
    fraction = x
    for n in range(300, 0, -1):
        fraction = x + n / (2 * fraction)
    return (-x * x).exp() / (fraction * PI.sqrt())


decimal.setcontext(decimal.Context(prec=60, Emin=-10**6, Emax=10**6))
PI = Decimal(2 * HALF_PI >> (PLACES - SHORT)) / Decimal(1 << SHORT)
LOG2 = Decimal(2).ln()
BASES = {"log": Decimal(1), "log2": LOG2, "log10": Decimal(10).ln()}


def angle(y, x):
    """The angle of a point above the axis, halved until the series is short."""
    radius = (x * x + y * y).sqrt()
    doublings = 1
    if x < 0:
        return PI - angle(y, -x)
    ratio = y / (x + radius)
    while ratio > Decimal("1e-3"):
        ratio /= 1 + (1 + ratio * ratio).sqrt()
        doublings += 1
    power, result, n = ratio, Decimal(0), 1
    while abs(power) > abs(result) * Decimal("1e-60"):
        result += power / n
        power *= -ratio * ratio
        n += 2
    return result * 2 ** doublings


def logarithm(x):
    fraction, exponent = math.frexp(x)
    if 0.5 < x < 2:
        return Decimal(x).ln()
    return Decimal(fraction).ln() + exponent * LOG2


def odd(function, x):
    """A function that is odd, of a number above 0."""
    if function == "tanh":
        return 1 - 2 / ((2 * x).exp() + 1)
    if function == "erf":
        return erf(x)
    if function == "sinh":
        return (x.exp() - (-x).exp()) / 2
    if function == "atan":
        return angle(x, Decimal(1))
    if function == "asin":
        return angle(x, (1 - x * x).sqrt())
    if function == "asinh":
        return (x + (x * x + 1).sqrt()).ln()
    if function == "atanh":
        return ((1 + x) / (1 - x)).ln() / 2
    return (x.ln() / 3).exp()


def exact(function, x):
    """The function of a usual number as something that a fraction can be of."""
    if function in ("sin", "cos", "tan"):
        sine, cosine = waves(x)
        return {"sin": sine, "cos": cosine, "tan": sine / cosine}[function]
    if function in ODD:
        return odd(function, Decimal(abs(x))) * (-1 if x < 0 else 1)
    if function in BASES:
        return logarithm(x) / BASES[function]
    x = Decimal(x)
    return {"exp": lambda: x.exp(), "exp2": lambda: (x * LOG2).exp(),
            "expm1": lambda: x.exp() - 1, "log1p": lambda: (1 + x).ln(),
            "cosh": lambda: (x.exp() + (-x).exp()) / 2,
            "acos": lambda: angle((1 - x * x).sqrt(), x),
            "erfc": lambda: erfc(x),
            "acosh": lambda: (x + (x * x - 1).sqrt()).ln(),
            "sqrt": lambda: x.sqrt(), "rsqrt": lambda: 1 / x.sqrt()}[function]()


ODD = "tanh erf sinh atan asin asinh atanh cbrt".split()
# Where functions are defined, and what they are beyond +-1100.
DOMAINS = {"log": (0, math.inf), "log2": (0, math.inf), "log10": (0, math.inf),
           "log1p": (-1, math.inf), "sqrt": (0, math.inf),
           "rsqrt": (0, math.inf), "asin": (-1, 1), "acos": (-1, 1),
           "acosh": (1, math.inf), "atanh": (-1, 1)}
LIMITS = {"exp": (0.0, math.inf), "exp2": (0.0, math.inf),
          "expm1": (-1.0, math.inf), "tanh": (-1.0, 1.0),
          "sinh": (-math.inf, math.inf), "cosh": (math.inf, math.inf),
          "erf": (-1.0, 1.0), "erfc": (2.0, 0.0)}
# Infinite results, and zeros that are not of zero.
POINTS = {("log", 0): -math.inf, ("log2", 0): -math.inf, ("log10", 0): -math.inf,
          ("log1p", -1): -math.inf, ("atanh", 1): math.inf,
          ("atanh", -1): -math.inf, ("log", 1): 0.0, ("log2", 1): 0.0,
          ("log10", 1): 0.0, ("acosh", 1): 0.0, ("acos", 1): 0.0,
          ("rsqrt", math.inf): 0.0}


def wanted(function, x):
    """A number of f64 where it is exact, else a fraction."""
    if math.isnan(x) or math.isinf(x) and function in ("sin", "cos", "tan"):
        return math.nan
    if (function, x) == ("rsqrt", 0):
        return math.copysign(math.inf, x)
    if (function, x) in POINTS:
        return POINTS[function, x]
    least, most = DOMAINS.get(function, (-math.inf, math.inf))
    if not least <= x <= most:
        return math.nan
    if abs(x) > 1100 and function in LIMITS:
        return LIMITS[function][x > 0]
    if math.isinf(x):
        return Fraction(PI / 2) * (1 if x > 0 else -1) if function == "atan" else x
    if abs(x) < 2.0 ** -80:
        if function in ("exp", "exp2", "cos", "cosh", "erfc"):
            return 1.0
        if x == 0 and function != "acos":
            return x
        # The series' first terms.
        if function in ("sin", "tan", "expm1", "log1p", *ODD) and function != "cbrt":
            slope = 1 if function != "erf" else 2 / PI.sqrt()
            return Fraction(x) * Fraction(slope)
    return Fraction(exact(function, x))


def wanted_of_two(function, x, y):
    """The same of functions of two numbers; Python knows the special ones."""
    if function == "atan2":
        if x == 0 or y == 0 or not (math.isfinite(x) and math.isfinite(y)):
            result = math.atan2(x, y)
            return Fraction(result) if result * 0 == 0 and result else result
        # The ratio alone decides, whose exponent would be too large squared.
        result = angle(abs(Decimal(x)), Decimal(y))
        return Fraction(result) * (1 if x > 0 else -1)
    if function == "remf":
        return math.fmod(x, y) if math.isfinite(x) and y else math.nan
    try:
        result = math.pow(x, y)
    except OverflowError:
        return math.inf if x > 0 or y % 2 != 1 else -math.inf
    except ValueError:
        if x != 0:
            return math.nan
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf
    if result == 0 or not math.isfinite(result) or abs(x) == 1:
        return result
    power = (Decimal(y) * logarithm(abs(x))).exp()
    return Fraction(power) * (1 if result > 0 else -1)


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
    worst = (0.0, 0.0)
    all_x = operands()
    for x, y, got in zip(all_x, all_x[::-1],
                         sweep.elements(path, "<d", COUNT)):
        if function == "fpowi":
            y = exponent_of(y)
        want = (wanted_of_two(function, x, y) if function in BINARY else
                wanted(function, x))
        worst = max(worst, (ulps(got, want), x))
    sweep.report(function, worst[0], limit, worst[1:])


def write(path):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % COUNT
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(struct.pack("<%dd" % COUNT, *operands()))


if sys.argv[1] == "print":
    print("".join(KERNEL % {"name": name, "body": body(name)} for name in FUNCTIONS))
elif sys.argv[1] == "operands":
    write(sys.argv[2])
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]))
