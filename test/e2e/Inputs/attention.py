"""attention.py Q K V O: O must be softmax(Q K) V; computed here in f64.

Each weight is rounded to f16 once, by half a unit in the last place, and so the
result may differ by 2^-11 of the weighted sum of |v|; what f32 rounds on the way,
exp2 included, is allowed 2^-16 of it.
"""
import math
import re
import struct
import sys


def read(path):
    """The rows of a .npy file of f16 or f32."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    code = "e" if "<f2" in header else "f"
    columns = int(re.search(r"\(\d+, *(\d+),?\)", header).group(1))
    values = [value for (value,) in struct.iter_unpack("<" + code, data[10 + length:])]
    return [values[i:i + columns] for i in range(0, len(values), columns)]


def main():
    q, k, v, o = (read(path) for path in sys.argv[1:5])
    keys, worst = list(zip(*k)), 0.0
    for row, result in zip(q, o):
        scores = [sum(map(float.__mul__, row, key)) for key in keys]
        top = max(scores)
        weights = [math.exp(score - top) for score in scores]
        total = sum(weights)
        for got, column in zip(result, zip(*v)):
            want = sum(map(float.__mul__, weights, column)) / total
            size = sum(w * abs(x) for w, x in zip(weights, column)) / total
            error = abs(got - want) / (size * (2.0**-11 + 2.0**-16) + 2.0**-24)
            worst = max(worst, error if error == error else math.inf)
    print("%dx%d:" % (len(o), len(v)), "ok" if worst <= 1 else "wrong by %g tolerances" % worst)


main()
