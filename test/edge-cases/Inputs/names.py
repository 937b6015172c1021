"""names.py: prints kernels of awkward names.  names.py FILE: compiles each of them and
prints the symbol, which PTX and manifest must agree on (and ptxas takes, if it is there)."""

import re
import shutil
import subprocess
import sys

NAMES = ["a.b", "a-b", "a b", "1st", "add", "ret", "üni", ".visible", "k_-1", "k_0.5", "k_-1e-3",
         "x" * 300]


def run(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True,
                          encoding="utf-8").stdout


if len(sys.argv) == 1:
    sys.stdout.reconfigure(encoding="utf-8")
    for name in NAMES:
        print('tile.kernel @"%s"(%%p: !tile.ptr<f32>) grid affine_map<() -> (1)> {' % name)
        print("  %i = tile.iota : tensor<32xi32>\n  %z = arith.constant dense<1.0> : tensor<32xf32>")
        print("  tile.store %p[%i], %z : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>")
        print("  tile.return\n}")
    sys.exit()

sys.stdout.reconfigure(encoding="utf-8")
symbols = []
for name in NAMES:
    command = ["tilec", sys.argv[1], "-k", name, "--arch=sm_80"]
    ptx = run(*command)
    symbol = re.search(r"\.entry ([^(]*)", ptx).group(1)
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+", symbol):
        sys.exit("illegal: " + symbol)
    if '"symbol": "%s"' % symbol not in run(*command, "--emit=manifest"):
        sys.exit("not in the manifest: " + symbol)
    if shutil.which("ptxas"):
        run("ptxas", "--gpu-name=sm_80", "-o", "/dev/null", "-", text=ptx)
    symbols.append(symbol)
    print("%s: %s" % (name, symbol))
print("names: %d, different: %d" % (len(symbols), len(set(symbols))))
