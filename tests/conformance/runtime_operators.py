#!/usr/bin/env python3
"""Compares the types that onnxc infers for the operators of ONNX Runtime (com.microsoft) with the results of ONNX Runtime.

Usage: runtime_operators.py ONNXC [--mutants N] [--seed S]

Each case is one node. It runs in ONNX Runtime with random data. The type and shape of each output must not contradict the
output of `onnxc infer`. Then the node is changed at random: an attribute's name or value, a dimension, an element type, or an
input that is left out. If ONNX Runtime refuses to load or run the changed node, `onnxc check` should find an error. If ONNX
Runtime runs it, `onnxc check` must not find an error.
"""

import argparse
import collections
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import onnx
import onnx.parser
import onnxruntime

SIZES = {"B": 2, "S": 3, "T": 5, "M": 4, "P": 2}  # what the symbols are when a case runs
ELEMENTS = {"float": np.float32, "uint8": np.uint8, "int8": np.int8, "int32": np.int32, "int64": np.int64, "bool": np.bool_,
            "int16": np.int16}

# inputs | initializers (name = value) | outputs | node
CASES = """
float[B,S,8] x, float[8] b | | y | BiasGelu (x, b)
float[B,S,8] x, float[8] b | | y | FastGelu (x, b)
float[B,S,8] x | | y | FastGelu (x)
float[B,S,8] x | | y | Gelu (x)
float[B,S,8] x | | y | QuickGelu <alpha = 1.5> (x)
float[B,S,8] a, float[8,M] b | | y | FusedMatMul (a, b)
float[B,S,8] a, float[M,8] b | | y | FusedMatMul <transB = 1, alpha = 0.5> (a, b)
float[B,8,S] a, float[B,M,8] b | | y | FusedMatMul <transA = 1, transB = 1> (a, b)
float[S,8] a, float[8,4] b, float[4] c | | y | FusedGemm <activation = "Relu"> (a, b, c)
float[8,S] a, float[4,8] b | | y | FusedGemm <transA = 1, transB = 1, activation = "Relu"> (a, b)
float[B,3,8,9] x, float[4,3,3,3] w, float[4] b | | y | FusedConv <activation = "Relu", pads = [1, 1, 1, 1]> (x, w, b)
float[B,S,32] a, uint8[4,2,8] b, float[8] s | | y | MatMulNBits <K = 32, N = 4, bits = 4, block_size = 16> (a, b, s)
float[S,40] a, uint8[6,2,16] b, float[12] s | | y | MatMulNBits <K = 40, N = 6, bits = 4, block_size = 32> (a, b, s)
float[B,S,8] a, uint8[8,M] b, float s | | y | DynamicQuantizeMatMul (a, b, s)
float[S,8] a, int8[8,4] b, float s, int8 z, float[4] c | | y | DynamicQuantizeMatMul (a, b, s, z, c)
uint8[B,S,8] a, uint8[8,4] b, float s, float t | | y | MatMulIntegerToFloat (a, b, s, t)
uint8[S,8] a, float s, uint8 z, uint8[8,4] b, float t, uint8 v | | y | QGemm (a, s, z, b, t, v)
uint8[B,S,4] a, float s, uint8 z, uint8[4] b | | y | QLinearAdd (a, s, z, b, s, z, s, z)
uint8[B,1,4] a, float s, uint8 z, uint8[S,4] b | | y | QLinearMul (a, s, z, b, s, z, s, z)
uint8[B,S] x, float s, uint8 z | | y | QLinearSigmoid (x, s, z, s, z)
uint8[B,S] x, float s, uint8 z | | y | QLinearLeakyRelu <alpha = 0.1> (x, s, z, s, z)
uint8[B,S] x, float s, uint8 z | | y | QLinearSoftmax <axis = 1, opset = 13> (x, s, z, s, z)
uint8[B,3,8,9] x, float s, uint8 z | | y | QLinearAveragePool <kernel_shape = [2, 3], strides = [2, 1], ceil_mode = 1> (x, s, z, s, z)
uint8[B,3,8,9] x, float s, uint8 z | | y | QLinearGlobalAveragePool (x, s, z, s, z)
uint8[B,S,4] a, uint8[B,S,2] b, float s, uint8 z | | y | QLinearConcat <axis = 2> (s, z, a, s, z, b, s, z)
float[B,S] x, float s, uint8 z | | y | QuantizeLinear (x, s, z)
uint8[B,S] x, float s, uint8 z | | y | DequantizeLinear (x, s, z)
float[B,S,8] x, float[B,S,8] k, float[8] g, float[8] b | | y,,,t | SkipLayerNormalization (x, k, g, b)
float[B,S,8] x, float[B,S,8] k, float[8] g, float[8] b, float[8] c | | y | SkipLayerNormalization <epsilon = 1.0> (x, k, g, b, c)
float[B,S,8] x, float[B,S,8] k, float[8] g | | y,,,t | SkipSimplifiedLayerNormalization (x, k, g)
int32[B,S] i, int32[B,S] g, float[9,8] w, float[9,8] p, float[9,8] s, float[8] a, float[8] b | | y,m | EmbedLayerNormalization (i, g, w, p, s, a, b)
int32[B,S] i, float[9,8] w, float[9,8] p, float[8] a, float[8] b | | y,m,t | EmbedLayerNormalization (i, , w, p, , a, b)
float[B,S,8] x, float[8,24] w, float[24] b | | y | Attention <num_heads = 2> (x, w, b)
float[B,S,8] x, float[8,20] w, float[20] b | | y,p | Attention <num_heads = 2, qkv_hidden_sizes = [8, 8, 4]> (x, w, b)
float[B,S,8] x, float[8,24] w, float[24] b | | y,p | Attention <num_heads = 4, unidirectional = 1> (x, w, b)
float[B,S,8] x, float[8,24] w, float[24] b, float[2,B,2,P,4] q | | y,p | Attention <num_heads = 2, unidirectional = 1> (x, w, b, , q)
uint8[B,S,8] x, uint8[8,24] w, float[24] b, float s, float t | | y | QAttention <num_heads = 2> (x, w, b, s, t)
float[B,S,8] q, float[B,T,8] k, float[B,T,8] v | | y | MultiHeadAttention <num_heads = 2> (q, k, v)
float[B,S,8] q, float[B,T,8] k, float[B,T,12] v | | y | MultiHeadAttention <num_heads = 2> (q, k, v)
float[B,S,8] q, float[B,S,8] k, float[B,S,8] v, float[B,2,P,4] pk, float[B,2,P,4] pv | | y,a,b | MultiHeadAttention <num_heads = 2> (q, k, v, , , , pk, pv)
float[B,S,8] q, float[B,2,T,4] k, float[B,2,T,4] v | | y | MultiHeadAttention <num_heads = 2> (q, k, v)
float[B,S,32] q, float[B,S,16] k, float[B,S,16] v, int32[B] s | int32 n = 3 | y,a,b | GroupQueryAttention <num_heads = 4, kv_num_heads = 2> (q, k, v, , , s, n)
float[B,S,64] q, int32[B] s | int32 n = 3 | y,a,b | GroupQueryAttention <num_heads = 4, kv_num_heads = 2> (q, , , , , s, n)
float[B,S,8] x, float[9,2] c, float[9,2] d | int64[1] p = 0 | y | RotaryEmbedding <num_heads = 2> (x, p, c, d)
float[B,2,S,4] x, float[9,2] c, float[9,2] d | int64[1] p = 0 | y | RotaryEmbedding (x, p, c, d)
float[B,3,3] x | | y | Inverse (x)
float[B,S,4] x | | y | Trilu (x)
float[B,S,4] x | int64[1,2] i = 0 | y | GatherND (x, i)
"""


