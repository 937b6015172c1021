"""Runs programs on the interpreter before and after the passes and compares bits.

usage: same_bits.py PROGRAMS.mlir

Every kernel takes two f16 and one f32 pointer, sizes n, m (i32) and w (i64), and a
condition c.  It runs as it is, and as each variant that `tile-to-gpu` makes of it
under several settings; what all pointers hold afterwards must be equal.
"""

import os
import re
import subprocess
import sys
import tempfile

SETTINGS = ["target=sm_80", "target=sm_80 set=stages=1", "target=sm_80 set=stages=4,warps=1",
            "target=sm_90a"]
POINTERS = ["p", "q", "f"]
ARGUMENTS = ["p=f16[2304]:int(-2,2,7)", "q=f16[2304]:int(-2,2,8)", "f=f32[2304]:int(-2,2,9)",
             "n=96", "m=3", "w=96"]


def execute(path, kernel, condition, folder):
    """What the pointers hold after a run, or why there was none."""
    dumps = {name: os.path.join(folder, name + ".npy") for name in POINTERS}
    command = ["tile-run", path, "-k", kernel, "-g", "1", "--device=interpreter", "c=" + condition]
    command += ARGUMENTS + ["--dump=%s=%s" % pair for pair in dumps.items()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr or done.stdout or "exit %d" % done.returncode
    return [open(dump, "rb").read() for dump in dumps.values()]


def kernels_of(path):
    return re.findall(r"tile\.kernel @([\w$]+)", open(path).read())


def main():
    program = sys.argv[1]
    compared = different = 0
    with tempfile.TemporaryDirectory() as folder:
        lowered = os.path.join(folder, "lowered.mlir")
        # A `while` ends only where its condition is false.
        conditions = {kernel: ["0"] if kernel.startswith("while") else ["0", "1"]
                      for kernel in kernels_of(program)}
        before = {(kernel, condition): execute(program, kernel, condition, folder)
                  for kernel in conditions for condition in conditions[kernel]}
        for settings in SETTINGS:
            subprocess.run(["tile-opt", program, "--tile-to-gpu=" + settings, "-o", lowered],
                           check=True)
            for variant in kernels_of(lowered):
                kernel = variant.split("$")[0]
                for condition in conditions[kernel]:
                    want = before[kernel, condition]
                    got = execute(lowered, variant, condition, folder)
                    compared += 1
                    if got != want or isinstance(want, str):
                        different += 1
                        print("%s, %s, c=%s: %s" % (
                            variant, settings, condition,
                            next((x for x in (want, got) if isinstance(x, str)), "other bits")))
    print("runs compared: %d, different: %d" % (compared, different))


main()
