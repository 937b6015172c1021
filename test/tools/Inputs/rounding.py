"""rounding.py make FILE: writes f8 values that are hard to round.
rounding.py check TYPE FILE ROUNDED: ROUNDED must hold the values of FILE rounded
to nearest even in TYPE; computed here from the definition of the format."""
import math
import struct
import sys
from fractions import Fraction

# exponent bits, mantissa bits, whether there are infinities
FORMATS = {"f16": (5, 10, True), "bf16": (8, 7, True),
           "f8E4M3FN": (4, 3, False), "f8E5M2": (5, 2, True)}


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    code = {"<f8": "d", "<f4": "f", "<f2": "e"}[data[10:].split(b"'")[3].decode()]
    body = data[10 + length:]
    return [value for (value,) in struct.iter_unpack("<" + code, body)]


def all_values(exponent_bits, mantissa_bits, has_infinity):
    """Every non-negative finite value, in order; its position is its bits."""
    bias = 2 ** (exponent_bits - 1) - 1
    count = 2 ** (exponent_bits + mantissa_bits)
    count -= 2 ** mantissa_bits if has_infinity else 1
    for bits in range(count):
        exponent, mantissa = divmod(bits, 2 ** mantissa_bits)
        if exponent:
            mantissa += 2 ** mantissa_bits
        yield mantissa * Fraction(2) ** (max(exponent, 1) - bias - mantissa_bits)


def round_to(values, has_infinity, x):
    if math.isnan(x):
        return x
    magnitude = values[-1] + 1 if math.isinf(x) else abs(Fraction(x))
    # The value after the largest one, had the exponent another step.
    beyond = 2 * values[-1] - values[-2]
    if magnitude >= (values[-1] + beyond) / 2 or math.isinf(x):
        result = math.inf if has_infinity else float(values[-1])
        return math.copysign(result, x)
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if values[middle] < magnitude:
            low = middle + 1
        else:
            high = middle
    if values[low] != magnitude:
        above, below = values[low] - magnitude, magnitude - values[low - 1]
        if below < above or (below == above and low % 2 == 1):
            low -= 1
    return math.copysign(float(values[low]), x)


def make(path):
    samples = [0.0, math.nan, math.inf, 65504.0, 65519.99, 65520.0, 448.0, 464.0,
               465.0, 57344.0, 61440.0, 61439.0, 3.4e38, 3.3961e38, 1e-45, 1e300,
               1e-300, 3.14, 1 + 2 ** -8, 1 + 3 * 2 ** -8]
    for exponent in range(-30, 17):
        for step in range(0, 64):
            samples.append((1 + step / 64) * 2.0 ** exponent)
            samples.append((1 + step / 2048 + 2 ** -11) * 2.0 ** exponent)
    samples += [-value for value in samples]
    shape = str((len(samples), 1))
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + struct.pack(f"<{len(samples)}d", *samples))
    print(len(samples))


def check(name, source, rounded):
    values = list(all_values(*FORMATS[name]))
    has_infinity = FORMATS[name][2]
    pairs = list(zip(read(source), read(rounded), strict=True))
    for x, got in pairs:
        want = round_to(values, has_infinity, x)
        same = math.isnan(got) if math.isnan(want) else (
            got == want and math.copysign(1, got) == math.copysign(1, want))
        if not same:
            sys.exit(f"{name}: {x!r} must round to {want!r}, got {got!r}")
    print(f"{name}: {len(pairs)} values right")


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    check(*sys.argv[2:])
