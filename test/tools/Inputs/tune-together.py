"""tune-together.py TILE_TUNE FILE.tile TABLE: eight processes at a time, three
times, add a class of shapes each; prints how many entries the table has."""
import json
import subprocess
import sys

tool, program, table = sys.argv[1:]
for element in ["f32", "f16", "i32"]:
    running = [
        subprocess.Popen([tool, program, "-o", table, "--repeats=1",
                          "T=" + element, "N=%d" % (1000 << shift)],
                         stdout=subprocess.DEVNULL)
        for shift in range(8)
    ]
    if any([process.wait() != 0 for process in running]):
        sys.exit("expected tile-tune to succeed")
print("entries:", len(json.load(open(table))["entries"]))
