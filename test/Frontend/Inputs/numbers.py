"""Writes a row of f16 numbers as a .npy file.

usage: numbers.py FILE.npy NUMBER...
"""

import struct
import sys

numbers = [float(word) for word in sys.argv[2:]]
header = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, %d), }" % len(numbers)
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<%de" % len(numbers), *numbers))
