"""Compares the numbers that dropout.tile draws with Philox 4x32-10.

usage: philox.py FILE.npy SEED
"""

import ast
import struct
import sys

MASK = 0xFFFFFFFF


def philox(seed, place):
    key, counter = [seed & MASK, 0], [place & MASK, 0, 0, 0]
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            (second >> 32) ^ counter[1] ^ key[0],
            second & MASK,
            (first >> 32) ^ counter[3] ^ key[1],
            first & MASK,
        ]
        key = [(key[0] + 0x9E3779B9) & MASK, (key[1] + 0xBB67AE85) & MASK]
    return counter[0]


# The published answer for a key and a counter of zeros.
assert philox(0, 0) == 0x6627E8D5

data = open(sys.argv[1], "rb").read()
length = struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10 : 10 + length].decode())
count = header["shape"][0]
got = struct.unpack("<%df" % count, data[10 + length : 10 + length + 4 * count])
want = [(philox(int(sys.argv[2]), i) >> 8) * 2.0**-24 for i in range(count)]
print("drawn:", count, "wrong:", sum(g != w for g, w in zip(got, want)))
share = sum(w < 0.25 for w in want) / count
print("below a quarter:", round(share, 2))
