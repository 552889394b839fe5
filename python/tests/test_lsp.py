"""``python -m onnxc lsp`` is the language server: it answers over standard input and output, and ends with status 0."""

import json
import subprocess
import sys


def frame(message):
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def test_serves_an_editor():
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    command = [sys.executable, "-m", "onnxc", "lsp"]
    done = subprocess.run(command, input=b"".join(map(frame, messages)), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b'"hoverProvider"' in done.stdout and done.stdout.count(b"Content-Length: ") == 2
