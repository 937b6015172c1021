"""exit-code.py CODE COMMAND...: succeeds if COMMAND exits with CODE."""
import subprocess
import sys

got = subprocess.run(sys.argv[2:]).returncode
if got != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, got {got}")
