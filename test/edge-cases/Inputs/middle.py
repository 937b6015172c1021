"""middle.py LINE: prints a kernel of 40 lines with LINE as line 21."""
import sys

lines = ["// Line by line.", "kernel k(p: *f32) grid 1 {", "  let i = arange(128)", "  let v = load(p + i)"]
lines += ["  let v%d = v * v" % n for n in range(16)]
lines += ["  " + sys.argv[1]]
lines += ["  let w%d = v * v" % n for n in range(17)]
lines += ["  store(p + i, v + w3)", "}"]
print("\n".join(lines))
