#!/usr/bin/env python3
"""Edits real models: extracts parts, renames values, changes the sizes of inputs, adds outputs, sorts shuffled nodes, moves nodes to
functions and back, and removes nodes, weights and unused parts. If a model passes the full check of the `onnx` package, the edited
model must also pass it, and must give the same numbers in ONNX Runtime.

Usage: edits.py ONNXC [--every N] [--models M] [clean|extract|inline|outputs|remove|rename|set|sort|strip ...]

The models are those of Debian's libonnx-testdata. Every N-th model is used, and at most M of them.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

import google.protobuf.message
import models
import numpy
import onnx
import onnx.numpy_helper
from infer_truth import made_up, run_session, session_of

AT_RANDOM = {"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def onnxc(program, *arguments):
    run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    return run.returncode, run.stderr


def passes(model):
    """Returns whether the reference has no findings about the model."""
    try:
        onnx.checker.check_model(model, full_check=True)
        return True, ""
    except Exception as error:
        return False, " ".join(str(error).split())[:300]


def run(model, arrays):
    """Returns {value: array} of all outputs, or None."""
    session = session_of(model)
    return None if session is None else run_session(session, arrays)


def with_all_outputs(model):
    model = onnx.ModelProto.FromString(model.SerializeToString())
    names = {output.name for output in model.graph.output}
    values = [name for node in model.graph.node for name in node.output if name and name not in names]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in values)
    return model


def same(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) or a is None:
        return str(a) == str(b)
    a, b = numpy.asarray(a), numpy.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return numpy.array_equal(a, b) if a.dtype.kind in "OUS" else numpy.allclose(a, b, 1e-5, 1e-6, equal_nan=a.dtype.kind in "fc")


def reads(node):
    """Returns the values that a node reads, including values of enclosing graphs that its subgraphs read."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for graph in ([attribute.g] if attribute.HasField("g") else []) + list(attribute.graphs):
            own = {v.name for v in graph.input} | {t.name for t in graph.initializer}
            own |= {name for inner in graph.node for name in inner.output}
            inside = [name for inner in graph.node for name in reads(inner)] + [v.name for v in graph.output]
            names += [name for name in inside if name not in own]
    return names


def choose_part(model, rng):
    """Returns (from, to): a value, and the values that the nodes some steps before it read."""
    givers = {name: node for node in model.graph.node for name in node.output if name}
    constant = {t.name for t in model.graph.initializer} | {t.values.name for t in model.graph.sparse_initializer}
    node = rng.choice(model.graph.node)
    to = [name for name in node.output if name][:2]
    inside, border = [node], []
    for _ in range(rng.randrange(1, 12)):
        names = {name for n in inside for name in n.output}
        border = sorted({name for n in inside for name in reads(n) if name not in names and name not in constant})
        inner = [name for name in border if name in givers]
        if not inner:
            break
        inside.append(givers[rng.choice(inner)])
    names = {name for n in inside for name in n.output}
    border = sorted({name for n in inside for name in reads(n) if name not in names and name not in constant})
    return border, to


def compare(model, changed, given, computed):
    """Runs the changed model, whose outputs should be those that were computed."""
    if {node.op_type for node in model.graph.node} & AT_RANDOM:
        return "at random", ""
    again = run(changed, given)
    if again is None:
        return "does not run", ""
    return ("same", "") if all(same(array, again[name]) for name, array in computed.items()) else ("other numbers", "")


