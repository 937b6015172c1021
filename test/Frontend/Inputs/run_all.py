"""Compiles each .tile and .mlir file of DIR; each ends with a module or with errors.

usage: run_all.py TILEC DIR
"""

import glob
import os
import subprocess
import sys

ended = {}
for path in sorted(glob.glob(os.path.join(sys.argv[2], "*.tile")) +
                   glob.glob(os.path.join(sys.argv[2], "*.mlir"))):
    result = subprocess.run([sys.argv[1], path, "--emit=tile"], capture_output=True, timeout=20)
    code = result.returncode
    if code not in (0, 3) or (code == 3 and b"error: " not in result.stderr):
        print("wrong:", path, code, result.stderr[-400:].decode(errors="replace"))
    ended[code] = ended.get(code, 0) + 1
print("ended:", sorted(ended))
