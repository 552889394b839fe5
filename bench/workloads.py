#!/usr/bin/env python3
"""Writes the benchmark texts into a folder: workloads.py DIR [NAME ...] [--scale S].

nodes    200,000 nodes with labels, attributes and quoted names (about 17 MB at scale 1)
weights  one float[2000000] and one int64[1000000] initializer (about 30 MB)
strings  200,000 strings in tensors and attributes (about 12 MB)
halfs    float16 and int8 tensors as integers (about 12 MB)
nested   20,000 If nodes with two subgraphs each (about 5 MB)
attention  52 layers of attention with shape arithmetic, as exporters write them (for inference)
typed    100,000 nodes whose types are all known, for commands with default options (about 4 MB)
small    one model of a dozen nodes (start-up cost)
brief    the first kilobyte of typed
All texts use only syntax that the reference implementation accepts. The same scale gives the same bytes.
"""
import argparse, os, random, struct

HEADER = '<\n   ir_version: 8,\n   opset_import: ["" : 17]\n>\n'


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def nodes(n):
    yield HEADER + "g (float[N,128] x0) => (float[N,128] y) {\n"
    for i in range(n):
        kind = i % 4
        if kind == 0:
            yield (f"   [node_{i}] x{i+1} = Conv <dilations: ints = [1, 1], group: int = 1, kernel_shape: ints = [3, 3], "
                   f"pads: ints = [1, 1, 1, 1], strides: ints = [1, 1]> (x{i}, w{i}, b{i})\n")
        elif kind == 1:
            yield f"   [node_{i}] x{i+1} = Relu (x{i})\n"
        elif kind == 2:
            yield f'   [node_{i}] x{i+1} = Add (x{i}, "onnx::Add_{i}")\n'
        else:
            yield f"   [node_{i}] x{i+1} = LeakyRelu <alpha: float = 0.01> (x{i})\n"
    yield f"   y = Identity (x{n})\n}}\n"


