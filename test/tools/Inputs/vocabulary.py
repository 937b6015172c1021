"""vocabulary.py COMPLETION ROOT: compares the words of the language.

COMPLETION is what tile-lsp-server answered to a completion. The server, the
colours of the editor and the front end must know the same words.
"""
import json
import os
import re
import sys

answer, root = sys.argv[1:]
frontend = os.path.join(root, "python-free-frontend")
vscode = os.path.join(frontend, "editors", "vscode")


def read(*path):
    return open(os.path.join(*path)).read()


def words(pattern):
    """The words of \\b(a|b|...)\\b."""
    return set(re.search(r"\\b\(([a-z0-9_A-Z|]+)\)\\b", pattern).group(1).split("|"))


def check(what, left, right):
    print(what, "agree" if left == right else f"differ: {sorted(left ^ right)}")


messages = [json.loads(m) for m in re.findall(r"^\{$.*?^\}$", open(answer).read(), re.M | re.S)]
items = next(m["result"]["items"] for m in messages if m.get("id") == 7)
of_kind = {}
for item in items:
    of_kind.setdefault(item["detail"], set()).add(item["label"])
functions = {i["label"] for i in items if i["kind"] == 3 and "documentation" in i}

for name in ["package.json", "language-configuration.json"]:
    json.loads(read(vscode, name))
package = json.loads(read(vscode, "package.json"))
grammar = json.loads(read(vscode, package["contributes"]["grammars"][0]["path"]))
rules = grammar["repository"]
assert all(p["include"][1:] in rules for p in grammar["patterns"])

check("keywords", words(rules["keywords"]["match"]), of_kind["keyword"])
check("contextual", words(rules["contextual"]["match"]), of_kind["word in its place"])
check("types", words(rules["types"]["match"]), of_kind["element type"])
check("functions", words(rules["functions"]["match"]), functions)
# What the front end really calls.
table = re.findall(r'\{"(\w+)", &KernelEmitter::', read(frontend, "lib", "Builtins.cpp"))
check("builtins", set(table), functions)
