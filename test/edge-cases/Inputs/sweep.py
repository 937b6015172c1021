"""Runs a program under every plan, on the interpreter after every pass.

usage: sweep.py [--warps=W,...] [--stages=S,...] [--chips=C,...]
                [--tails=T,...] [--bits NAME=TYPE:EXPRESSION] FILE ARGUMENT...

FILE and the ARGUMENTs go to `tile-run`: first as written, then for each plan with
--verify-passes, which runs each variant whose assumptions hold after each pass down
to tile_gpu and wants the bits of the program as written: so the bits are the same
for all plans, and no plan may be refused.

Where lit found a GPU (TILE_TEST_GPU is 1), each plan then runs there too, in the
variant that the launcher takes and in the general one; chips that it does not run
are left out.

--bits says what argument NAME must hold in the end, to the bit (any NaN is as good as
another): a Python list of numbers, and TYPE is that of struct (d f e q i h b ?).
"""

import argparse
import concurrent.futures
import math
import os
import struct
import subprocess
import sys
import tempfile


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--warps", default="1,2,4,8")
    parser.add_argument("--stages", default="1,2,3,4")
    parser.add_argument("--chips", default="sm_80,sm_90a")
    parser.add_argument("--tails", default="auto")
    parser.add_argument("--bits", action="append", default=[])
    return parser.parse_known_args()


def pack(text):
    """`TYPE:EXPRESSION` as bytes."""
    code, expression = text.split(":", 1)
    values = eval(expression, {"inf": math.inf, "nan": math.nan, "range": range, "float": float})
    return struct.pack("<%d%s" % (len(values), code), *values)


def check_dumps(wanted, dumps):
    for name, text in wanted:
        want, got = pack(text), open(dumps[name], "rb").read()
        got = got[-len(want):]  # the data comes after a header
        if got == want:
            continue
        code, size = text[0], struct.calcsize(text[0])
        for at in range(0, len(want), size):
            left, right = want[at:at + size], got[at:at + size]
            both = struct.unpack("<2" + code, left + right)
            if left != right and not all(value != value for value in both):
                sys.exit("%s, element %d: expected %s (%s), got %s (%s)" % (
                    name, at // size, both[0], left.hex(), both[1], right.hex()))


def execute(command):
    return subprocess.run(command, capture_output=True, text=True)


def fail(command, done):
    sys.exit("%s\n%s%sexit code %d" % (
        " ".join(command), done.stdout, done.stderr, done.returncode))


class Sweep:
    def __init__(self, options, arguments):
        self.arguments = arguments
        self.wanted = [text.split("=", 1) for text in options.bits]

    def run(self, *flags):
        """Runs tile-run and checks what it wrote, unless it failed."""
        with tempfile.TemporaryDirectory() as folder:
            dumps = {name: os.path.join(folder, name + ".npy") for name, _ in self.wanted}
            command = ["tile-run", *self.arguments, *flags]
            command += ["--dump=%s=%s" % pair for pair in dumps.items()]
            done = execute(command)
            if done.returncode == 0:
                check_dumps(self.wanted, dumps)
            return command, done

    def verify(self, plan):
        """On the interpreter, after every pass."""
        command, done = self.run("--verify-passes", *plan)
        if done.returncode:
            fail(command, done)

    def run_on_gpu(self, plan):
        """In the variant that fits and in the general one; how many ran."""
        ran = 0
        for variant in ([], ["--variant=general"]):
            command, done = self.run("--device=cuda", *plan, *variant)
            missing = variant and "expected one of the variants" in done.stderr
            if missing or "expected a device that runs" in done.stderr:
                continue
            if done.returncode:
                fail(command, done)
            ran += 1
        return ran

    def check(self, plan):
        """How often the plan ran on the GPU."""
        self.verify(plan)
        return self.run_on_gpu(plan) if os.environ.get("TILE_TEST_GPU") == "1" else 0


def main():
    options, arguments = parse()
    sweep = Sweep(options, arguments)
    command, done = sweep.run("--device=interpreter")
    if done.returncode:
        fail(command, done)
    plans = [["--arch=" + chip, "--set", "plan.warps=" + warps, "--set", "plan.stages=" + stages,
              "--set", "plan.tail=" + tail]
             for chip in options.chips.split(",")
             for warps in options.warps.split(",")
             for stages in options.stages.split(",")
             for tail in options.tails.split(",")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ran = sum(pool.map(sweep.check, plans))
    print("plans: %d verified, %d runs on the GPU" % (len(plans), ran))


main()
