"""format_all.py TILE_FMT TILEC ROOT: formats every .tile file below ROOT, and
checks that the program stays and that formatting again changes nothing.

Locations aside, `tilec --emit=tile` prints the same before and after; where it
refuses the file, its messages are the same.
"""
import os
import re
import subprocess
import sys
import tempfile

tile_fmt, tilec, root = sys.argv[1:]


def run(*command):
    return subprocess.run(command, capture_output=True)


def meaning(path):
    """What tilec makes of the file: IR, or the messages without their places."""
    result = run(tilec, path, "--emit=tile")
    messages = re.findall(rb":\d+:\d+: (\w+: .*)", result.stderr)
    return result.returncode, result.stdout, messages


def sources():
    for folder, below, files in os.walk(root):
        # What is built holds copies.
        below[:] = [name for name in below if name != "build" and name[0] != "."]
        for name in sorted(files):
            if name.endswith(".tile"):
                yield os.path.join(folder, name)


formatted = unparsable = 0
with tempfile.TemporaryDirectory() as scratch:
    for path in sources():
        first = run(tile_fmt, path)
        if first.returncode == 3:
            assert first.stdout == b"" and b": error: " in first.stderr, path
            assert run(tilec, path, "--emit=tile").returncode == 3, path
            unparsable += 1
            continue
        assert first.returncode == 0, (path, first.stderr)
        copy = os.path.join(scratch, os.path.basename(path))
        open(copy, "wb").write(first.stdout)
        assert run(tile_fmt, copy).stdout == first.stdout, path + ": formatted twice"
        # The copy's name stands in the IR's module only through its location.
        assert meaning(copy) == meaning(path), path + ": another program"
        formatted += 1
print(f"{formatted} formatted, {unparsable} without a parse")
