"""Imports the module before and after other modules that contain protobuf and ONNX's messages."""

import importlib.util
import itertools
import subprocess
import sys

import pytest

USE = {
    "onnxc": "assert onnxc.parse_bytes('g (x) => (y) { y = Relu(x) }', 'GraphProto')",
    "onnx": "assert onnx.parser.parse_node('y = Relu(x)').op_type == 'Relu'; onnx.checker.check_node(onnx.helper.make_node('Relu', ['x'], ['y']))",
    "onnxruntime": "assert 'CPUExecutionProvider' in onnxruntime.get_available_providers()",
    "torch": "assert torch.ones(2).sum() == 2",
    "tensorflow": "assert tensorflow.constant(2) == 2",
}
OTHERS = [name for name in USE if name != "onnxc"]
ORDERS = [order for other in OTHERS for order in itertools.permutations(("onnxc", other))]
ORDERS += [("onnxc", "onnx", "onnxruntime"), ("onnxruntime", "onnxc", "onnx"), ("onnx", "onnxruntime", "onnxc")]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_order(order):
    missing = [name for name in order if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    lines = [f"import {name}" for name in order]
    if "onnx" in order:
        lines += ["import onnx.checker, onnx.helper, onnx.parser"]
    lines += [USE[name] for name in order] + [USE[name] for name in reversed(order)]
    if "onnxruntime" in order and "onnx" in order:
        lines += [
            "model = onnxc.parse_model('<ir_version: 10, opset_import: [\"\" : 21]> g (float[2] x) => (float[2] y) { y = Neg(x) }')",
            "session = onnxruntime.InferenceSession(model.SerializeToString(), providers=['CPUExecutionProvider'])",
            "import numpy; assert session.run(None, {'x': numpy.ones(2, numpy.float32)})[0].tolist() == [-1, -1]",
        ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
