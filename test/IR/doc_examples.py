"""Runs the ```mlir examples of a dialect's generated page through tile-opt.

usage: doc_examples.py PAGE.md tile-opt

An example is whole kernels, ops from the middle of one, or attributes and types.
The values that ops use and do not define are declared before them, with the
types that tile-opt says the ops want.  `#layout` is what an example at the top of
the page defines, or else some layout of the shape that it goes with.
"""

import re
import subprocess
import sys


def run(tool, text):
    """The diagnostics of reading `text`, or "" where it is right."""
    done = subprocess.run(
        [tool, "--allow-unregistered-dialect", "--verify-roundtrip", "-o", "/dev/null"],
        input=text, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or "exit %d" % done.returncode


def fill_in_layouts(code, layouts):
    """The code with layouts for their names: those given, or row-major ones."""
    def layout(match):
        if match[4] in layouts:
            return "%s<%sx%s, %s>" % (match[1], match[2], match[3], layouts[match[4]])
        kind, sides = match[1], [int(side) for side in match[2].split("x")]
        group = "register"
        if kind != "tensor":
            group, sides = "offset", sides[1:]  # a ring's first side is its slots
        bases = []
        for dim in reversed(range(len(sides))):
            for bit in range(sides[dim].bit_length() - 1):
                bases.append([1 << bit if d == dim else 0 for d in range(len(sides))])
        return "%s<%sx%s, #tile.layout<%s = %s, sides = %s>>" % (
            kind, match[2], match[3], group, bases, sides)
    return re.sub(r"(tensor|!tile_gpu\.buffer)<(\d+(?:x\d+)*)x(\w+), #(\w+)>",
                  layout, code)


def free_values(body):
    """Names that are used and not defined, in the order of their use."""
    defined = set(re.findall(r"(%\w+)(?::\d+)?(?:\s*,\s*%\w+)*\s*=(?!=)", body))
    defined |= set(re.findall(r"(%\w+)\s*:(?=[^,)]*[,)])", "".join(
        re.findall(r"\^\w+\((.*?)\):", body, re.S)) + ")"))
    names = []
    for name in re.findall(r"%[A-Za-z_]\w*", body):
        if name not in defined and name not in names:
            names.append(name)
    return names


def check_ops(tool, body):
    """Diagnostics of ops in a kernel, their free values declared."""
    types = {name: None for name in free_values(body)}
    for _ in range(len(types) + 1):
        known = ["%s = \"doc.value\"() : () -> %s" % t for t in types.items() if t[1]]
        # A definition after the use, of a type that nothing has: tile-opt names
        # the type that the use wants.
        unknown = ["%s = \"doc.value\"() : () -> i99" % name
                   for name, known_type in types.items() if not known_type]
        text = "\n".join(["tile.kernel @example() {"] + known + [body] + unknown
                         + ["tile.return", "}"])
        errors = run(tool, text)
        wanted = re.search(
            r"definition of SSA value '(%\w+)(?:#\d+)?' has type 'i99'.*?"
            r"previously used here with type '(.*?)'\n", errors, re.S)
        if not wanted:
            return errors
        types[wanted[1]] = wanted[2]
    return errors


def check(tool, example, layouts):
    """Diagnostics of one example, "" where it is right."""
    code = "\n".join(line for line in example.splitlines()
                     if not line.strip().startswith("//"))
    code = fill_in_layouts(code, layouts)
    first = code.strip()
    if first.startswith(("tile.kernel", "module")):
        return run(tool, code)
    if first.startswith(("#", "!")):
        attributes = re.split(r"\n(?=[#!])", first)
        return run(tool, "\"doc.attributes\"() {%s} : () -> ()" % ", ".join(
            "a%d = %s" % pair for pair in enumerate(attributes)))
    if first.startswith("tile.return"):
        return run(tool, "tile.kernel @example() {\n%s\n}" % code)
    if first.startswith("tile.yield"):
        code = ("%%x = \"doc.value\"() : () -> tensor<4xf32>\n"
                "%%0 = tile.reduce %%x axis 0 {\n^bb0(%%l: f32, %%sum: f32):\n%s\n"
                "} : tensor<4xf32> -> f32" % code)
    return check_ops(tool, code)


def sections(page):
    """Pairs of the title of each op, attribute or type and its text."""
    for part in re.split(r"^### ", page, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        yield title.strip(), text


def main():
    page, tool = open(sys.argv[1]).read(), sys.argv[2]
    layouts = dict(re.findall(r"^#(\w+) = (#tile\.layout<.*>)$",
                              page.split("\n### ")[0], re.M))
    bare_ops, bare_others, failed = [], [], 0
    # Enumerations are values inside other attributes: they need no example.
    documented = page.split("\n## Enums")[0]
    for title, text in sections(documented):
        examples = re.findall(r"```mlir\n(.*?)```", text, re.S)
        if not examples:
            is_op = title.startswith("`")
            is_enum = re.search(r"\| value \| `::tile::\w+` \|", text)
            if is_op:
                bare_ops.append(title)
            elif not is_enum:
                bare_others.append(title)
        for example in examples:
            errors = check(tool, example, layouts)
            if errors:
                failed += 1
                print("%s:\n%s\n%s" % (title, example, errors))
    print("ops without an example:", ", ".join(bare_ops) or "none")
    print("attributes and types without an example:", ", ".join(bare_others) or "none")
    print("failed examples:", failed)


main()
