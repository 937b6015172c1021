"""Checks, or renews, the blocks of a page that are the output of commands.

usage: page_blocks.py [--write] SOURCE BUILD PAGE...

A block is a comment with a shell command, then the fence that shows its output:

    <!-- run
    tile-opt program.mlir --tile-specialize | sed -n '/tile.assume/p'
    -->
    ```mlir
    ...
    ```

Commands see the tools of BUILD, in a folder that holds `matmul.mlir` (the
reference program) and `program.mlir` (the same from tile-gen, with the names of
its values as locations, so that passes keep them), and SOURCE as $SOURCE.
"""

import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- run\n(.*?)\n-->\n```[^\n]*\n)(.*?)(^```$)", re.S | re.M)

NAMED_PROGRAM = r"""tile-gen matmul |
  sed -E '/ scf.for /!s/^ *%([A-Za-z]\w*) = .*/& loc("\1")/' > program.mlir"""


class Runner:
    """Runs commands with the tools of one build."""

    def __init__(self, source, build, folder):
        tools = [d for d in glob.glob(os.path.join(build, "tools", "*")) if os.path.isdir(d)]
        path = os.pathsep.join(sorted(tools) + [os.environ["PATH"]])
        self.environment = dict(os.environ, PATH=path, SOURCE=source, LC_ALL="C")
        self.folder = folder
        shutil.copy(os.path.join(source, "test/e2e/matmul.mlir"), folder)
        self.output(NAMED_PROGRAM)

    def output(self, command):
        """What `command` prints; a failing command ends the program."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit("failed (%d): %s\n%s" % (done.returncode, command, done.stderr))
        return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def renew(page, runner):
    """The page with every block as its command prints it, and their number."""
    return BLOCK.subn(lambda m: m[1] + runner.output(m[2]) + m[4], page)


def main():
    arguments = sys.argv[1:]
    write = arguments[0] == "--write"
    source, build, *pages = arguments[1:] if write else arguments
    stale = False
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(os.path.abspath(source), os.path.abspath(build), folder)
        for name in pages:
            with open(name) as file:
                old = file.read()
            new, count = renew(old, runner)
            if write:
                with open(name, "w") as file:
                    file.write(new)
            else:
                stale |= old != new
                sys.stdout.writelines(difflib.unified_diff(
                    old.splitlines(True), new.splitlines(True), name, "what the commands print"))
            print("%s: %d blocks" % (os.path.basename(name), count))
    if stale:
        sys.exit("stale pages; renew them: python3 test/docs/Inputs/page_blocks.py --write . build"
                 " docs/Walkthrough.md docs/Embedding.md docs/Testing.md README.md")


main()
