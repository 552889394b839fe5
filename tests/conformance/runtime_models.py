#!/usr/bin/env python3
"""Compares the types that onnxc infers for models of ONNX Runtime's tools with the results of ONNX Runtime.

Usage: runtime_models.py ONNXC [MODEL...]

The tools are ONNX Runtime's optimiser, its quantisers and its optimiser of transformers. They are applied to small models of
usual layers, or to each MODEL, and write operators of com.microsoft. `onnxc check` must find no error in the results. The
outputs of these operators, and the values that are computed from them, must have the types that ONNX Runtime computes. The
values with a type are counted twice: in the model as it is, and after the domain was renamed, so that onnxc does not know its
operators.
"""

import contextlib
import copy
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import onnxruntime
from onnxruntime import quantization
from onnxruntime.transformers import optimizer

from runtime_operators import SIZES, contradictions

DOMAIN = "com.microsoft"

# inputs -> outputs | weights (name: dims) | nodes. Constants are named by their values: c0_5 is 0.5.
LAYERS = {
    "mlp": "float[B,S,16] x -> y | w: 16,32; b: 32; v: 32,16; d: 16 | m = MatMul(x, w) h = Add(m, b)"
    " e = Div(h, c1_4142135) f = Erf(e) g = Add(f, c1_0) i = Mul(h, g) j = Mul(i, c0_5) k = MatMul(j, v) l = Add(k, d)"
    " n = Add(l, x) y = Tanh(n)",
    "cnn": "float[B,3,12,12] x -> y | w: 4,3,3,3; b: 4; v: 6,4,3,3; d: 6 | h = Conv<pads=[1,1,1,1]>(x, w, b)"
    " i = Relu(h) j = Conv<pads=[1,1,1,1]>(i, v, d) k = LeakyRelu(j) p = MaxPool<kernel_shape=[2,2]>(k) y = Sigmoid(p)",
    "residual": "float[B,4,8,8] x -> y | w: 4,4,3,3; b: 4 | h = Conv<pads=[1,1,1,1]>(x, w, b) i = Add(h, x)"
    " j = Relu(i) k = GlobalAveragePool(j) y = Flatten(k)",
    "norm": "float[B,S,16] x, float[B,S,16] z -> y | g: 16; b: 16; w: 16,8 | s = Add(x, z)"
    " n = LayerNormalization(s, g, b) m = MatMul(n, w) y = Softmax(m)",
    "transposed": "float[B,S,16] x, float[B,S,16] z -> y | | t = Transpose<perm=[0,2,1]>(z) m = MatMul(x, t)"
    " k = Mul(m, c0_25) y = Softmax(k)",
    "gemm": "float[S,16] x -> y | w: 16,8; b: 8; v: 8,4; d: 4 | h = Gemm(x, w, b) i = Relu(h) j = Gemm(i, v, d)"
    " y = Softmax(j)",
    "quick": "float[B,S,16] x -> y | w: 16,16 | h = MatMul(x, w) k = Mul(h, c1_702) s = Sigmoid(k) m = Mul(h, s)"
    " y = Neg(m)",
    "fast": "float[B,S,16] x -> y | w: 16,16; b: 16 | m = MatMul(x, w) h = Add(m, b) e = Gelu<approximate=\"tanh\">(h)"
    " y = Abs(e)",
    "heads": "float[B,S,16] x -> y | w: 16,16; v: 16,16; u: 16,16; o: 16,16; b: 16; g: 16; p: 16; q: 16; r: 16 |"
    " a0 = MatMul(x, w) a1 = Add(a0, p) a2 = Reshape(a1, s0_0_2_8) q0 = Transpose<perm=[0,2,1,3]>(a2)"
    " b0 = MatMul(x, v) b1 = Add(b0, q) b2 = Reshape(b1, s0_0_2_8) k0 = Transpose<perm=[0,2,3,1]>(b2)"
    " d0 = MatMul(x, u) d1 = Add(d0, r) d2 = Reshape(d1, s0_0_2_8) v0 = Transpose<perm=[0,2,1,3]>(d2)"
    " m0 = MatMul(q0, k0) m1 = Div(m0, c2_828427) m2 = Softmax(m1) m3 = MatMul(m2, v0)"
    " t0 = Transpose<perm=[0,2,1,3]>(m3) t1 = Reshape(t0, s0_0_16) f0 = MatMul(t1, o) f1 = Add(f0, b)"
    " h = Add(f1, x) n = LayerNormalization(h, g, b) y = Relu(n)",
    "pool": "float[B,4,8,8] x -> y | w: 4,4,1,1 | h = Conv(x, w) p = AveragePool<kernel_shape=[2,2], strides=[2,2]>(h)"
    " c = Concat<axis=1>(p, p) y = Sigmoid(c)",
}


