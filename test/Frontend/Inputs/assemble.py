"""Assembles every kernel of a .tile file for sm_80 and sm_90a.

usage: assemble.py TILEC FILE
"""

import os
import re
import subprocess
import sys

kernels = re.findall(r"^kernel (\w+)", open(sys.argv[2]).read(), re.M)
count = 0
for kernel in kernels:
    for arch in ("sm_80", "sm_90a"):
        command = [sys.argv[1], sys.argv[2], "-k", kernel, "--arch=" + arch, "--emit=cubin"]
        run = subprocess.run(command + ["--allow=tf32", "-o", os.devnull], capture_output=True, text=True)
        if run.returncode or run.stderr:
            sys.exit("%s for %s: %s" % (kernel, arch, run.stderr))
        count += 1
print("assembled:", count)
