"""Prints what a launch must know of the manifest on standard input."""

import json
import sys

manifest = json.load(sys.stdin)
print("arguments:", ", ".join(a["name"] + " " + a["type"] for a in manifest["arguments"]))
print("grid:", manifest["grid"][0])
for variant in manifest["variants"]:
    print("%(name)s: %(block)d threads, %(shared)d bytes of shared memory, requires" % variant)
    print("   ", ", ".join(variant["requires"]) or "nothing")
