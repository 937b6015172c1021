"""Checks what the sources of each library include.

usage: layering.py SOURCE_DIR
"""

import glob
import os
import re
import sys

# Whom each library may include besides itself.
ALLOWED = {
    "Layout": [],
    "IR": ["Layout"],
    "GPU": ["Layout", "IR"],
    "Analysis": ["Layout", "IR", "GPU"],
    "Transforms": ["Layout", "IR", "GPU", "Analysis"],
    "Conversion": ["Layout", "IR", "GPU", "Analysis", "Transforms"],
    "Target": ["Layout", "IR", "GPU", "Analysis", "Transforms", "Conversion", "Runtime"],
    "C": ["IR", "Target", "Runtime"],
    "Interpreter": ["Layout", "IR", "GPU"],
    "Runtime": [],
}
KNOWS_NVVM = ["Conversion", "Target"]


def violations(library, text):
    """What this text of this library may not say."""
    for other in re.findall(r'^(?:#include|include) "tile/(\w+)/', text, re.M):
        if other != library and other not in ALLOWED[library]:
            yield "includes tile/" + other
    if library not in KNOWS_NVVM and re.search(r"#include .*NVVM", text):
        yield "includes NVVM"
    if library == "Layout" and re.search(r"#include \"mlir/", text):
        yield "includes MLIR"
    if library == "Runtime" and re.search(r"#include \"mlir/", text):
        yield "includes MLIR"
    for word in ["getenv", "GetEnv", "cl::opt", "report_fatal_error"]:
        if word in text:
            yield "says " + word


def main():
    found, files = 0, 0
    for library in ALLOWED:
        for folder in ["include/tile", "lib"]:
            pattern = os.path.join(sys.argv[1], folder, library, "*")
            for path in sorted(glob.glob(pattern)):
                if not path.endswith((".h", ".cpp", ".td")):
                    continue
                files += 1
                text = open(path).read()
                for violation in violations(library, text):
                    found += 1
                    print("%s %s" % (os.path.relpath(path, sys.argv[1]), violation))
    print("files:", files)
    print("violations:", found)


main()
