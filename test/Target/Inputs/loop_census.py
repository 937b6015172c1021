"""Counts what one turn of each loop of a PTX file does.

loop_census.py FILE prints a line for each loop that has wgmma or copies by the
copy engine and no such loop inside it:  multiplies: wgmma.mma_async 4, ...
"""

import re
import sys

NAMES = [
    ("wgmma.mma_async", "wgmma.mma_async"),
    ("wgmma.fence", "wgmma.fence"),
    ("wgmma.commit_group", "wgmma.commit_group"),
    ("wgmma.wait_group", "wgmma.wait_group"),
    ("cp.async.bulk.tensor", "tma"),
    ("mbarrier.try_wait", "mbarrier.try_wait"),
    ("mbarrier.arrive.expect_tx", "mbarrier.expect_tx"),
    ("mbarrier.arrive", "mbarrier.arrive"),
    ("fence.proxy", "fence.proxy"),
    ("bar.sync", "bar.sync"),
]


def read_blocks(lines):
    """The instructions of each block, in the order of the text; what follows a
    branch that may not be taken is a block, too."""
    blocks = {"entry": []}
    label = "entry"
    for line in map(str.strip, lines):
        named = re.match(r"(\$L__BB\d+_\d+):", line)
        if named:
            label = named.group(1)
            blocks[label] = []
        elif line and not re.match(r"[.{})/$]|setp\.ne\.b32 p,", line):
            blocks[label].append(line)
            if re.match(r"@.* bra\b", line):
                label = f"behind {len(blocks)}"
                blocks[label] = []
    return blocks


def successors(blocks):
    order = list(blocks)
    result = {}
    for index, label in enumerate(order):
        text = blocks[label]
        targets = [m.group(1) for line in text if (m := re.search(r"\bbra(?:\.uni)?\s+(\S+);", line))]
        leaves = any(re.match(r"bra|ret", line) for line in text)
        if not leaves and index + 1 < len(order):
            targets.append(order[index + 1])
        result[label] = [target for target in targets if target in blocks]
    return result


def dominators(edges):
    order = list(edges)
    dominated = {label: set(order) for label in order}
    dominated[order[0]] = {order[0]}
    changed = True
    while changed:
        changed = False
        for label in order[1:]:
            before = [dominated[other] for other in order if label in edges[other]]
            now = (set.intersection(*before) if before else set()) | {label}
            changed |= now != dominated[label]
            dominated[label] = now
    return dominated


def natural_loops(edges):
    """The blocks of each loop, by its head."""
    over = dominators(edges)
    loops = {}
    for label in edges:
        for head in (target for target in edges[label] if target in over[label]):
            body, left = {head}, [label]
            while left:
                block = left.pop()
                if block not in body:
                    body.add(block)
                    left += [other for other in edges if block in edges[other]]
            loops.setdefault(head, set()).update(body)
    return loops


def count(lines):
    counts = {}
    for line in lines:
        name = next((name for key, name in NAMES if key in line), "others")
        counts[name] = counts.get(name, 0) + 1
    return counts


def main():
    with open(sys.argv[1]) as file:
        blocks = read_blocks(file)
    loops = natural_loops(successors(blocks))
    counts = {
        head: count(line for label in blocks if label in body for line in blocks[label])
        for head, body in loops.items()
    }
    works = {head for head in loops if {"tma", "wgmma.mma_async"} & counts[head].keys()}
    for head in loops:
        if head not in works or any(loops[other] < loops[head] for other in works):
            continue
        kind = "multiplies" if "wgmma.mma_async" in counts[head] else "loads"
        names = [name for _, name in NAMES] + ["others"]
        print(f"{kind}: " + ", ".join(f"{name} {counts[head][name]}" for name in names if name in counts[head]))


if __name__ == "__main__":
    main()
