"""Compiles every ```tile block of a page.

usage: blocks.py TILEC PAGE DIR
"""

import os
import re
import subprocess
import sys

blocks = re.findall(r"^```tile\n(.*?)^```", open(sys.argv[2]).read(), re.M | re.S)
for number, block in enumerate(blocks):
    path = os.path.join(sys.argv[3], "block%d.tile" % number)
    open(path, "w").write(block)
    subprocess.run([sys.argv[1], path, "--emit=tile", "-o", os.devnull], check=True)
print("blocks:", len(blocks))