class Case:
    def __init__(self, line):
        inputs, fixed, outputs, node = (part.strip() for part in line.split("|"))
        split = lambda text: re.findall(r"(\w+)(\[[^\]]*\])? (\w+)(?: = (-?\d+))?", text)
        self.inputs = [[element, dims[1:-1].split(",") if dims else [], name] for element, dims, name, _ in split(inputs)]
        self.fixed = [(element, dims[1:-1].split(",") if dims else [], name, value) for element, dims, name, value in split(fixed)]
        self.outputs, self.node = outputs, node

    def text(self):
        declared = ", ".join(f"{element}{'[' + ','.join(dims) + ']' if dims else ''} {name}" for element, dims, name in self.inputs)
        fixed = ", ".join(
            f"{element}{'[' + ','.join(dims) + ']' if dims else ''} {name} = {{{', '.join([value] * int(np.prod([int(d) for d in dims] or [1])))}}}"
            for element, dims, name, value in self.fixed)
        outputs = ", ".join(name for name in self.outputs.split(",") if name)
        nodes = f'{self.outputs.replace(",", ", ")} = com.microsoft.{self.node}'
        return (f'<ir_version: 9, opset_import: ["" : 17, "com.microsoft" : 1]>\n'
                f"g ({declared}) => ({outputs}) <{fixed}>\n{{\n   {nodes}\n}}\n")