def extract(program, path, folder, rng):
    model = onnx.load(path, load_external_data=False)
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(with_all_outputs(model), arrays)
    if computed is None or not model.graph.node:
        return "not run", ""
    begin, end = choose_part(model, rng)
    out = os.path.join(folder, "part.onnx")
    status, errors = onnxc(program, "extract", path, *(f"--from={name}" for name in begin), *(f"--to={name}" for name in end), "-o", out)
    if status != 0:
        return "refused", f"{begin} -> {end}: {errors}"
    part = onnx.load(out, load_external_data=False)
    result, why = judge(model, part)
    if result != "same":
        return result, f"{begin} -> {end}: {why} {errors}"
    if {node.op_type for node in part.graph.node} & AT_RANDOM:
        return "at random", ""
    given = {name: computed[name] for name in begin}
    if {value.name for value in part.graph.input} - {t.name for t in part.graph.initializer} != set(begin):
        return "other inputs", f"{begin}"
    again = run(part, given)
    if again is None:
        return "does not run", f"{begin} -> {end}"
    return ("same", "") if all(same(computed[name], again[name]) for name in end) else ("other numbers", f"{begin} -> {end}")


def add_outputs(program, path, folder, rng):
    """Makes some values outputs, or all, and compares their numbers with those of the model whose values are all outputs."""
    model = onnx.load(path, load_external_data=False)
    old = {output.name for output in model.graph.output}
    names = [name for node in model.graph.node for name in node.output if name and name not in old]
    if not names:
        return "nothing to change", ""
    chosen = rng.sample(names, min(len(names), 3))
    arguments = ["--all-outputs"] if rng.random() < 0.5 else [f"--add-output={name}" for name in chosen]
    out = os.path.join(folder, "outputs.onnx")
    status, errors = onnxc(program, "set", path, *arguments, "-o", out)
    if status != 0:
        return ("type unknown", "") if "[type-incomplete]" in errors else ("refused", f"{arguments} {errors}")
    changed = onnx.load(out, load_external_data=False)
    result, why = judge(model, changed)
    if result != "same":
        return result, f"{arguments} {why}"
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(with_all_outputs(model), arrays)
    if computed is None:
        return "not run", ""
    if {node.op_type for node in model.graph.node} & AT_RANDOM:
        return "at random", ""
    again = run(changed, arrays)
    if again is None:
        return "does not run", f"{arguments}"
    wrong = [output.name for output in changed.graph.output if output.name not in old and not fits(output.type, again[output.name])]
    if wrong:
        return "other shape", f"{wrong}"
    return ("same", "") if all(same(array, computed[name]) for name, array in again.items()) else ("other numbers", f"{arguments}")


def rename(program, path, folder, rng):
    """Renames all values, dimensions and nodes."""
    model = onnx.load(path, load_external_data=False)
    out = os.path.join(folder, "renamed.onnx")
    arguments = ["--regex", "^(.+)$=new_\\1", "--only", "values,nodes,dimensions"]
    status, errors = onnxc(program, "rename", path, *arguments, "-o", out)
    if status != 0:
        return ("nothing to change", "") if "that matches" in errors else ("refused", errors)
    renamed = onnx.load(out, load_external_data=False)
    result, why = judge(model, renamed)
    if result != "same":
        return result, why
    if {f"new_{value.name}" for value in model.graph.input} != {value.name for value in renamed.graph.input}:
        return "other inputs", ""
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(model, arrays)
    if computed is None:
        return "not run", ""
    return compare(model, renamed, {f"new_{name}": array for name, array in arrays.items()}, {f"new_{name}": array for name, array in computed.items()})


