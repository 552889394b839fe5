#!/usr/bin/env python3
"""Compares type inference with that of the reference, the onnx package, in turn: infer.py STAGES DIR [NAME ...] [--rounds N]

STAGES is the program onnxc_stages of a release build with ONNXC_BENCH. DIR contains texts that workloads.py has written. For the
reference, the call of its C++ code with the model's bytes is measured, with type checks and data propagation, minus the time
that it needs to parse and serialize the bytes. The output contains processor milliseconds, the best of all rounds, and their
ratio. Requires the `onnx` package (PyPI, 1.23).
"""
import argparse, json, os, subprocess, tempfile, time
import onnx
import onnx.onnx_cpp2py_export as cpp

NAMES = ["nodes", "attention"]


def timed(function):
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1000


def stage(stages, path, name):
    """Returns the processor milliseconds of one stage."""
    shown = subprocess.run(
        [stages, path, f"--benchmark_filter=/{name}$", "--benchmark_format=json"], capture_output=True, check=True
    ).stdout
    return min(row["cpu_time"] for row in json.loads(shown)["benchmarks"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    compiler = os.path.join(os.path.dirname(args.stages), "..", "onnxc")
    for name in args.names or NAMES:
        text = os.path.join(args.folder, name + ".onnxtxt")
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "m.onnx")
            subprocess.run([compiler, "compile", "--no-check", text, "-o", path], check=True)
            with open(path, "rb") as file:
                data = file.read()
            reference, copying, ours = [], [], []
            for _ in range(args.rounds):
                reference.append(timed(lambda: cpp.shape_inference.infer_shapes(data, True, False, True)))
                copying.append(timed(lambda: onnx.ModelProto.FromString(data).SerializeToString()))
                ours.append(stage(args.stages, path, "model->types"))
        theirs = min(reference) - min(copying)
        print(f"{name}: reference {theirs:.1f} ms, onnxc {min(ours):.1f} ms, ratio {theirs / min(ours):.1f}")


if __name__ == "__main__":
    main()