def model_of(text, seed):
    values, weights, nodes = (part.strip() for part in text.split("|"))
    inputs, outputs = values.split("->")
    model = onnx.parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 20]> g ({inputs}) => (float[] {outputs.strip()}) {{ {nodes} }}')
    rng = np.random.default_rng(seed)
    add = lambda name, array: model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    for weight in filter(None, map(str.strip, weights.split(";"))):
        name, dims = weight.split(":")
        add(name, rng.random([int(dim) for dim in dims.split(",")], np.float32) - np.float32(0.5))
    for name in sorted({name for node in model.graph.node for name in node.input}):
        if name[0] == "c" and name[1:2].isdigit():
            add(name, np.array(float(name[1:].replace("_", ".")), np.float32))
        elif name[0] == "s" and name[1:2].isdigit():
            add(name, np.array([int(part) for part in name[1:].split("_")], np.int64))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return onnx.shape_inference.infer_shapes(model)


def session_options(level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = level
    return options


def optimised(model, folder):
    """Returns the model that ONNX Runtime optimises, with operators of com.microsoft, but without operators for the memory
    layout of the machine."""
    options = session_options(onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED)
    options.optimized_model_filepath = str(folder / "optimised.onnx")
    onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return onnx.load(folder / "optimised.onnx")


def data_for(model, seed=0):
    rng, data = np.random.default_rng(seed), {}
    for each in model.graph.input:
        tensor = each.type.tensor_type
        shape = [dim.dim_value if dim.HasField("dim_value") else SIZES.get(dim.dim_param, 3) for dim in tensor.shape.dim]
        element = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        data[each.name] = rng.random(shape).astype(element)
    return data


class Reader(quantization.CalibrationDataReader):
    def __init__(self, model):
        self.rows = iter([data_for(model, seed) for seed in range(3)])

    def get_next(self):
        return next(self.rows, None)


def dynamic(model, folder):
    onnx.save(model, folder / "float.onnx")
    quantization.quantize_dynamic(folder / "float.onnx", folder / "dynamic.onnx")
    return optimised(onnx.load(folder / "dynamic.onnx"), folder)


def static(layout):
    def quantised(model, folder):
        onnx.save(model, folder / "float.onnx")
        quantization.quantize_static(folder / "float.onnx", folder / "static.onnx", Reader(model), quant_format=layout)
        return optimised(onnx.load(folder / "static.onnx"), folder)

    return quantised


def of_transformers(model, folder):
    onnx.save(model, folder / "float.onnx")
    made = optimizer.optimize_model(str(folder / "float.onnx"), "bert", num_heads=2, hidden_size=16, opt_level=0)
    made.save_model_to_file(str(folder / "fused.onnx"))  # adds the import
    return onnx.load(folder / "fused.onnx")


def four_bits(model, _):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    quantizer = MatMulNBitsQuantizer(copy.deepcopy(model), block_size=16, is_symmetric=True)
    quantizer.process()
    return quantizer.model.model


TOOLS = {
    "optimised": optimised,
    "dynamic": dynamic,
    "static": static(quantization.QuantFormat.QOperator),
    "pairs": static(quantization.QuantFormat.QDQ),
    "transformers": of_transformers,
    "4 bits": four_bits,
}


def behind(graph):
    """Returns the outputs of the nodes in the domain, and the values that are computed from them."""
    names = set()
    for node in graph.node:
        if node.domain == DOMAIN or names.intersection(node.input):
            names.update(filter(None, node.output))
    return names


def bare(model):
    """Returns a copy without the types of values and outputs."""
    model = copy.deepcopy(model)
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.ClearField("type")
    return model


def infer(onnxc, model, folder):
    onnx.save(model, folder / "bare.onnx")
    subprocess.run([onnxc, "infer", folder / "bare.onnx", "-o", folder / "typed.onnx"], check=True, capture_output=True)
    return onnx.load(folder / "typed.onnx")


def typed(model, names):
    """Returns those of the values that have an element type and a rank."""
    known = {}
    for value in [*model.graph.value_info, *model.graph.output]:
        tensor = value.type.tensor_type
        if value.name in names and tensor.elem_type and tensor.HasField("shape"):
            known[value.name] = value
    return known


def compute(model, names):
    """Returns the results for these values, computed with random inputs."""
    model = copy.deepcopy(model)
    given = {output.name for output in model.graph.output}
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in sorted(names - given))
    options = session_options(onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, data_for(model))))