def without_shapes(model):
    """Returns the model without the shapes in the declared types of computed values."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    del model.graph.value_info[:]
    for output in model.graph.output:
        output.ClearField("type")
    return model


def set_size(program, path, folder, rng):
    """Doubles the first size of an input, and compares with the results of the model without its declared shapes."""
    model = onnx.load(path, load_external_data=False)
    constant = {t.name for t in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in constant and value.type.tensor_type.shape.dim]
    if not inputs:
        return "nothing to change", ""
    value = inputs[0]
    dim = value.type.tensor_type.shape.dim[0]
    out = os.path.join(folder, "set.onnx")
    if dim.dim_param:
        status, errors = onnxc(program, "set", path, "--dim", f"{dim.dim_param}=4", "-o", out)
    else:
        sizes = [str(d.dim_value) if d.HasField("dim_value") else d.dim_param or "?" for d in value.type.tensor_type.shape.dim]
        sizes[0] = str(2 * dim.dim_value)
        kind = onnx.TensorProto.DataType.Name(value.type.tensor_type.elem_type).lower()
        status, errors = onnxc(program, "set", path, "--input", f"{value.name}={kind}[{','.join(sizes)}]", "-o", out)
    dim.dim_value = 4 if dim.dim_param else 2 * dim.dim_value
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(without_shapes(model), arrays)
    if status != 0:
        return ("contradicted", "") if computed is None else ("refused", errors)
    changed = onnx.load(out, load_external_data=False)
    result, why = judge(onnx.load(path, load_external_data=False), changed)
    if result != "same":
        return result, why
    if computed is None:
        return "not run", ""
    if {node.op_type for node in model.graph.node} & AT_RANDOM:
        return "at random", ""
    again = run(changed, arrays)
    if again is None:
        return "does not run", ""
    wrong = [o.name for o in changed.graph.output if not fits(o.type, again[o.name])]
    if wrong:
        return "other shape", f"{wrong}"
    return ("same", "") if all(same(array, again[name]) for name, array in computed.items()) else ("other numbers", "")


def shuffle(message, rng):
    """Shuffles the nodes of all graphs and functions in a message."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in [value] if isinstance(value, google.protobuf.message.Message) else value:
            shuffle(inner, rng)
        if field.message_type.name == "NodeProto":
            nodes = list(value)
            rng.shuffle(nodes)
            del value[:]
            value.extend(nodes)


def sort(program, path, folder, rng):
    """Shuffles the nodes at random, sorts them, and compares with the results of the model."""
    model = onnx.load(path, load_external_data=False)
    shuffled = onnx.ModelProto.FromString(model.SerializeToString())
    shuffle(shuffled, rng)
    if shuffled == model:
        return "nothing to change", ""
    start, out = os.path.join(folder, "shuffled.onnx"), os.path.join(folder, "sorted.onnx")
    onnx.save(shuffled, start)
    status, errors = onnxc(program, "sort", start, "-o", out)
    if status != 0:
        return "refused", errors
    ordered = onnx.load(out, load_external_data=False)
    result, why = judge(model, ordered)
    if result != "same":
        return result, why
    status, errors = onnxc(program, "check", out)
    if "[not-sorted]" in errors or "[cycle]" in errors or (status != 0 and onnxc(program, "check", path)[0] == 0):
        return "onnxc refuses it", errors
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(model, arrays)
    if computed is None:
        return "not run", ""
    return compare(model, ordered, arrays, computed)


def outlined(model, rng):
    """Returns the model with calls of functions instead of some of its nodes. The values have the same names inside and outside of the
    functions, calls are nested, and some attributes of the nodes become attributes of the functions, with or without default values.
    """
    model = onnx.ModelProto.FromString(model.SerializeToString())
    for i in range(rng.randrange(1, 8)):
        nodes = list(model.graph.node)
        begin = rng.randrange(len(nodes))
        end = begin + rng.randrange(1, 12)
        part, others = nodes[begin:end], nodes[:begin] + nodes[end:]
        made = {name for node in part for name in node.output if name}
        inputs = sorted({name for node in part for name in reads(node)} - made)
        needed = {output.name for output in model.graph.output} | {name for node in others for name in reads(node)}
        outputs = sorted(made & needed)
        function = onnx.FunctionProto(domain="local", name=f"f{i}", input=inputs, output=outputs, node=part)
        function.opset_import.extend(model.opset_import)
        function.opset_import.add(domain="local", version=1)
        function.value_info.extend(value for value in model.graph.value_info if value.name in made)
        label = rng.choice(["", "call", f"call{i}"])
        call = onnx.NodeProto(domain="local", op_type=f"f{i}", input=inputs, output=outputs, name=label)
        for node in function.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.GRAPH or rng.random() < 0.5:
                    continue
                formal = onnx.AttributeProto.FromString(attribute.SerializeToString())
                formal.name = f"a{len(function.attribute) + len(function.attribute_proto)}"
                if rng.random() < 0.5:
                    function.attribute_proto.append(formal)
                else:
                    function.attribute.append(formal.name)
                    call.attribute.append(formal)
                name, kind = attribute.name, attribute.type
                attribute.Clear()
                attribute.name, attribute.type, attribute.ref_attr_name = name, kind, formal.name
        del model.graph.node[:]
        model.graph.node.extend([*nodes[:begin], call, *nodes[end:]])
        kept = [value for value in model.graph.value_info if value.name not in made]
        del model.graph.value_info[:]
        model.graph.value_info.extend(kept)
        model.functions.append(function)
    model.opset_import.add(domain="local", version=1)
    return model


