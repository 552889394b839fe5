#!/usr/bin/env python3
"""Measures the latency of the language server after random edits of a large text.

Usage: bench/lsp.py [--onnxc build/release/onnxc] [--nodes 12000] [--edits 1000 | --keys 300 [--alone] [--wait]]

Each edit inserts a character into the text or removes it again. The time from the edit to its diagnostics is measured. After
each tenth edit, a hover and a completion are requested twice: at once, and again after the diagnostics have arrived. The output
contains the medians and the 99th percentiles in milliseconds, the processor time of the server for everything that an edit
causes, and its memory.

--keys simulates a user who types ten keys per second, and so writes new nodes in the middle of the text. A hover and a
completion are requested after each key, and the colours, the outline or the code actions, in turn, after each third key. The
simulated user waits for no answer. Answers that are errors are counted. With --alone, nothing is requested: the processor time
is that of a key and its diagnostics. With --wait, each key waits for the diagnostics of the key before it: in a large text, a key
that comes sooner would cancel them.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import threading
import time

URI = "file:///nowhere/bench.onnxtxt"
OPERATORS = ["Relu (x{0})", "Add (x{0}, w)", "Softmax <axis: int = 1> (x{0})", "LeakyRelu <alpha: float = 0.25> (x{0})"]


def model(nodes):
    lines = ["<ir_version: 10, opset_import: [\"\" : 21]>", f"g (float[N, 64] x0) => (float[N, 64] x{nodes})",
             "<float[64] w = {" + ", ".join(f"0.{i}" for i in range(64)) + "}> {"]
    for i in range(nodes):
        lines.append(f"  [node_{i}_of_the_bench] x{i + 1} = " + OPERATORS[i % len(OPERATORS)].format(i) + "  # a comment")
    return "\n".join(lines + ["}", ""])


def change_of(version, start, end, text):
    changes = [{"range": {"start": start, "end": end}, "text": text}]
    return {"textDocument": {"uri": URI, "version": version}, "contentChanges": changes}


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen([command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0
        self.judged = -1  # the newest version for which diagnostics have arrived

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


def report(times):
    for name, of_name in times.items():
        if of_name:
            print(f"{name:18} {shown(of_name)}")


class Answers:
    """The output of the server while a user types. Another thread reads it."""

    def __init__(self, server):
        self.server = server
        self.asked = {}  # the name and the start time of each open request
        self.keys = []  # the time at which each version was sent
        self.times = collections.defaultdict(list)
        self.errors = collections.Counter()
        self.has_come = threading.Condition()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        told = 0
        while True:
            try:
                message = self.server.receive()
            except EOFError:
                return
            now = time.perf_counter()
            with self.has_come:
                if "method" in message and "version" in message["params"]:
                    for key in self.keys[told : self.server.judged]:
                        self.times["diagnostics"].append(now - key)
                    told = max(told, self.server.judged)
                elif "id" in message:
                    name, since = self.asked.pop(message["id"])
                    self.times[name].append(now - since)
                    if "error" in message:
                        self.errors[name] += 1
                    if name == "tokens":
                        self.tokens = message.get("result", {}).get("resultId", self.tokens)
                self.has_come.notify_all()

    tokens = ""  # the id of the last request

    def ask(self, name, method, params):
        with self.has_come:
            self.server.last_id += 1
            self.asked[self.server.last_id] = (name, time.perf_counter())
        self.server.send({"id": self.server.last_id, "method": method, "params": params})

    def wait(self):
        with self.has_come:
            self.has_come.wait_for(lambda: not self.asked and self.server.judged >= len(self.keys))

    def wait_for_diagnostics(self):
        with self.has_come:
            self.has_come.wait_for(lambda: self.server.judged >= len(self.keys))


def type_keys(server, options):
    answers = Answers(server)
    before = server.processor_time()
    line, character = 3 + options.nodes // 2, 0
    words = "".join(f"  typed_{i} = Relu (x{options.nodes // 2})\n" for i in range(options.keys))
    document = {"textDocument": {"uri": URI}}
    start = time.perf_counter()
    for key in range(1, options.keys + 1):
        if options.wait:
            answers.wait_for_diagnostics()
        time.sleep(max(0.0, start + key / 10 - time.perf_counter()))
        at = {"line": line, "character": character}
        letter = words[key - 1]
        line, character = (line + 1, 0) if letter == "\n" else (line, character + 1)
        with answers.has_come:
            answers.keys.append(time.perf_counter())
        server.send({"method": "textDocument/didChange", "params": change_of(key, at, at, letter)})
        if options.alone:
            continue
        there = {**document, "position": {"line": line, "character": character}}
        answers.ask("hover", "textDocument/hover", {**document, "position": {"line": line, "character": 2}})
        answers.ask("completion", "textDocument/completion", there)
        if key % 9 == 3:
            answers.ask("tokens", "textDocument/semanticTokens/full/delta", {**document, "previousResultId": answers.tokens})
        if key % 9 == 6:
            answers.ask("outline", "textDocument/documentSymbol", document)
        if key % 9 == 0:
            cursor = {"start": there["position"], "end": there["position"]}
            answers.ask("actions", "textDocument/codeAction", {**document, "range": cursor, "context": {"diagnostics": []}})
    answers.wait()
    print(f"{options.keys} keys, {'each after the diagnostics of the one before' if options.wait else 'ten a second'}")
    report({name: answers.times[name] for name in ("hover", "completion", "tokens", "outline", "actions", "diagnostics")})
    print(f"errors             {dict(answers.errors) or 'none'}")
    print(f"processor time     {1000 * (server.processor_time() - before) / options.keys:.1f} ms a key, all answers with it")
    print(f"memory             {server.memory()} MB at most")
    answers.ask("shutdown", "shutdown", None)
    server.send({"method": "exit"})
    answers.thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--onnxc", default="build/release/onnxc")
    parser.add_argument("--nodes", type=int, default=12000)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--keys", type=int, help="type so many keys instead")
    parser.add_argument("--alone", action="store_true", help="with --keys: ask for nothing")
    parser.add_argument("--wait", action="store_true", help="with --keys: type a key after the diagnostics of the one before")
    options = parser.parse_args()
    text = model(options.nodes)
    server = Server(options.onnxc)
    outline = {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
    server.request("initialize", {"capabilities": {"textDocument": outline}})
    document = {"uri": URI, "languageId": "onnxtxt", "version": 0, "text": text}
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
    server.diagnostics(0)
    print(f"{len(text) / 1e6:.1f} MB, {options.nodes} nodes")
    if options.keys:
        return type_keys(server, options)
    times = {name: [] for name in ("diagnostics", "hover", "completion", "hover at once", "completion at once")}
    chosen = random.Random(16)
    before = server.processor_time()

    def timed(name, action):
        start = time.perf_counter()
        action()
        times[name].append(time.perf_counter() - start)

    for edit in range(1, options.edits + 1):
        if edit % 2 == 1:
            place = {"line": chosen.randrange(3, 3 + options.nodes), "character": chosen.randrange(40)}
            params = change_of(edit, place, place, chosen.choice("a1 ,()<"))
        else:
            end = {"line": place["line"], "character": place["character"] + 1}
            params = change_of(edit, place, end, "")

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
    print(f"{options.edits} edits")
    report(times)
    print(f"processor time     {1000 * (server.processor_time() - before) / options.edits:.1f} ms an edit")
    print(f"memory             {server.memory()} MB at most")
    server.request("shutdown", None)
    server.send({"method": "exit"})
    server.process.wait()
    return None


if __name__ == "__main__":
    main()
