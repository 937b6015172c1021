"""npy_header.py FILE HEADER: writes a .npy file of this header and 32 bytes."""
import struct
import sys

path, header = sys.argv[1:]
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(32))