def weights(n):
    rng = random.Random(1)
    yield HEADER + "g (float[N] x) => (float[N] y)\n<"
    yield f"float[{n}] W = {{" + ",".join(f"{f32(rng.gauss(0, 0.05)):.8g}" for _ in range(n)) + "}"
    yield f", int64[{n // 2}] I = {{" + ",".join(str(rng.randint(-5000, 100000)) for _ in range(n // 2)) + "}"
    yield ">\n{ y = Identity(x) }\n"


def strings(n):
    yield HEADER + "g (float[N] x) => (float[N] y)\n<"
    yield f"string[{n // 2}] S = {{" + ", ".join(f'"token {i} of the \\"vocabulary\\""' for i in range(n // 2)) + "}>\n{\n"
    for i in range(n // 2):
        yield f'   s{i} = Tokenize <pattern: string = "[a-z]+ number {i}", mark: string = "##"> (x)\n'
    yield "   y = Identity(x)\n}\n"


def halfs(n):
    rng = random.Random(2)
    yield HEADER + "g (float[N] x) => (float[N] y)\n<"
    yield f"float16[{n}] H = {{" + ",".join(str(rng.randint(0, 31743)) for _ in range(n)) + "}"
    yield f", int8[{n}] Q = {{" + ",".join(str(rng.randint(-128, 127)) for _ in range(n)) + "}"
    yield ">\n{ y = Identity(x) }\n"


def nested(n):
    yield HEADER + "g (bool c, float[N] x) => (float[N] y) {\n"
    for i in range(n):
        yield (f"   z{i} = If (c) <then_branch: graph = t{i} () => (float[N] a{i}) {{\n      a{i} = Relu (x)\n   }}, "
               f"else_branch: graph = e{i} () => (float[N] b{i}) {{\n      b{i} = Neg (x)\n   }}>\n")
    yield "   y = Identity(x)\n}\n"


def attention(layers):
    yield HEADER + "g (float[B, S, 512] x0) => (float[B, S, 512] y)\n<"
    yield "int64 zero = {0}, int64 one = {1}, int64[1] axis = {0}, int64[1] heads = {8}, int64[1] size = {64}"
    yield ", int64[1] all = {-1}, int64[1] width = {512}, float scale = {8}"
    for i in range(layers):
        for name in "qkvo":
            yield f', float[512, 512] {name}_w{i} = ["location": "w.bin"], float[512] {name}_b{i} = ["location": "w.bin"]'
    yield ">\n{\n"
    for i in range(layers):
        yield f"   s{i} = Shape (x{i})\n   b0_{i} = Gather (s{i}, zero)\n   l0_{i} = Gather (s{i}, one)\n"
        yield f"   b{i} = Unsqueeze (b0_{i}, axis)\n   l{i} = Unsqueeze (l0_{i}, axis)\n"
        yield f"   split{i} = Concat <axis: int = 0> (b{i}, l{i}, heads, size)\n"
        for name in "qkv":
            yield f"   {name}m{i} = MatMul (x{i}, {name}_w{i})\n   {name}a{i} = Add ({name}m{i}, {name}_b{i})\n"
            order = "[0, 2, 3, 1]" if name == "k" else "[0, 2, 1, 3]"
            yield f"   {name}r{i} = Reshape ({name}a{i}, split{i})\n"
            yield f"   {name}t{i} = Transpose <perm: ints = {order}> ({name}r{i})\n"
        yield f"   p{i} = MatMul (qt{i}, kt{i})\n   d{i} = Div (p{i}, scale)\n   w{i} = Softmax <axis: int = -1> (d{i})\n"
        yield f"   o{i} = MatMul (w{i}, vt{i})\n   ot{i} = Transpose <perm: ints = [0, 2, 1, 3]> (o{i})\n"
        yield f"   join{i} = Concat <axis: int = 0> (b{i}, l{i}, width)\n   or{i} = Reshape (ot{i}, join{i})\n"
        yield f"   om{i} = MatMul (or{i}, o_w{i})\n   oa{i} = Add (om{i}, o_b{i})\n   x{i+1} = Add (x{i}, oa{i})\n"
    yield f"   y = Identity (x{layers})\n}}\n"


def typed(n, side=8):
    width = side * side
    yield f'<ir_version: 9, opset_import: ["" : 18]>\ng (float[N, {width}] x) => (float[N, {width}] y) <\n'
    yield f"   float[{width}] b = {{{', '.join(['0.5'] * width)}}},\n"
    yield f"   float[{width}, {width}] w = {{{', '.join(['0.25'] * (width * width))}}},\n"
    yield f"   int64[2] s = {{-1, {width}}},\n   int64[3] s3 = {{-1, {side}, {side}}}\n> {{\n"
    last = "x"
    for i in range(0, n, 8):
        v = f"v{i}"
        yield f"   {v}_m = MatMul ({last}, w)\n   {v}_a = Add ({v}_m, b)\n   {v}_r = Relu ({v}_a)\n   {v}_t = Reshape ({v}_r, s3)\n"
        yield f"   {v}_p = Transpose <perm = [0, 2, 1]> ({v}_t)\n   {v}_f = Reshape ({v}_p, s)\n"
        yield f"   _{v}_c = Concat <axis = 1> ({v}_f, {last})\n   {v}_l = Softmax <axis = -1> ({v}_f)\n"
        last = f"{v}_l"
    yield f"   y = Identity ({last})\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--scale", type=float, default=1.0)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    for make, n in ((nodes, 200_000), (weights, 2_000_000), (strings, 200_000), (halfs, 1_200_000), (nested, 20_000),
                    (attention, 52), (typed, 100_000)):
        if args.names and make.__name__ not in args.names:
            continue
        with open(os.path.join(args.folder, make.__name__ + ".onnxtxt"), "w", encoding="utf-8") as f:
            f.writelines(make(max(4, int(n * args.scale) // 4 * 4)))
    with open(os.path.join(args.folder, "small.onnxtxt"), "w", encoding="utf-8") as f:
        f.writelines(nodes(12))
    with open(os.path.join(args.folder, "brief.onnxtxt"), "w", encoding="utf-8") as f:
        f.writelines(typed(16, side=2))


if __name__ == "__main__":
    main()
