#!/usr/bin/env python3
"""Tests models with external weights: large_model.py ONNXC [--megabytes N] [--limit MEGABYTES]

Makes a model whose weights are in a sparse file of N MB in the same folder. Runs print, compile, extract, attach and inline on
the model, each in a process whose memory is measured. The `onnx` package checks the results. If ONNX Runtime is installed, it
runs them: all must give the same outputs. The default is a small N, for frequent runs. With 6000, the test shows that memory
does not grow with the model (--limit).
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

ROW = 1024  # each weight is [rows, ROW] floats
ATTRIBUTE = 2048  # elements of the constant in the function


def external(name, shape, location, offset):
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    length = 4 * int(numpy.prod(shape))
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor, offset + length


def make_model(path, megabytes, tensors=8):
    """Makes a model that adds up one row of each weight. One weight is in a subgraph, and a constant in a function."""
    rows = max(1, megabytes * 1024 * 1024 // (4 * ROW * tensors))
    location, offset = "source.bin", 0
    weights = []
    for i in range(tensors):
        tensor, offset = external(f"w{i}", [rows, ROW], location, offset)
        weights.append(tensor)
    constant, offset = external("", [ATTRIBUTE], location, offset)
    with open(os.path.join(os.path.dirname(path), location), "wb") as file:
        file.truncate(offset)  # a sparse file: what is not written is zero, and takes no room
        for i in range(tensors):
            file.seek(4 * ROW * (rows * (i + 1) - 1))  # the last row of each
            file.write(numpy.arange(i, i + ROW, dtype=numpy.float32).tobytes())
        file.seek(offset - 4 * ATTRIBUTE)
        file.write(numpy.arange(ATTRIBUTE, dtype=numpy.float32).tobytes())

    opset = [helper.make_opsetid("", 17)]
    function = helper.make_function("d", "bias", ["a"], ["b"], [
        helper.make_node("Constant", [], ["c"], value=constant),
        helper.make_node("ReduceSum", ["c"], ["s"], keepdims=0),
        helper.make_node("Add", ["a", "s"], ["b"]),
    ], opset)
    nodes = []
    for i in range(1, tensors):
        nodes.append(helper.make_node("Gather", [f"w{i}", "index"], [f"r{i}"]))
    nodes.append(helper.make_node("Sum", [f"r{i}" for i in range(1, tensors)], ["sum"]))
    row = helper.make_tensor_value_info("t", TensorProto.FLOAT, None)
    then_branch = helper.make_graph([helper.make_node("Gather", ["w0", "index"], ["t"])], "then", [], [row], [weights[0]])
    row = helper.make_tensor_value_info("e", TensorProto.FLOAT, None)
    else_branch = helper.make_graph([helper.make_node("Neg", ["sum"], ["e"])], "else", [], [row])
    nodes.append(helper.make_node("If", ["condition"], ["branch"], then_branch=then_branch, else_branch=else_branch))
    nodes.append(helper.make_node("Add", ["sum", "branch"], ["both"]))
    nodes.append(helper.make_node("bias", ["both"], ["y"], domain="d"))
    graph = helper.make_graph(
        nodes, "large",
        [helper.make_tensor_value_info("index", TensorProto.INT64, [1]),
         helper.make_tensor_value_info("condition", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, ROW])], weights[1:])
    model = helper.make_model(graph, opset_imports=opset + [helper.make_opsetid("d", 1)], functions=[function], ir_version=9)
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    return rows


class Runner:
    def __init__(self, onnxc, folder, limit):
        self.onnxc, self.folder, self.limit = os.path.abspath(onnxc), folder, limit

    def __call__(self, *arguments):
        """Runs onnxc, and returns its peak memory, including mapped files."""
        start = time.monotonic()
        process = subprocess.Popen([self.onnxc, *arguments], cwd=self.folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        megabytes = usage.ru_maxrss // 1024
        print(f"  {megabytes:5d} MB {time.monotonic() - start:7.2f} s  onnxc {' '.join(arguments)}", flush=True)
        if process.returncode != 0:
            sys.exit(f"onnxc {' '.join(arguments)} failed: {process.returncode}")
        if self.limit and megabytes > self.limit:
            sys.exit(f"more than {self.limit} MB")


def outputs(path, rows):
    if onnxruntime is None:
        return None
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return [session.run(None, {"index": numpy.array([rows - 1]), "condition": numpy.array(c)})[0] for c in (True, False)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnxc")
    parser.add_argument("--megabytes", type=int, default=32)
    parser.add_argument("--limit", type=int, default=0, help="memory of one process, in MB")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="onnxc-large-", dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        onnxc = Runner(arguments.onnxc, folder, arguments.limit)
        rows = make_model(os.path.join(folder, "source.onnx"), arguments.megabytes)
        expected = outputs(os.path.join(folder, "source.onnx"), rows)

        def expect(name):
            path = os.path.join(folder, name)
            onnx.checker.check_model(path)
            if expected is not None and not numpy.array_equal(expected, outputs(path, rows)):
                sys.exit(f"{name}: other outputs")

        def forget(name):
            os.remove(os.path.join(folder, name))

        onnxc("check", "source.onnx")
        onnxc("print", "source.onnx", "-o", "text.onnxtxt")
        onnxc("compile", "text.onnxtxt", "-o", "text.onnx")
        expect("text.onnx")
        onnxc("weights", "extract", "source.onnx", "gathered.data", "-o", "gathered.onnx")
        expect("gathered.onnx")
        onnxc("print", "--weights", "elide", "gathered.onnx", "-o", "elided.onnxtxt")
        onnxc("weights", "attach", "elided.onnxtxt", "gathered.data", "-o", "attached.onnx")
        expect("attached.onnx")
        onnxc("compile", "elided.onnxtxt", "--weights", "gathered.data", "-o", "compiled.onnx")
        expect("compiled.onnx")
        onnxc("compile", "elided.onnxtxt", "--weights", "source.onnx", "-o", "compiled.onnx")
        expect("compiled.onnx")
        forget("gathered.data")
        onnxc("compile", "text.onnxtxt", "-o", "saved.onnx", "--save-as-external", "saved.data")
        expect("saved.onnx")
        forget("saved.data")
        onnxc("weights", "extract", "source.onnx", "gathered.safetensors", "-o", "gathered.onnx")
        expect("gathered.onnx")
        onnxc("compile", "elided.onnxtxt", "--weights", "gathered.safetensors", "-o", "compiled.onnx")
        expect("compiled.onnx")
        forget("gathered.safetensors")
        if arguments.megabytes < 1024:
            onnxc("weights", "inline", "source.onnx", "-o", "inline.onnx")
            expect("inline.onnx")
            onnxc("compile", "elided.onnxtxt", "--weights", "inline.onnx", "-o", "compiled.onnx")
            expect("compiled.onnx")
    how = "checked by onnx" + (" and run by ONNX Runtime" if onnxruntime else "; ONNX Runtime is not installed")
    print(f"{arguments.megabytes} MB of weights beside the model: every form {how}")


if __name__ == "__main__":
    main()
