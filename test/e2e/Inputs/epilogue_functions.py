"""epilogue_functions.py FILE FOLDER FUNCTION...: FILE is a product of 128x128 by
tile-gen; writes FOLDER/FUNCTION.mlir, where the function, of math, is applied to it
before it is narrowed.  A function of two has the product as both operands."""
import re
import sys

PAIRS = ["powf", "atan2"]

with open(sys.argv[1]) as file:
    text = file.read()
for name in sys.argv[3:]:
    def narrowed(match):
        operands = ", ".join([match[2]] * (2 if name in PAIRS else 1))
        return "%%f = math.%s %s : tensor<128x128xf32>\n    %s = arith.truncf %%f" % (
            name, operands, match[1])
    result, count = re.subn(r"(%\w+) = arith.truncf (%\w+)", narrowed, text)
    assert count == 1
    with open("%s/%s.mlir" % (sys.argv[2], name), "w") as file:
        file.write(result)
