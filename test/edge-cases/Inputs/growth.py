"""growth.py FILE SIZE...: compiles FILE for each size and compares sizes of PTX and times.

A size is NAME=VALUE, a compile-time parameter, or a number: how often the line with
`dot(` is repeated.  A step of the size by f may make PTX and time (beyond 50 ms) at
most 3 f times as large, and no size may take a minute.
"""

import subprocess
import sys
import time

source = open(sys.argv[1]).read().splitlines(True)
last = None
for word in sys.argv[2:]:
    name, _, value = word.rpartition("=")
    lines = source
    command = ["tilec", "-o", "-", "--param", word]
    if not name:
        lines = [line for text in source for line in [text] * (int(value) if "dot(" in text else 1)]
        command = command[:-2]
    path = sys.argv[1] + "." + value + ".tile"
    open(path, "w").write("".join(lines))
    start = time.monotonic()
    ptx = subprocess.run(command + [path], check=True, capture_output=True,
                         timeout=60).stdout
    now = int(value), len(ptx), max(time.monotonic() - start, 0.05)
    if last:
        factor = now[0] / last[0]
        for i, what in [(1, "bytes of PTX"), (2, "seconds")]:
            if now[i] > 3 * factor * last[i]:
                sys.exit("%s: %s %g for %d, %g for %d" % (
                    sys.argv[1], what, last[i], last[0], now[i], now[0]))
    last = now
print("grows no faster")