def onnxc(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def run(model, case, seed):
    """Returns the results of ONNX Runtime, or the reason why it rejects the model or its run."""
    rng = np.random.default_rng(seed)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        data = {}
        for element, dims, name in case.inputs:
            shape = [SIZES[dim] if dim in SIZES else int(dim) for dim in dims]
            data[name] = rng.integers(0, 3, shape).astype(ELEMENTS[element]) if element != "float" else rng.random(shape, np.float32)
            if name == "s" and case.node.startswith("GroupQuery"):
                data[name] = np.full(shape, SIZES["S"] - 1, np.int32)
        return dict(zip([output.name for output in session.get_outputs()], session.run(None, data))), ""
    except Exception as error:  # of any kind: what is refused is the question
        return None, str(error)


class Runner:
    """Runs models in a separate process, because some invalid models crash it."""

    def __init__(self, seed):
        self.seed, self.pool = seed, ProcessPoolExecutor(1)

    def __call__(self, model, case):
        self.seed += 1
        try:
            return self.pool.submit(run, model, case, self.seed).result()
        except BrokenProcessPool:
            self.pool = ProcessPoolExecutor(1)
            return None, "the process ended"


def contradictions(model, results):
    """Returns the outputs whose inferred type differs from the type of the array."""
    for output in model.graph.output:
        array, tensor = results[output.name], output.type.tensor_type
        if not output.type.HasField("tensor_type"):
            yield f"{output.name}: nothing inferred"
            continue
        if tensor.elem_type and onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type) != array.dtype:
            yield f"{output.name}: element type {tensor.elem_type}, array {array.dtype}"
        if not tensor.HasField("shape"):
            yield f"{output.name}: no shape"
            continue
        dims = tensor.shape.dim
        if len(dims) != array.ndim:
            yield f"{output.name}: rank {len(dims)}, array {array.shape}"
            continue
        for dim, size in zip(dims, array.shape):
            known = dim.dim_value if dim.HasField("dim_value") else SIZES.get(dim.dim_param, size)
            if known != size:
                yield f"{output.name}: {[d.dim_param or d.dim_value for d in dims]}, array {array.shape}"
                break


