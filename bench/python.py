#!/usr/bin/env python3
"""Compares the Python package onnxc with the onnx package, in one process: python.py [DIR] [--rounds N]

Both have to be installed: scripts/wheel makes build/wheel-venv. DIR holds texts as workloads.py writes them; without it they
are made. Per text, the best of N rounds, each library in turn:
  parse  parse_model(text) to an onnx.ModelProto, and 100 small texts one after the other
  print  to_text(model) in the syntax of the onnx package; and onnxc.to_text(model), which loses nothing
Then the time of 4 parses, one after the other and by 4 threads.
"""
import argparse, concurrent.futures, os, pathlib, subprocess, sys, tempfile, time

import onnx.parser, onnx.printer
import onnxc
import onnxc.parser, onnxc.printer


def best(rounds, functions):
    """The best times of functions that are called in turn."""
    times = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def show(what, theirs, *ours):
    ratios = "  ".join(f"{1000 * own:9.2f} ms ({theirs / own:4.1f} times)" for own in ours)
    print(f"{what:24} onnx {1000 * theirs:9.2f} ms   onnxc {ratios}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?")
    arguments.add_argument("--rounds", type=int, default=5)
    args = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        if args.folder is None:
            workloads = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workloads.py")
            subprocess.run([sys.executable, workloads, made, "nodes", "weights", "small"], check=True)
        folder = pathlib.Path(args.folder or made)
        texts = {path.name.split(".")[0]: path.read_text() for path in sorted(folder.glob("*.onnxtxt"))}
    for name in ("nodes", "weights"):
        text = texts[name]
        model = onnx.parser.parse_model(text)
        theirs, ours = best(args.rounds, [lambda: onnx.parser.parse_model(text), lambda: onnxc.parser.parse_model(text)])
        show(f"parse {name}", theirs, ours)
        calls = [lambda: onnx.printer.to_text(model), lambda: onnxc.printer.to_text(model), lambda: onnxc.to_text(model)]
        show(f"print {name}", *best(args.rounds, calls))
    small = [texts["small"].replace("g (", f"g{i} (") for i in range(100)]
    models = [onnx.parser.parse_model(text) for text in small]
    calls = [lambda: [onnx.parser.parse_model(text) for text in small], lambda: [onnxc.parser.parse_model(text) for text in small]]
    show("parse 100 small texts", *best(4 * args.rounds, calls))
    calls = [lambda: [onnx.printer.to_text(model) for model in models], lambda: [onnxc.printer.to_text(model) for model in models],
             lambda: [onnxc.to_text(model) for model in models]]
    show("print 100 small models", *best(4 * args.rounds, calls))

    text = texts["nodes"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        one, four = best(args.rounds, [lambda: [onnxc.parse_bytes(text) for _ in range(4)],
                                       lambda: list(pool.map(onnxc.parse_bytes, [text] * 4))])
    print(f"4 parses of nodes: one after the other {1000 * one:.0f} ms, by 4 threads {1000 * four:.0f} ms: {one / four:.2f} times "
          f"as fast, on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
