"""math_sweep.py print: a program with a kernel for each function, which applies it
to every 32749th f32.
math_sweep.py check FUNCTION RESULT ULPS: RESULT must be within ULPS of the function
in f64, and the same where it is infinite, NaN or zero."""
import math
import struct
import sys

COUNT, STRIDE = 131072, 32749
FUNCTIONS = {
    "exp": math.exp, "exp2": lambda x: 2.0 ** x, "log": math.log,
    "log2": math.log2, "log10": math.log10, "tanh": math.tanh, "erf": math.erf,
    "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1.0 / math.sqrt(x),
}
KERNEL = """tile.kernel @%(name)s(%%y: !tile.ptr<f32>) {
  %%pid = tile.program_id x
  %%side = arith.constant 1024 : i32
  %%first = arith.muli %%pid, %%side overflow<nsw> : i32
  %%firsts = tile.splat %%first : tensor<1024xi32>
  %%steps = tile.iota : tensor<1024xi32>
  %%i = arith.addi %%firsts, %%steps overflow<nsw> : tensor<1024xi32>
  %%stride = arith.constant dense<%(stride)d> : tensor<1024xi32>
  %%bits = arith.muli %%i, %%stride : tensor<1024xi32>
  %%x = arith.bitcast %%bits : tensor<1024xi32> to tensor<1024xf32>
  %%z = math.%(name)s %%x : tensor<1024xf32>
  %%true = arith.constant dense<true> : tensor<1024xi1>
  tile.store %%y[%%i], %%z mask %%true : !tile.ptr<f32>, tensor<1024xi32>, tensor<1024xf32>
  tile.return
}
"""


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def exact(function, x):
    """The function, with what IEEE 754 says where Python raises an error."""
    try:
        return FUNCTIONS[function](x)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        if x == 0:
            return math.copysign(math.inf, x) if function == "rsqrt" else -math.inf
        return math.nan


def ulps(got, want):
    if math.isnan(want) or math.isnan(got):
        return 0.0 if math.isnan(want) == math.isnan(got) else math.inf
    if math.isinf(want) or abs(want) >= 2.0 ** 128:
        return 0.0 if got == math.copysign(math.inf, want) else math.inf
    if math.isinf(got):
        got = math.copysign(2.0 ** 128, got)
    exponent = max(math.frexp(want)[1] - 1, -126) if want else -126
    return abs(got - want) / 2.0 ** (exponent - 23)


def check(function, path, limit):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    results = struct.iter_unpack("<f", data[10 + length:])
    worst = (0.0, 0.0)
    count = 0
    for i, (got,) in enumerate(results):
        x = number(i * STRIDE & 0xFFFFFFFF)
        worst = max(worst, (ulps(got, exact(function, x)), x))
        count += 1
    assert count == COUNT
    print("%s: %s, %.3f ulp at %s" % (
        function, "ok" if worst[0] <= limit else "wrong", worst[0],
        worst[1].hex()))


if sys.argv[1] == "print":
    print("".join(KERNEL % {"name": name, "stride": STRIDE}
                  for name in FUNCTIONS))
else:
    check(sys.argv[2], sys.argv[3], float(sys.argv[4]))
