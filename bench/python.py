#!/usr/bin/env python3
"""Compares the Python package onnxc with the onnx package, in one process: python.py [DIR] [--rounds N]

Both packages must be installed; scripts/wheel makes build/wheel-venv. DIR contains texts that workloads.py has written; without
DIR, they are written first. For each text, the output contains processor milliseconds, the best of N rounds in which the
packages take turns:
  parse  parse_model(text) to an onnx.ModelProto; also the parsing of 100 small texts, one after the other
  print  to_text(model) in the syntax of the onnx package; and onnxc.to_text(model), which is lossless
Then each function of the modules that replace modules of onnx is called for 100 small models, for the models among the tests of
the onnx package, and one by one for 23 models of Debian's libonnx-testdata, if it is installed. For these 23 models, the output
shows how many times as fast onnxc is: the least ratio and the geometric mean. The last
measurement is the time of 4 parses, one after the other and with 4 threads.
"""
import argparse, concurrent.futures, glob, os, pathlib, statistics, subprocess, sys, tempfile, time

import onnx.checker, onnx.parser, onnx.printer, onnx.shape_inference
import onnxc
import onnxc.checker, onnxc.parser, onnxc.printer, onnxc.shape_inference


SMALL = """<ir_version: 8, opset_import: ["" : 17], producer_name: "bench">
net (float[N, 128] x, float[128, 10] w) => (float[N, 10] y)
<float[10] b = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0}>
{
  h = MatMul (x, w)
  s = Add (h, b)
  r = Relu (s)
  c = Concat <axis = 0> (r, s)
  t = Transpose <perm = [1, 0]> (c)
  u = Transpose <perm = [1, 0]> (t)
  y = Softmax <axis = 1> (u)
}
"""


def best(rounds, functions, clock=time.process_time):
    """Calls the functions in turn, and returns the best processor time of each. The times include all threads. Other programs
    change processor times only little."""
    times = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = clock()
            function()
            times[i] = min(times[i], clock() - start)
    return times


def show(what, theirs, *ours):
    ratios = "  ".join(f"{1000 * own:9.2f} ms ({theirs / own:4.1f} times)" for own in ours)
    print(f"{what:24} onnx {1000 * theirs:9.2f} ms   onnxc {ratios}", flush=True)


def show_each(what, rounds, theirs, ours, inputs):
    """Compares two functions on each of the inputs."""
    show(what, *best(rounds, [lambda: [theirs(one) for one in inputs], lambda: [ours(one) for one in inputs]]))


def error_of(function, use):
    def call(text):
        try:
            function(text)
        except onnx.parser.ParseError as error:
            return use(error)
    return call


def small_calls(rounds, texts, models):
    calls = [(onnx.parser, "parse_model", texts), (onnx.printer, "to_text", models), (onnx.checker, "check_model", models),
             (onnx.shape_inference, "infer_shapes", models), (onnx.parser, "parse_node", ["y = Add (a, b)"] * 100),
             (onnx.parser, "parse_graph", ["g (float[N] x) => (float[N] y) { y = Relu (x) }"] * 100),
             (onnx.checker, "check_node", [node for model in models for node in model.graph.node][:100]),
             (onnx.checker, "check_graph", [model.graph for model in models])]
    for module, name, inputs in calls:
        ours = getattr(sys.modules[module.__name__.replace("onnx", "onnxc", 1)], name)
        show_each(f"{name} 100 small", rounds, getattr(module, name), ours, inputs)
    show_each("full check 100 small", rounds, lambda model: onnx.checker.check_model(model, full_check=True),
              lambda model: onnxc.checker.check_model(model, full_check=True), models)
    for what, use in {"parse error": str, "error not shown": bool}.items():
        show_each(f"{what} 100 small", rounds, error_of(onnx.parser.parse_model, use), error_of(onnxc.parser.parse_model, use),
                  [text.replace("=>", "=") for text in texts])


