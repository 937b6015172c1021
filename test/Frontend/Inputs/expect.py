"""Compares a .npy file with values that plain Python computes in f64.

usage: expect.py FILE.npy EXPRESSION [TOLERANCE]

EXPRESSION gives the elements in row-major order; the tolerance is relative and
absolute, and 0 where it is absent: then the values are equal.
"""

import ast
import math
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    assert data[:6] == b"\x93NUMPY", path
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10 : 10 + length].decode())
    code = {"f8": "d", "f4": "f", "f2": "e", "i8": "q", "i4": "i", "i2": "h", "i1": "b"}[header["descr"][1:]]
    return [value for (value,) in struct.iter_unpack("<" + code, data[10 + length :])]


def near(got, want, tolerance):
    if math.isnan(want):
        return math.isnan(got)
    return got == want or abs(got - want) <= tolerance * max(1.0, abs(want))


got = read(sys.argv[1])
want = list(eval(sys.argv[2], {"math": math, "read": read}))
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
assert len(got) == len(want), (len(got), len(want))
for i, (a, b) in enumerate(zip(got, want)):
    if not near(a, b, tolerance):
        sys.exit("element %d: expected %r, got %r" % (i, b, a))
print("as expected:", len(got))
