"""Finds the types and shapes that onnxc infers for the values of models, and compares two types."""

import json
import struct
import subprocess

import onnx

BATCH = 200
MADE_UP = "unk__"  # how the reference begins the names it makes up for unknown dimensions


# -- types


def kind(t):
    return t.WhichOneof("value") if t is not None else None


def tensor_of(t):
    return getattr(t, kind(t)) if kind(t) in ("tensor_type", "sparse_tensor_type") else None


def inner(t):
    """Returns the element type of a sequence or an optional value, the value type of a map."""
    name = kind(t)
    if name in ("sequence_type", "optional_type"):
        return getattr(t, name).elem_type
    return t.map_type.value_type if name == "map_type" else None


def dimension(d):
    """Returns a number, a symbol, or None; some tools write an unknown size as -1."""
    what = d.WhichOneof("value")
    if what == "dim_value":
        return d.dim_value if d.dim_value >= 0 else None
    return d.dim_param if what == "dim_param" and d.dim_param and not d.dim_param.startswith(MADE_UP) else None


def dimensions(tensor):
    return [dimension(d) for d in tensor.shape.dim] if tensor.HasField("shape") else None


def show(t):
    if t is None or kind(t) is None:
        return "unknown"
    tensor = tensor_of(t)
    if tensor is None:
        rest = inner(t)
        return f"{kind(t)[:-5]}({show(rest) if rest is not None else ''})"
    dims = dimensions(tensor)
    shape = "" if dims is None else "[" + ", ".join("?" if d is None else str(d) for d in dims) + "]"
    return onnx.TensorProto.DataType.Name(tensor.elem_type).lower() + shape


def compare(ours, theirs):
    """Returns how two types differ: "more" or "less" precise, "contradictory"; empty if they are equal."""
    if kind(theirs) is None or kind(ours) is None:
        return {"more"} if kind(ours) is not None else {"less"} if kind(theirs) is not None else set()
    if kind(ours) != kind(theirs):
        return {"contradictory"}
    a, b = tensor_of(ours), tensor_of(theirs)
    if a is None:
        if kind(ours) == "map_type" and ours.map_type.key_type != theirs.map_type.key_type:
            return {"contradictory"}
        return compare(inner(ours), inner(theirs)) if inner(ours) is not None else set()
    if a.elem_type != b.elem_type:
        if 0 in (a.elem_type, b.elem_type):
            return {"less" if a.elem_type == 0 else "more"}
        return {"contradictory"}
    return compare_dimensions(dimensions(a), dimensions(b))


def compare_dimensions(ours, theirs):
    if ours is None or theirs is None:
        return {"more"} if ours is not None else {"less"} if theirs is not None else set()
    if len(ours) != len(theirs):
        return {"contradictory"}
    found = set()
    for a, b in zip(ours, theirs):
        known = [isinstance(d, int) for d in (a, b)]
        if all(known):
            found |= {"contradictory"} if a != b else set()
        elif known[0] or (a is not None and b is None):
            found.add("more")
        elif known[1] or (b is not None and a is None):
            found.add("less")
    return found


# -- the graphs of a model


def graphs(graph, path=""):
    """Returns (path, graph) of a graph and of all its subgraphs; a path contains positions of nodes and names of attributes."""
    yield path, graph
    for i, node in enumerate(graph.node):
        for attribute in node.attribute:
            for j, inside in enumerate([attribute.g] if attribute.HasField("g") else attribute.graphs):
                yield from graphs(inside, f"{path}/{i}.{attribute.name}.{j}")


def values(model):
    """Returns {(path, name): TypeProto} of all values with a type."""
    return {
        (path, value.name): value.type
        for path, graph in graphs(model.graph)
        for value in (*graph.input, *graph.value_info, *graph.output)
        if value.HasField("type")
    }


def operators(model):
    """Returns {(path, name): the operator that computes the value}."""
    return {
        (path, name): node.op_type for path, graph in graphs(model.graph) for node in graph.node for name in node.output
    }


def without_value_info(model):
    for _, graph in graphs(model.graph):
        graph.ClearField("value_info")
    return model


# -- many models


def infer_all(probe, messages_):
    """Returns [(model with the inferred types, [finding])] for all models, in one process."""
    data = b"".join(struct.pack("<Q", len(m)) + m for m in messages_)
    output = subprocess.run([probe], input=data, capture_output=True, check=True).stdout
    results, at = [], 0
    while at < len(output):
        sizes = struct.unpack_from("<QQ", output, at)
        at += 16
        model = onnx.ModelProto.FromString(output[at : at + sizes[0]])
        at += sizes[0]
        results.append((model, json.loads(output[at : at + sizes[1]])))
        at += sizes[1]
    assert len(results) == len(messages_), "the probe did not answer for each model"
    return results


def errors(findings):
    return [f for f in findings if f["severity"] == "error"]


def batches(paths, most=64 << 20):
    """Runs of models (path, bytes without value_info) that fit into memory."""
    batch, size = [], 0
    for path in paths:
        data = without_value_info(onnx.load(path, load_external_data=False)).SerializeToString()
        if batch and (len(batch) == BATCH or size + len(data) > most):
            yield batch
            batch, size = [], 0
        batch.append((path, data))
        size += len(data)
    if batch:
        yield batch