def real_calls(rounds):
    paths = sorted(glob.glob(os.path.join(os.path.dirname(onnx.__file__), "backend/test/data/light/*.onnx")))
    models = [onnx.load(path) for path in paths]
    texts = [onnx.printer.to_text(model) for model in models]
    what = f"{len(models)} real"
    show_each(f"load {what}", rounds, onnx.load, onnxc.load, paths)
    show_each(f"parse_model {what}", rounds, onnx.parser.parse_model, onnxc.parser.parse_model, texts)
    show_each(f"to_text {what}", rounds, onnx.printer.to_text, onnxc.printer.to_text, models)
    show_each(f"check_model {what}", rounds, onnx.checker.check_model, onnxc.checker.check_model, models)
    show_each(f"infer_shapes {what}", rounds, onnx.shape_inference.infer_shapes, onnxc.shape_inference.infer_shapes, models)


def testdata_models(count=23):
    """Returns models of libonnx-testdata, sorted by size. Returns none if the package is not installed."""
    paths = glob.glob("/usr/share/libonnx-testdata/data/**/*.onnx", recursive=True)
    paths.sort(key=lambda path: (os.path.getsize(path), path))
    return [paths[i * (len(paths) - 1) // (count - 1)] for i in range(count)] if paths else []


def calls_one_by_one(rounds):
    paths = testdata_models()
    models = [onnx.load(path) for path in paths]
    full = {"full_check": True}
    for module, name, inputs, options in [
        (onnx, "load", paths, {}), (onnx.checker, "check_model", models, {}),
        (onnx.checker, "check_model", [model.SerializeToString() for model in models], {}),
        (onnx.checker, "check_model", models, full), (onnx.shape_inference, "infer_shapes", models, {}),
        (onnx.printer, "to_text", models, {}),
        (onnx.parser, "parse_model", [onnxc.printer.to_text(model) for model in models], {})]:  # fmt: skip
        theirs, ours = (getattr(sys.modules[module.__name__.replace("onnx", package, 1)], name) for package in ("onnx", "onnxc"))
        ratios = []
        for one in inputs:
            times = best(10 * rounds, [lambda: theirs(one, **options), lambda: ours(one, **options)])
            ratios.append(times[0] / times[1])
        kind = f"{name} of {type(inputs[0]).__name__}" + (", full" if options else "")
        print(f"{kind:28} {len(ratios)} models one by one: {min(ratios):.2f} times at least, "
              f"{statistics.geometric_mean(ratios):.2f} in the mean", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?")
    arguments.add_argument("--rounds", type=int, default=5)
    args = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        if args.folder is None:
            workloads = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workloads.py")
            subprocess.run([sys.executable, workloads, made, "nodes", "weights"], check=True)
        folder = pathlib.Path(args.folder or made)
        texts = {path.name.split(".")[0]: path.read_text() for path in sorted(folder.glob("*.onnxtxt"))}
    for name in ("nodes", "weights"):
        text = texts[name]
        model = onnx.parser.parse_model(text)
        theirs, ours = best(args.rounds, [lambda: onnx.parser.parse_model(text), lambda: onnxc.parser.parse_model(text)])
        show(f"parse {name}", theirs, ours)
        calls = [lambda: onnx.printer.to_text(model), lambda: onnxc.printer.to_text(model), lambda: onnxc.to_text(model)]
        show(f"print {name}", *best(args.rounds, calls))
    small = [SMALL.replace("net (", f"net_{i} (") for i in range(100)]
    small_calls(4 * args.rounds, small, [onnx.parser.parse_model(text) for text in small])
    real_calls(args.rounds)
    if testdata_models():
        calls_one_by_one(args.rounds)

    text = texts["nodes"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        one, four = best(args.rounds, [lambda: [onnxc.parse_bytes(text) for _ in range(4)],
                                       lambda: list(pool.map(onnxc.parse_bytes, [text] * 4))], time.perf_counter)
    print(f"4 parses of nodes: one after the other {1000 * one:.0f} ms, by 4 threads {1000 * four:.0f} ms: {one / four:.2f} times "
          f"as fast, on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
