"""Assembles every variant of the matmul, for each of the chips:

    assemble.py PREFIX TYPE SIDES [CHIP,... [FLAG-OF-TILE-GEN...]]

Prints one line a variant, "clean" or what ptxas said of spills, stack and
warnings."""

import json
import re
import subprocess
import sys

prefix, element, sides, *more = sys.argv[1:]
chips = more[0].split(",") if more else ["sm_80", "sm_90a"]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        print(f"error: {' '.join(command)}\n{result.stdout}")
        sys.exit(1)
    return result.stdout


source = prefix + ".mlir"
run("tile-gen", "matmul", f"--sides={sides}", f"--type={element}",
    *more[1:], "-o", source)
for chip in chips:
    manifest = json.loads(run("tilec", source, f"--arch={chip}",
                              "--emit=manifest", "-o", "-"))
    for variant in manifest["variants"]:
        ptx = f"{prefix}.{chip}.{variant['name']}.ptx"
        run("tilec", source, f"--arch={chip}", f"--variant={variant['name']}",
            "--emit=ptx", "-o", ptx)
        said = run("ptxas", f"-arch={chip}", "-v", ptx, "-o", ptx + ".cubin")
        spills = [line.strip() for line in said.splitlines()
                  if re.search(r"[1-9]\d* bytes (stack|spill)|warning|C75", line)]
        print(f"{chip} {variant['name']}:", "; ".join(spills) or "clean")
