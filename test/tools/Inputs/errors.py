"""errors.py A.npy B.npy LIMIT FIRST.npy SECOND.npy: compares two f32 products.

Prints the mean and the largest error of each against sums in f64, and whether
those of the second are at most LIMIT of the first's."""

import array
import math
import struct
import sys


def load(path):
    """The rows of a matrix of f32, row-major."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    (length,) = struct.unpack("<H", data[8:10])
    header = eval(data[10:10 + length])
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    rows, columns = header["shape"]
    values = array.array("f", data[10 + length:])
    return [values[row * columns:(row + 1) * columns] for row in range(rows)]


a, columns = load(sys.argv[1]), list(zip(*load(sys.argv[2])))
exact = [[math.fsum(map(float.__mul__, map(float, row), map(float, column)))
          for column in columns] for row in a]
means, largest = [], []
for path in sys.argv[4:]:
    errors = [abs(got - want) for rows in zip(load(path), exact)
              for got, want in zip(*rows)]
    means.append(sum(errors) / len(errors))
    largest.append(max(errors))
    print(f"{path}: mean {means[-1]:.4g}, largest {largest[-1]:.4g}")
limit = float(sys.argv[3])
good = means[1] <= limit * means[0] and largest[1] <= limit * largest[0]
print(f"within {limit} of the first:", "yes" if good else "no")
