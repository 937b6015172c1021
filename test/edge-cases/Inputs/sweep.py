"""Runs a program under every plan, on the interpreter after every pass.

usage: sweep.py [--warps=W,...] [--stages=S,...] [--chips=C,...]
                [--tails=T,...] [--times=N] [--bits NAME=TYPE:EXPRESSION]
                FILE ARGUMENT...

FILE and the ARGUMENTs go to `tile-run`: first as written, then for each plan with
--verify-passes, which runs each variant whose assumptions hold after each pass down
to tile_gpu and wants the bits of the program as written: so the bits are the same
for all plans, and no plan may be refused.

Where lit found a GPU (TILE_TEST_GPU is 1), each plan then runs there too, in the
variant that the launcher takes and in the general one.

--times runs the one plan that is given N times, for which the bits are the same each
time, on the GPU too.

--bits says what argument NAME must hold in the end, to the bit (any NaN is as good as
another): a Python list of numbers, and TYPE is that of struct (d f e q i h b ?).
"""

import argparse
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
    parser.add_argument("--times", type=int, default=1)
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


class Sweep:
    def __init__(self, options, arguments):
        self.arguments = arguments
        self.wanted = [text.split("=", 1) for text in options.bits]
        self.times = options.times
        chips = ",".join([options.chips] * self.times)
        self.plans = ["--arch=" + chips, "--set=plan.warps=" + options.warps,
                      "--set=plan.stages=" + options.stages, "--set=plan.tail=" + options.tails]

    def run(self, *flags, tolerated=None):
        """Runs tile-run and checks what its last run wrote; False where it failed with
        the message that is tolerated."""
        with tempfile.TemporaryDirectory() as folder:
            dumps = {name: os.path.join(folder, name + ".npy") for name, _ in self.wanted}
            command = ["tile-run", *self.arguments, *flags]
            command += ["--dump=%s=%s" % pair for pair in dumps.items()]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode and tolerated and tolerated in done.stderr:
                return False
            if done.returncode:
                sys.exit("%s\n%s%sexit code %d" % (
                    " ".join(command), done.stdout, done.stderr, done.returncode))
            check_dumps(self.wanted, dumps)
            return True

    def run_on_gpu(self):
        """In the variant that fits, and in the general one where there is one."""
        same_bits = bool(self.wanted) or self.times > 1
        flags = ["--device=cuda", *self.plans] + ["--same-bits"] * same_bits
        missing = "expected one of the variants"
        # Variants may add in other orders: each is like itself.
        if self.times > 1:
            self.run("--variant=general", *flags, tolerated=missing)
            self.run(*flags)
            return
        if not self.run("--variant=auto,general", *flags, tolerated=missing):
            self.run(*flags)


def main():
    options, arguments = parse()
    sweep = Sweep(options, arguments)
    sweep.run("--device=interpreter")
    lists = [options.chips, options.warps, options.stages, options.tails]
    if options.times > 1 and any("," in text for text in lists):
        sys.exit("--times: expected one plan, got several")
    done = "%d verified" % math.prod(text.count(",") + 1 for text in lists)
    sweep.run("--verify-passes", *sweep.plans)
    if os.environ.get("TILE_TEST_GPU") == "1":
        sweep.run_on_gpu()
        done += " and on the GPU"
    print("plans:", done)


main()
