"""Compiles a program under each number of warps and stages: every_plan.py TILEC-ARGUMENT...

Prints the number of plans, or the first that fails with what was said."""

import itertools
import subprocess
import sys

plans = list(itertools.product((1, 2, 4, 8), (1, 2, 3, 4)))
for warps, stages in plans:
    command = ["tilec", *sys.argv[1:], "--set", f"plan.warps={warps}",
               "--set", f"plan.stages={stages}", "--emit=ptx", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or f".maxntid {32 * warps}" not in done.stdout:
        sys.exit(f"error: {' '.join(command)}\n{done.stderr}")
print(len(plans), "plans compile")
