#!/usr/bin/env python3
"""Counts the lines of a difference that one edit causes: diff_edits.py ONNXC

Edits five real models, each in one way at a time. Counts the lines of `onnxc diff`, and the lines that `git diff` adds and
removes in the printed texts. Prints a table. Exit status 1 if `onnxc diff` needs more than one line for an edit.
Needs the `onnx` package (PyPI, 1.23) and git; without them, the exit status is 77.
"""
import copy, os, shutil, subprocess, sys, tempfile

from models import models_of, onnx

MODELS = ("light_resnet50", "light_densenet121", "light_shufflenet", "light_inception_v2",
          "test_range_float_type_positive_delta_expanded")


def node_in_the_middle(model, wanted=lambda node: True):
    nodes = model.graph.node
    order = sorted(range(len(nodes)), key=lambda i: abs(i - len(nodes) // 2))
    return next((nodes[i] for i in order if wanted(nodes[i])), None)


def readers(model, name):
    return [(node, i) for node in model.graph.node for i, value in enumerate(node.input) if value == name]


def insert(model):
    node = node_in_the_middle(model, lambda node: readers(model, node.output[0]))
    if node is None:
        return False
    for reader, i in readers(model, node.output[0]):
        reader.input[i] = "inserted"
    at = list(model.graph.node).index(node) + 1
    model.graph.node.insert(at, onnx.helper.make_node("Identity", [node.output[0]], ["inserted"]))
    return True


def delete(model):
    node = node_in_the_middle(model, lambda node: node.input and readers(model, node.output[0]))
    if node is None:
        return False
    for reader, i in readers(model, node.output[0]):
        reader.input[i] = node.input[0]
    model.graph.node.remove(node)
    return True


def rename(model):
    node = node_in_the_middle(model, lambda node: readers(model, node.output[0]))
    if node is None:
        return False
    old = node.output[0]
    for reader, i in readers(model, old):
        reader.input[i] = "renamed"
    for value in list(model.graph.value_info) + list(model.graph.output):
        if value.name == old:
            value.name = "renamed"
    node.output[0] = "renamed"
    return True


def retype(model):
    elem = model.graph.input[0].type.tensor_type
    elem.elem_type = onnx.TensorProto.DOUBLE if elem.elem_type != onnx.TensorProto.DOUBLE else onnx.TensorProto.FLOAT
    return True


def operator(model):
    node_in_the_middle(model).op_type = "Other"
    return True


def attribute(model):
    node = node_in_the_middle(model, lambda node: any(a.type in (onnx.AttributeProto.INT, onnx.AttributeProto.INTS, onnx.AttributeProto.FLOAT) for a in node.attribute))
    if node is None:
        return False
    for a in node.attribute:
        if a.type == onnx.AttributeProto.INT:
            a.i += 1
        elif a.type == onnx.AttributeProto.INTS:
            a.ints[0] += 1
        elif a.type == onnx.AttributeProto.FLOAT:
            a.f += 1
        else:
            continue
        return True


def weight(model):
    tensors = list(model.graph.initializer) + [a.t for node in model.graph.node for a in node.attribute if a.HasField("t")]
    for tensor in tensors:
        if tensor.data_type != onnx.TensorProto.FLOAT or not (tensor.raw_data or tensor.float_data):
            continue
        if tensor.raw_data:
            tensor.raw_data = b"\x00\x00\x80\x42" + tensor.raw_data[4:]
        else:
            tensor.float_data[0] = 64
        return True
    return False


def reorder(model):
    nodes = model.graph.node
    for i in range(len(nodes) // 2, len(nodes) - 1):
        if not set(nodes[i].output) & set(nodes[i + 1].input):
            first = copy.deepcopy(nodes[i])
            del nodes[i]
            nodes.insert(i + 1, first)
            return True
    return False


EDITS = (insert, delete, rename, retype, operator, attribute, weight, reorder)


def lines_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout.splitlines()


def measure(onnxc, path, edit, folder):
    """Returns (lines of onnxc diff, lines of git diff), or None if the model has nothing that can be edited in this way"""
    model = onnx.load(path)
    if not edit(model):
        return None
    changed = os.path.join(folder, "changed.onnx")
    onnx.save(model, changed)
    texts = []
    for i, file in enumerate((path, changed)):
        texts.append(os.path.join(folder, f"{i}.onnxtxt"))
        subprocess.run([onnxc, "print", file, "-o", texts[-1]], check=True)
    told = lines_of([onnxc, "diff", path, changed])
    git = lines_of(["git", "diff", "--no-index", "--no-color", *texts])
    return len(told), sum(line[:1] in "+-" and line[:3] not in ("+++", "---") for line in git), told


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: diff_edits.py ONNXC")
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        return 77
    paths = models_of("onnx.backend.test, files") + models_of("libonnx-testdata")
    chosen = []
    for name in MODELS:
        chosen += [path for path in paths if name in path][:1]
    print(f"{'lines of onnxc diff / git diff':<34}" + "".join(f"{edit.__name__:>13}" for edit in EDITS))
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in chosen:
            cells = [measure(sys.argv[1], path, edit, folder) for edit in EDITS]
            worst = max([worst] + [cell[0] for cell in cells if cell])
            name = os.path.basename(path if os.path.basename(path) != "model.onnx" else os.path.dirname(path))
            print(f"{name:<34}" + "".join(f"{f'{cell[0]} / {cell[1]}' if cell else '-':>13}" for cell in cells))
            for cell in cells:
                if cell and cell[0] != 1:
                    print("\n".join("    " + line for line in cell[2][:10]))
    return 1 if worst != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
