#!/usr/bin/env python3
"""Writes the benchmark texts into a folder: workloads.py DIR [NAME ...] [--scale S].

nodes    200,000 nodes with labels, attributes and quoted names (about 17 MB at scale 1)
weights  one float[2000000] and one int64[1000000] initializer (about 30 MB)
strings  200,000 strings in tensors and attributes (about 12 MB)
halfs    float16 and int8 tensors as integers (about 12 MB)
nested   20,000 If nodes with two subgraphs each (about 5 MB)
small    one model of a dozen nodes (start-up cost)
Only syntax that the reference implementation reads. Same bytes for the same scale.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--scale", type=float, default=1.0)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    for make, n in ((nodes, 200_000), (weights, 2_000_000), (strings, 200_000), (halfs, 1_200_000), (nested, 20_000)):
        if args.names and make.__name__ not in args.names:
            continue
        with open(os.path.join(args.folder, make.__name__ + ".onnxtxt"), "w", encoding="utf-8") as f:
            f.writelines(make(max(4, int(n * args.scale) // 4 * 4)))
    with open(os.path.join(args.folder, "small.onnxtxt"), "w", encoding="utf-8") as f:
        f.writelines(nodes(12))


if __name__ == "__main__":
    main()