def look_at(onnxc, model, folder):
    """Returns the number of values, of values with a type, and of values with a type although the domain of their operator is
    unknown, and the errors.
    """
    names = behind(model.graph)
    onnx.save(model, folder / "made.onnx")
    checked = subprocess.run([onnxc, "check", folder / "made.onnx"], capture_output=True, text=True)
    wrong = [checked.stderr] if checked.returncode else []
    known = typed(infer(onnxc, bare(model), folder), names)
    found = onnx.ModelProto()
    found.graph.output.extend(known.values())
    wrong += contradictions(found, compute(model, names))
    hidden = bare(model)
    for each in [*hidden.graph.node, *hidden.opset_import]:
        if each.domain == DOMAIN:
            each.domain = "com.example"
    return len(names), len(known), len(typed(infer(onnxc, hidden, folder), names)), wrong


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    logging.disable(logging.CRITICAL)
    folder = Path(tempfile.mkdtemp())
    models = {name: model_of(text, seed) for seed, (name, text) in enumerate(LAYERS.items())}
    if sys.argv[2:]:
        models = {path: onnx.load(path) for path in sys.argv[2:]}
    rows, wrong, operators, skipped = [], [], set(), {}
    for name, model in models.items():
        for tool, make in TOOLS.items():
            try:
                with contextlib.redirect_stdout(None):
                    made = make(model, folder)
            except ImportError as error:  # of a package that one of the tools needs
                skipped[tool] = error
                continue
            used = {node.op_type for node in made.graph.node if node.domain == DOMAIN}
            if not used:
                continue
            operators |= used
            values, known, without, found = look_at(sys.argv[1], made, folder)
            rows.append((values, known, without))
            wrong += [f"{name}, {tool}: {item}" for item in found]
            print(f"{name}, {tool}: {known} of {values} values have a type, {without} without the table ({', '.join(sorted(used))})")
    for tool, error in skipped.items():
        print(f"SKIPPED: {tool}: {error}")
    values, known, without = (sum(column) for column in zip(*rows))
    print(f"{len(rows)} models with {len(operators)} operators of {DOMAIN}: of {values} values behind them {known} have a type "
          f"({100 * known / values:.1f} %), {without} without the table ({100 * without / values:.1f} %)")
    print(f"{len(wrong)} differ", *wrong, sep="\n   ")
    return 1 if wrong or known < 0.95 * values else 0


if __name__ == "__main__":
    sys.exit(main())
