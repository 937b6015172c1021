"""Compiles every ```tile block of a page, and keeps each as KERNEL.tile.

usage: blocks.py TILEC PAGE DIR
"""

import os
import re
import subprocess
import sys

blocks = re.findall(r"^```tile\n(.*?)^```", open(sys.argv[2]).read(), re.M | re.S)
for block in blocks:
    name = re.search(r"^kernel (\w+)", block, re.M).group(1)
    path = os.path.join(sys.argv[3], name + ".tile")
    open(path, "w").write(block)
    subprocess.run([sys.argv[1], path, "--emit=tile", "-o", os.devnull], stderr=subprocess.STDOUT, check=True)
print("blocks:", len(blocks))