def mutate(case, rng):
    """Returns the case with one error, and a description of the error. All sizes are numbers, because a symbol contradicts
    nothing."""
    for row in case.inputs:
        row[1] = [str(SIZES.get(dim, dim)) for dim in row[1]]
    kind = rng.choice(["dimension", "rank", "element", "attribute name", "attribute value", "input lost"])
    attributes = re.findall(r"(\w+) = (-?[\d.]+)(?=[,>])", case.node)
    if kind in ("dimension", "rank"):
        row = rng.choice([row for row in case.inputs if row[1]] or case.inputs)
        if not row[1]:
            return None
        if kind == "rank":
            row[1].pop() if len(row[1]) > 1 and rng.random() < 0.5 else row[1].append("2")
        else:
            at = rng.randrange(len(row[1]))
            row[1][at] = str(int(row[1][at]) + rng.choice([1, 2]))
    elif kind == "element":
        row = rng.choice(case.inputs)
        row[0] = rng.choice([name for name in ELEMENTS if name not in (row[0], "int16")])
    elif kind == "input lost":
        name = rng.choice(case.inputs)[2]
        case.node = re.sub(rf"(?<=[( ]){name}(?=[,)])", "", case.node.replace("(", "( ")).replace("( ", "(")
        case.inputs = [row for row in case.inputs if re.search(rf"[( ]{row[2]}[,)]", case.node)]
    elif not attributes:
        return None
    else:
        name, value = rng.choice(attributes)
        if kind == "attribute name":
            case.node = case.node.replace(f"{name} =", f"{name}s =", 1)
        else:
            wrong = rng.choice(["0", "-1", "3", "7"]) if "." not in value else "-1.0"
            case.node = case.node.replace(f"{name} = {value}", f"{name} = {wrong}", 1)
    return kind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnxc")
    parser.add_argument("--mutants", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    lines = [line for line in CASES.splitlines() if line.strip()]
    rng, runner = random.Random(args.seed), Runner(args.seed)
    folder = Path(tempfile.mkdtemp())
    text, binary = str(folder / "m.onnxtxt"), str(folder / "m.onnx")

    def findings(case):
        """Returns what onnxc finds. If it finds nothing, the model with types is in `binary`."""
        Path(text).write_text(case.text())
        done = onnxc(args.onnxc, "infer", text, "-o", binary)
        if done.returncode == 0:
            done = onnxc(args.onnxc, "check", binary)
        else:
            onnxc(args.onnxc, "compile", "--no-check", text, "-o", binary)
        return done.stderr if done.returncode else ""

    wrong = []
    for line in lines:
        case = Case(line)
        if found := findings(case):
            wrong.append(f"{line}: {found}")
            continue
        results, why = runner(Path(binary).read_bytes(), case)
        if results is None:
            wrong.append(f"{line}: ONNX Runtime: {why}")
        else:
            wrong += [f"{line}: {item}" for item in contradictions(onnx.load(binary), results)]
    print(f"{len(lines)} nodes ran, {len(wrong)} differ", *wrong, sep="\n   ")

    counts, missed, alarms = collections.Counter(), [], []
    while counts["refused"] + counts["run"] < args.mutants:
        case = Case(rng.choice(lines))
        if (kind := mutate(case, rng)) is None:
            continue
        found = findings(case)
        results, why = runner(Path(binary).read_bytes(), case)
        counts["refused" if results is None else "run"] += 1
        if results is None and found:
            counts["found"] += 1
        elif results is None:
            missed.append(f"{kind}: {case.text().splitlines()[3].strip()} {case.inputs}: {why[-160:]}")
        elif found:
            alarms.append(f"{kind}: {case.text()}{found}")
    share = 100 * counts["found"] / max(counts["refused"], 1)
    print(f"of {counts['refused']} damaged nodes that ONNX Runtime refuses {counts['found']} are found ({share:.1f} %)")
    print(f"of {counts['run']} that it runs {len(alarms)} are refused")
    print(*(f"   missed: {item}" for item in sorted(missed)), sep="\n")
    print(*(f"   refused: {item}" for item in alarms), sep="\n")
    return 1 if wrong or alarms or share < 95 else 0


if __name__ == "__main__":
    sys.exit(main())
