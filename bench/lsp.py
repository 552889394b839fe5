#!/usr/bin/env python3
"""The latency of the language server: random edits of a large text, and what follows them.

Usage: bench/lsp.py [--onnxc build/release/onnxc] [--nodes 12000] [--edits 1000]

Each edit puts a character into the text or takes it out again; the time runs from the edit to its diagnostics. A hover and a
completion follow each tenth edit, one time at once and one time when the diagnostics have come. Printed are the medians
and the 99th percentiles in milliseconds, the processor time of the server for all that an edit leads to, and its memory.
"""

import argparse
import json
import os
import random
import subprocess
import time

URI = "file:///nowhere/bench.onnxtxt"
OPERATORS = ["Relu (x{0})", "Add (x{0}, w)", "Softmax <axis: int = 1> (x{0})", "LeakyRelu <alpha: float = 0.25> (x{0})"]


def model(nodes):
    lines = ["<ir_version: 10, opset_import: [\"\" : 21]>", f"g (float[N, 64] x0) => (float[N, 64] x{nodes})",
             "<float[64] w = {" + ", ".join(f"0.{i}" for i in range(64)) + "}> {"]
    for i in range(nodes):
        lines.append(f"  [node_{i}_of_the_bench] x{i + 1} = " + OPERATORS[i % len(OPERATORS)].format(i) + "  # a comment")
    return "\n".join(lines + ["}", ""])


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen([command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.judged = -1  # the newest version whose diagnostics came

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError("the server has ended")
            length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        self.judged = message.get("params", {}).get("version", self.judged)
        return message

    def request(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.last_id:
            pass
        return message["result"]

    def diagnostics(self, version):
        while self.judged < version:
            self.receive()

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))

    def processor_time(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            ticks = stat.read().rsplit(")", 1)[1].split()[11:13]  # utime and stime
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def shown(times):
    times = sorted(times)
    return f"p50 {1000 * times[len(times) // 2]:8.1f} ms   p99 {1000 * times[len(times) * 99 // 100]:8.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--onnxc", default="build/release/onnxc")
    parser.add_argument("--nodes", type=int, default=12000)
    parser.add_argument("--edits", type=int, default=1000)
    options = parser.parse_args()
    text = model(options.nodes)
    server = Server(options.onnxc)
    server.request("initialize", {"capabilities": {}})
    document = {"uri": URI, "languageId": "onnxtxt", "version": 0, "text": text}
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
    server.diagnostics(0)
    times = {name: [] for name in ("diagnostics", "hover", "completion", "hover at once", "completion at once")}
    chosen = random.Random(16)

    def timed(name, action):
        start = time.perf_counter()
        action()
        times[name].append(time.perf_counter() - start)

    for edit in range(1, options.edits + 1):
        if edit % 2 == 1:
            place = {"line": chosen.randrange(3, 3 + options.nodes), "character": chosen.randrange(40)}
            change = {"range": {"start": place, "end": place}, "text": chosen.choice("a1 ,()<")}
        else:
            end = {"line": place["line"], "character": place["character"] + 1}
            change = {"range": {"start": place, "end": end}, "text": ""}
        params = {"textDocument": {"uri": URI, "version": edit}, "contentChanges": [change]}

        there = {"textDocument": {"uri": URI}, "position": {"line": place["line"], "character": 30}}

        def keystroke():
            server.send({"method": "textDocument/didChange", "params": params})
            if edit % 10 == 5:
                timed("hover at once", lambda: server.request("textDocument/hover", there))
                timed("completion at once", lambda: server.request("textDocument/completion", there))
            server.diagnostics(edit)

        timed("diagnostics", keystroke)
        if edit % 10 == 0:
            timed("hover", lambda: server.request("textDocument/hover", there))
            timed("completion", lambda: server.request("textDocument/completion", there))
    print(f"{len(text) / 1e6:.1f} MB, {options.nodes} nodes, {options.edits} edits")
    for name, of_name in times.items():
        print(f"{name:18} {shown(of_name)}")
    print(f"processor time     {1000 * server.processor_time() / options.edits:.1f} ms an edit")
    print(f"memory             {server.memory()} MB at most")
    server.request("shutdown", None)
    server.send({"method": "exit"})
    server.process.wait()


if __name__ == "__main__":
    main()
