"""npy.py FILE TYPE SIDES EXPRESSION: writes a list of numbers as a .npy file.

TYPE is that of struct (d f e q i h b ?), SIDES such as 16,64.
"""

import math
import struct
import sys

path, code, sides, expression = sys.argv[1:]
values = eval(expression, {"inf": math.inf, "nan": math.nan})
descr = {"d": "<f8", "f": "<f4", "e": "<f2", "q": "<i8", "i": "<i4", "h": "<i2", "b": "|i1",
         "?": "|b1"}[code]
header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (descr, sides)
header = header.ljust((len(header) + 11 + 63) // 64 * 64 - 11) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<%d%s" % (len(values), code), *values))
