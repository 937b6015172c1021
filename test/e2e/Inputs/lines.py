"""lines.py: reduces and scans tiles along each axis, under every number of warps.

Each case is a program on one tile whose elements are 0, 1, 2, ... .
What it must give, to the bit, is computed here: the tree of `tile.reduce` over the bits
of the index, low to high, and the chain of `tile.scan`, with each step rounded to f32.
`twice` (left - 2 * right) is neither commutative nor associative, so that every other
order shows.  sweep.py runs the program after each pass and, where there is one, on the
GPU.
"""

import itertools
import os
import struct
import subprocess
import sys
import tempfile

SWEEP = os.path.join(os.path.dirname(__file__), "../../edge-cases/Inputs/sweep.py")
SHAPES = [(1,), (3,), (48,), (229,), (1024,), (8, 64), (64, 8), (3, 48), (48, 3), (1, 512),
          (512, 1), (4, 6, 8)]


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


# Region, type of the elements, what it computes, code of the type in `struct`.
REGIONS = {
    "add": ("%%c = arith.addf %%l, %%r : %s", "f32", lambda l, r: rounded(l + r), "f"),
    "max": ("%%c = arith.maximumf %%l, %%r : %s", "f32", max, "f"),
    "addi": ("%%c = arith.addi %%l, %%r : %s", "i64", lambda l, r: l + r, "q"),
    "twice": ("%%d = arith.addf %%r, %%r : %s\n%%c = arith.subf %%l, %%d : %s", "f32",
              lambda l, r: rounded(l - rounded(r + r)), "f"),
}


def tile(shape, element):
    return "tensor<%sx%s>" % ("x".join(map(str, shape)), element) if shape else element


def offsets(name, shape):
    """Row-major offsets into memory, as the tile %name."""
    lines, sums, stride = [], [], 1
    for dim in reversed(range(len(shape))):
        here = "%s_%d" % (name, dim)
        side = tile(shape[dim:dim + 1], "i32")
        lines.append("%%%s_i = tile.iota : %s" % (here, side))
        lines.append("%%%s_s = arith.constant dense<%d> : %s" % (here, stride, side))
        lines.append("%%%s_r = arith.muli %%%s_i, %%%s_s overflow<nsw> : %s" % (here, here, here, side))
        current, place = shape[dim:dim + 1], "%%%s_r" % here
        for other in range(len(shape)):
            if other == dim:
                continue
            wider = (1,) + current if other < dim else current + (1,)
            axis = 0 if other < dim else len(current)
            lines.append("%%%s_e%d = tile.expand_dims %s axis %d : %s -> %s" % (
                here, other, place, axis, tile(current, "i32"), tile(wider, "i32")))
            current, place = wider, "%%%s_e%d" % (here, other)
        if len(shape) > 1:
            lines.append("%%%s_b = tile.broadcast %s : %s -> %s" % (
                here, place, tile(current, "i32"), tile(shape, "i32")))
            place = "%%%s_b" % here
        sums.append(place)
        stride *= shape[dim]
    total = sums[0]
    for index, other in enumerate(sums[1:]):
        lines.append("%%%s_t%d = arith.addi %s, %s overflow<nsw> : %s" % (
            name, index, total, other, tile(shape, "i32")))
        total = "%%%s_t%d" % (name, index)
    return lines, total


def program(op, shape, axis, region, flag):
    body, element = REGIONS[region][:2]
    body = body.replace("%s", element).replace("%%", "%")
    kept = shape[:axis] + shape[axis + 1:] if op == "reduce" else shape
    lines, source = offsets("x", shape)
    lines.append("%%v = tile.load %%x[%s] : !tile.ptr<%s>, %s -> %s" % (
        source, element, tile(shape, "i32"), tile(shape, element)))
    lines.append("%%s = tile.%s %%v axis %d %s {\n^bb0(%%l: %s, %%r: %s):\n%s\ntile.yield %%c : %s\n} : %s -> %s" % (
        op, axis, flag, element, element, body, element, tile(shape, element), tile(kept, element)))
    if kept:
        more, target = offsets("y", kept)
        lines += more
    else:
        lines.append("%first = arith.constant 0 : i32")
        target = "%first"
    lines.append("tile.store %%y[%s], %%s : !tile.ptr<%s>, %s, %s" % (
        target, element, tile(kept, "i32"), tile(kept, element)))
    return "tile.kernel @line(%%x: !tile.ptr<%s>, %%y: !tile.ptr<%s>) {\n%s\ntile.return\n}\n" % (
        element, element, "\n".join(lines))


def tree(line, combine):
    line, width = list(line), 1
    while width < len(line):
        for left in range(0, len(line) - width, 2 * width):
            line[left] = combine(line[left], line[left + width])
        width *= 2
    return line[:1]


def chain(line, combine, backwards):
    line = list(line[::-1] if backwards else line)
    for place in range(1, len(line)):
        line[place] = combine(line[place - 1], line[place])
    return line[::-1] if backwards else line


def expected(op, shape, axis, region, flag, values):
    combine = REGIONS[region][2]
    inner = 1
    for side in shape[axis + 1:]:
        inner *= side
    side, count = shape[axis], len(values)
    kept = 1 if op == "reduce" else side
    result = [None] * (count // side * kept)
    for outer, low in itertools.product(range(count // side // inner), range(inner)):
        line = [values[(outer * side + place) * inner + low] for place in range(side)]
        line = tree(line, combine) if op == "reduce" else chain(line, combine, flag == "reverse")
        for place, value in enumerate(line):
            result[(outer * kept + place) * inner + low] = value
    return result


def check(op, shape, axis, region, flag):
    element, code = REGIONS[region][1], REGIONS[region][3]
    count = 1
    for side in shape:
        count *= side
    values = list(range(count))
    want = expected(op, shape, axis, region, flag, values)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "line.mlir")
        with open(path, "w") as file:
            file.write(program(op, shape, axis, region, flag))
        command = [sys.executable, SWEEP, "--stages=1", "--bits", "y=%s:%r" % (code, want), path,
                   "-k", "line", "-g", "1,1,1", "x=%s[%d]:iota" % (element, count),
                   "y=%s[%d]:zeros" % (element, len(want))]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s %s axis %d %s %s:\n%s%s" % (
            op, shape, axis, region, flag, done.stdout, done.stderr))
    return done.stdout.strip()


def main():
    op, summary = sys.argv[1], {}
    for shape in SHAPES:
        for axis in range(len(shape)):
            for region in sys.argv[2:]:
                region, _, flag = region.partition(":")
                line = check(op, shape, axis, region, flag)
                summary[line] = summary.get(line, 0) + 1
    for line, count in summary.items():
        print("%d programs, each %s" % (count, line))


main()
