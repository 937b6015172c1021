"""Counts the instructions on the ways through one turn of the loop of products.

step_paths.py ROUNDS SPLIT MASKED prints what part the fewest instructions of a turn
of the innermost loop with products in SPLIT are of the fewest in MASKED, and the most
in SPLIT; loops inside it go round ROUNDS times.
"""

import re
import sys

from loop_census import natural_loops, read_blocks, successors


def count(lines):
    """Inline assembly puts several statements on a line, and braces."""
    statements = (part.strip(" \t{}") for line in lines for part in line.split(";"))
    return sum(bool(re.match(r"(@\S+\s+)?[a-z]", statement)) for statement in statements)


def shortest_and_longest(head, body, edges, costs):
    """The ways from the head back to it; a block that is met again is a loop of its
    own, whose turns its costs hold."""
    known = {}

    def ways(label):
        if label not in known:
            known[label] = None
            ends = [(0, 0) if target == head else ways(target)
                    for target in edges[label] if target in body]
            ends = [end for end in ends if end]
            known[label] = ends and (costs[label] + min(low for low, _ in ends),
                                     costs[label] + max(high for _, high in ends))
        return known[label]

    return ways(head)


def ways_through(path, rounds):
    with open(path) as file:
        blocks = read_blocks(file)
    edges = successors(blocks)
    loops = natural_loops(edges)

    def multiplies(body):
        return any(re.search(r"mma|fma\.rn", line) for label in body for line in blocks[label])

    steps = [(head, body) for head, body in loops.items() if multiplies(body)]
    head, body = min(steps, key=lambda loop: len(loop[1]))
    costs = {label: count(blocks[label]) * rounds ** sum(
        label in inner and inner < body for inner in loops.values()) for label in body}
    return shortest_and_longest(head, body, edges, costs)


def main():
    rounds = int(sys.argv[1])
    whole, ragged = ways_through(sys.argv[2], rounds)
    masked, _ = ways_through(sys.argv[3], rounds)
    print("a step of %d instructions takes %.2f of them if it is whole, else %.2f" % (
        masked, whole / masked, ragged / masked))


if __name__ == "__main__":
    main()
