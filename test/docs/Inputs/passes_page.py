"""passes_page.py PAGE: compares the page of passes with `tile-opt --help`.

Each pass of the project has a section, and each section its pass: with the summary,
what it requires and guarantees, and each option with what it does.
"""

import re
import subprocess
import sys


def passes_of_help():
    """Summary and options, name to text, of each pass."""
    text = subprocess.run(["tile-opt", "--help"], check=True, capture_output=True, text=True).stdout
    passes, options = {}, {}
    for line in text.split("Passes:", 1)[1].split("Pass Pipelines:")[0].splitlines():
        entry = re.match(r"( +)--([\w-]+)(=<\w+>)? +- +(.*)", line)
        if entry and len(entry[1]) == 6:
            options = {}
            if re.match("tile-|convert-tile-", entry[2]):
                passes[entry[2]] = (entry[4], options)
        elif entry:
            options[entry[2]] = entry[4]
    return passes


def faults(name, section, summary, options):
    """What a pass's section lacks."""
    if "_%s_" % summary not in section:
        yield "its summary, '%s'" % summary
    for word in ["Requires: ", "Guarantees: "]:
        if not re.search(word + r"\w[^.]*\.", " ".join(section.split())):
            yield word.strip()
    for option, text in options.items():
        if not re.search(r"^-%s +: %s$" % (option, re.escape(text)), section, re.M):
            yield "its option --%s" % option


def main():
    _, *parts = re.split(r"^### `-([\w-]+)`$", open(sys.argv[1]).read(), flags=re.M)
    sections = dict(zip(parts[::2], parts[1::2]))
    passes = passes_of_help()
    lacks = ["no section of '%s'" % name for name in passes if name not in sections]
    lacks += ["no pass of '%s'" % name for name in sections if name not in passes]
    for name, (summary, options) in passes.items():
        lacks += ["'%s' lacks %s" % (name, what)
                  for what in faults(name, sections.get(name, ""), summary, options)]
    if lacks:
        sys.exit("\n".join(lacks))
    print("passes: %d, with options: %d" % (
        len(passes), sum(bool(options) for _, options in passes.values())))


main()
