"""Each function that the tables of these pages name is one of the language.

usage: functions.py TILEC PAGE... DIR
"""

import re
import subprocess
import sys

names = set()
for page in sys.argv[2:-1]:
    for row in re.findall(r"^\|(.*)\|$", open(page).read(), re.M):
        # The left side of Triton's tables is Triton's.
        cell = row if "Language" in page else row.replace("\\|", " ").split("|")[1]
        names |= set(re.findall(r"`(?:let [\w, ]+ = )?(\w+)\(", cell))
        names |= set(re.findall(r"[ `](\w+)\(", cell))
names -= {"pipeline", "divisible", "of", "f", "n", "kernel", "in"}
assert {"dot", "sum", "atomic_add", "umulhi"} <= names, names
for name in sorted(names):
    source = sys.argv[-1] + "/one.tile"
    open(source, "w").write("kernel k() { let x = %s() }" % name)
    run = subprocess.run([sys.argv[1], source, "--emit=tile"], capture_output=True, text=True)
    if "expected a function of the language" in run.stderr:
        sys.exit("no such function: " + name)
print("functions:", len(names))
