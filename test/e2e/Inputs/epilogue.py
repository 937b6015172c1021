"""epilogue.py A B BIAS RESIDUAL C: C must be gelu(A B + BIAS) + RESIDUAL, with the
tanh form of GELU, within 2e-2 absolute and relative; computed here in f64."""
import math
import struct
import sys


def read(path):
    """The values of a .npy file of f16, in the order of its memory."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    assert "<f2" in data[10:10 + length].decode()
    return [value for (value,) in struct.iter_unpack("<e", data[10 + length:])]


def main():
    a, b, bias, residual, c = (read(path) for path in sys.argv[1:6])
    n = len(bias)
    m = len(c) // n
    k = len(a) // m
    worst = 0.0
    for row in range(m):
        for column in range(n):
            x = bias[column] + sum(a[row * k + i] * b[i * n + column]
                                   for i in range(k))
            u = math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)
            want = 0.5 * x * (1 + math.tanh(u)) + residual[row * n + column]
            error = abs(c[row * n + column] - want) / (2e-2 + 2e-2 * abs(want))
            worst = max(worst, error if error == error else math.inf)
    print("%dx%dx%d:" % (m, n, k),
          "ok" if worst <= 1 else "wrong by %g tolerances" % worst)


main()
