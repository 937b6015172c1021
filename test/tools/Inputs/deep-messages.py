"""deep-messages.py SERVER LANGUAGE: what a server answers to a message and to a
document that nest too deep, and that it then still answers."""
import json
import subprocess
import sys

DEEP = 100000


def message(text):
    return f"Content-Length: {len(text)}\r\n\r\n{text}"


def request(method, params, **more):
    return message(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))


def document(text):
    item = {"uri": "test:///deep.mlir", "languageId": "mlir", "version": 1, "text": text}
    return request("textDocument/didOpen", {"textDocument": item})


def change(text):
    item = {"uri": "test:///deep.mlir", "version": 2}
    return request(
        "textDocument/didChange", {"textDocument": item, "contentChanges": [{"text": text}]}
    )


setup = {"processId": 1, "rootPath": "tile", "capabilities": {}, "trace": "off"}
language = sys.argv[2]
text = request("initialize", setup, id=0)
text += message('{"jsonrpc":"2.0","id":1,"method":"x","params":' + "[" * DEEP + "]" * DEEP + "}")
if language == "mlir":
    text += document("\n  " + "module {" * 5000 + "}" * 5000) + change("module {}")
    text += change("module {" * 5000 + "}" * 5000)
text += request("shutdown", None, id=2) + request("exit", None)
server = subprocess.run(
    [sys.argv[1], f"--language={language}"], input=text.encode(), capture_output=True, timeout=60
)
print(server.stderr.decode())
for part in server.stdout.decode().split("Content-Length: ")[1:]:
    answer = json.loads(part.split("\r\n\r\n", 1)[1])
    if answer.get("method") == "textDocument/publishDiagnostics":
        marks = [
            (m["range"]["start"]["line"], m["range"]["start"]["character"], m["message"])
            for m in answer["params"]["diagnostics"]
        ]
        print(f"version {answer['params']['version']}: {marks}")
    elif "id" in answer:
        print(f"answer {answer['id']}")
print(f"exit code {server.returncode}")