def inline(program, path, folder, rng):
    """Moves nodes to functions, replaces the calls by the nodes, and compares with the results of the model."""
    model = onnx.load(path, load_external_data=False)
    model.ir_version = max(model.ir_version, 10)
    if not model.graph.node or not model.opset_import:
        return "nothing to change", ""
    start, out = os.path.join(folder, "calls.onnx"), os.path.join(folder, "inlined.onnx")
    onnx.save(outlined(model, rng), start)
    status, errors = onnxc(program, "inline", start, "-o", out)
    if status != 0:
        return "refused", errors
    inlined = onnx.load(out, load_external_data=False)
    is_called = any(node.domain == "local" for node in inlined.graph.node)
    if inlined.functions or is_called or inlined.opset_import != model.opset_import:
        return "not inlined", ""
    if len(inlined.graph.node) < len(model.graph.node) or len(inlined.graph.value_info) < len(model.graph.value_info):
        return "something is lost", ""
    result, why = judge(model, inlined)
    if result != "same":
        return result, why
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(model, arrays)
    if computed is None:
        return "not run", ""
    return compare(model, inlined, arrays, computed)


def strip(program, path, folder, rng):
    """Turns weights into inputs, and passes the data of the weights to them."""
    model = onnx.load(path, load_external_data=False)
    out = os.path.join(folder, "stripped.onnx")
    status, errors = onnxc(program, "convert", "--strip-weights", path, "-o", out)
    if status != 0:
        return "refused", errors
    stripped = onnx.load(out, load_external_data=False)
    result, why = judge(model, stripped)
    if result != "same":
        return result, why
    weights = {t.name: t for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            weights[node.output[0]] = node.attribute[0].t
    left = {t.name for t in stripped.graph.initializer}
    names = {value.name for value in stripped.graph.input} - left & weights.keys()
    if not names:
        return "nothing to change", ""
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(model, arrays)
    if computed is None:
        return "not run", ""
    return compare(model, stripped, {**arrays, **{name: onnx.numpy_helper.to_array(weights[name]) for name in names}}, computed)


def remove(program, path, folder, rng):
    """Inserts Identity and Dropout nodes at random, and removes them again."""
    model = onnx.load(path, load_external_data=False)
    start, out = os.path.join(folder, "more.onnx"), os.path.join(folder, "removed.onnx")
    more = onnx.ModelProto.FromString(model.SerializeToString())
    nodes = list(more.graph.node)
    if not nodes:
        return "nothing to change", ""
    known = {name for node in nodes for name in node.output}
    for number in range(rng.randrange(1, 6)):
        reader = rng.choice(nodes)
        index = rng.randrange(len(reader.input)) if reader.input else -1
        if index < 0 or reader.input[index] not in known:
            continue
        extra = onnx.NodeProto(op_type="Identity", name=f"onnxc_extra_{number}", input=[reader.input[index]])
        extra.output.append(f"onnxc_extra_{number}")
        reader.input[index] = extra.output[0]
        nodes.insert(next(i for i, node in enumerate(nodes) if node is reader), extra)
    del more.graph.node[:]
    more.graph.node.extend(nodes)
    names = [node.name for node in nodes if node.name.startswith("onnxc_extra_")]
    if not names:
        return "nothing to change", ""
    onnx.save(more, start)
    status, errors = onnxc(program, "remove", start, *names, "-o", out)
    if status != 0:
        return "refused", errors
    removed = onnx.load(out, load_external_data=False)
    return ("same", "") if removed == model else ("another model", "")


def clean(program, path, folder, rng):
    """Adds nodes and initializers that nothing uses, and removes them again, with documentation, metadata and names of nodes."""
    model = onnx.load(path, load_external_data=False)
    start, out = os.path.join(folder, "more.onnx"), os.path.join(folder, "clean.onnx")
    more = onnx.ModelProto.FromString(model.SerializeToString())
    values = [name for node in model.graph.node for name in node.output if name]
    more.graph.initializer.append(onnx.numpy_helper.from_array(numpy.zeros(2, numpy.float32), "onnxc_unused"))
    for number in range(rng.randrange(1, 4) if values else 0):
        more.graph.node.add(op_type="Identity", input=[rng.choice(values)], output=[f"onnxc_unused_{number}"])
        values.append(f"onnxc_unused_{number}")
    onnx.save(more, start)
    status, errors = onnxc(program, "strip", start, "--unused", "--docs", "--names", "--metadata", "--value-info", "-o", out)
    if status != 0:
        return "refused", errors
    cleaned = onnx.load(out, load_external_data=False)
    result, why = judge(model, cleaned)
    if result != "same":
        return result, why
    if b"onnxc_unused" in cleaned.SerializeToString():
        return "unused parts are left", ""
    if onnxc(program, "check", out)[0] != 0 and onnxc(program, "check", path)[0] == 0:
        return "onnxc refuses it", ""
    arrays = made_up(model, rng)
    computed = None if arrays is None else run(model, arrays)
    if computed is None:
        return "not run", ""
    return compare(model, cleaned, arrays, computed)


def fits(declared, array):
    if not declared.HasField("tensor_type") or isinstance(array, (list, dict)) or array is None:
        return True
    dims = declared.tensor_type.shape.dim
    shape = numpy.asarray(array).shape
    return len(dims) == len(shape) and all(not d.HasField("dim_value") or d.dim_value == s for d, s in zip(dims, shape))


def judge(model, changed):
    """Returns whether the reference rejects the model, but accepted it before."""
    ok, why = passes(changed)
    return ("same", "") if ok or not passes(model)[0] else ("the reference refuses it", why)


EDITS = {"clean": clean, "extract": extract, "inline": inline, "outputs": add_outputs, "remove": remove, "rename": rename, "set": set_size,
         "sort": sort, "strip": strip}
FINE = {"same", "not run", "at random", "nothing to change", "contradicted", "type unknown"}


def try_edit(program, name, path):
    rng = random.Random(path)
    with tempfile.TemporaryDirectory() as folder:
        return EDITS[name](program, path, folder, rng)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("onnxc")
    parser.add_argument("edits", nargs="*", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--models", type=int, default=1 << 30)
    arguments = parser.parse_args()
    paths = models.models_of("libonnx-testdata")[:: arguments.every][: arguments.models]
    if not paths:
        print("skipped: libonnx-testdata is not installed")
        return 77
    ok = True
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for name in arguments.edits or EDITS:
            n = len(paths)
            results = list(pool.map(try_edit, [os.path.abspath(arguments.onnxc)] * n, [name] * n, paths, chunksize=4))
            counts = collections.Counter(result for result, _ in results)
            for path, (result, why) in zip(paths, results):
                if result not in FINE:
                    print(f"{path}: {result}: {why.strip()}")
            print(f"{name}: {n} models: {dict(counts)}", flush=True)
            ok = ok and set(counts) <= FINE and counts["same"] > 0
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
