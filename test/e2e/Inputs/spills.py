"""Assembles every variant of every kernel of some files, for each of some chips:

    spills.py PREFIX CHIP,... FILE...

Prints a line for each that spills, that uses memory local to a thread, or that
draws a warning; and, at the end, how many were assembled and how many of them
are clean."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys

prefix, chips, *files = sys.argv[1:]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{result.stderr}")
    return result


def variants(file, chip):
    """The kernel and the name of each variant of a file."""
    said = json.loads(run("tilec", file, f"--arch={chip}", "--emit=manifest",
                          "-o", "-").stdout)
    manifests = said if isinstance(said, list) else [said]
    return [(file, chip, manifest["kernel"], variant["name"])
            for manifest in manifests for variant in manifest["variants"]]


def assemble(number, job):
    """What ptxas has to say against one variant."""
    file, chip, kernel, variant = job
    ptx = f"{prefix}.{number}.ptx"
    run("tilec", file, f"--arch={chip}", f"--kernel={kernel}",
        f"--variant={variant}", "--emit=ptx", "-o", ptx)
    said = run("ptxas", f"-arch={chip}", "-v", ptx, "-o", os.devnull)
    return "; ".join(
        line.strip() for line in (said.stdout + said.stderr).splitlines()
        if re.search(r"[1-9]\d* bytes (stack|spill)|warning|C75", line))


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
    listed = workers.map(lambda job: variants(*job), [
        (file, chip) for file in files for chip in chips.split(",")])
    jobs = [job for of_file in listed for job in of_file]
    results = list(workers.map(assemble, range(len(jobs)), jobs))
for (file, *names), wrong in zip(jobs, results):
    if wrong:
        print(f"{os.path.basename(file)} {' '.join(names)}: {wrong}")
print(f"{len(jobs)} assembled, {results.count('')} clean")
