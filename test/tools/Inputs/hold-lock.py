"""hold-lock.py dead|alive TABLE TOOL ARGUMENTS: runs TOOL ARGUMENTS -o TABLE while
a process that has died, or this one, holds the lock of TABLE."""
import os
import socket
import subprocess
import sys

state, table, command = sys.argv[1], sys.argv[2], sys.argv[3:]
holder = os.getpid()
if state == "dead":
    child = subprocess.Popen(["true"])
    child.wait()
    holder = child.pid
with open(table + ".lock", "w") as lock:
    lock.write(f"{socket.gethostname()} {holder}")
sys.exit(subprocess.run(command + ["-o", table], timeout=60).returncode)
