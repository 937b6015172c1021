"""Finds numbered constraints of a dialect's generated page that no test breaks.

usage: doc_constraints.py Dialect.md FOLDER

Constraint (C3) of `tile.dot` is broken by a test in FOLDER called `@dot_c3_...`;
an attribute's, by one called `"copy_c1_..."`.
"""

import glob
import os
import re
import sys

SHORT_NAMES = {"PointerType": "ptr"}


def main():
    page = open(sys.argv[1]).read()
    tests = "".join(open(path).read()
                    for path in glob.glob(os.path.join(sys.argv[2], "*.mlir")))
    names = set(re.findall(r"[@\"](\w+?_c\d+)_", tests))
    missing, count = [], 0
    for part in re.split(r"^### ", page, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        op = re.match(r"`tile(?:_gpu)?\.(\w+)`", title)
        name = op[1] if op else SHORT_NAMES.get(
            title, re.sub("(Attr|Type)$", "", title).lower())
        # Once each: a description may name a constraint again.
        for number in sorted(set(re.findall(r"\(C(\d+)\)", text))):
            count += 1
            if "%s_c%s" % (name, number) not in names:
                missing.append("%s (C%s)" % (name, number))
    print("constraints:", count)
    print("constraints without a test:", ", ".join(missing) or "none")


main()
