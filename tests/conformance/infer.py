#!/usr/bin/env python3
"""Compares the inferred types and shapes with those of the `onnx` package, and with the arrays that a model computes.

Usage: infer.py PROBE reference [MODEL...]   each value: equal, ours more precise, less precise, or contradictory
       infer.py PROBE truth [MODEL...]       each value against the array: recorded ones, and those of ONNX Runtime
       infer.py PROBE mutants [--count N] [--seed S] [--keep FOLDER]   the verdicts on damaged models

With --every N, every N-th model alone is looked at.

PROBE is the test tool infer_probe. Without MODEL, the models are those of models.py: Debian's libonnx-testdata, and the
files and the code of onnx.backend.test. Recorded value_info is removed first, so that each type is inferred.
"""

import argparse
import collections
import concurrent.futures
import concurrent.futures.process
import glob
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import threading
import warnings

import models
import numpy
import onnx
import onnx.helper
import onnx.numpy_helper
import onnx.shape_inference
from check_mutants import fields_of, is_list, messages, put

BATCH = 200
SECONDS = 10  # for a run of a model
MADE_UP = "unk__"  # how the reference begins the names it makes up for unknown dimensions


# -- types


def kind(t):
    return t.WhichOneof("value") if t is not None else None


def tensor_of(t):
    return getattr(t, kind(t)) if kind(t) in ("tensor_type", "sparse_tensor_type") else None


def inner(t):
    """The element type of a sequence or an optional value, the value type of a map."""
    name = kind(t)
    if name in ("sequence_type", "optional_type"):
        return getattr(t, name).elem_type
    return t.map_type.value_type if name == "map_type" else None


def dimension(d):
    """A number, a symbol, or None; some tools write an unknown size as -1."""
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
    """The set of what holds for two types: "more" or "less" precise, "contradictory"; empty where they are equal."""
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
    """(path, graph) of a graph and of all inside; a path names nodes by their position and attributes by their name."""
    yield path, graph
    for i, node in enumerate(graph.node):
        for attribute in node.attribute:
            for j, inside in enumerate([attribute.g] if attribute.HasField("g") else attribute.graphs):
                yield from graphs(inside, f"{path}/{i}.{attribute.name}.{j}")


def values(model):
    """{(path, name): TypeProto} of all values with a type."""
    return {
        (path, value.name): value.type
        for path, graph in graphs(model.graph)
        for value in (*graph.input, *graph.value_info, *graph.output)
        if value.HasField("type")
    }


def operators(model):
    """{(path, name): the operator that makes it}"""
    return {
        (path, name): node.op_type for path, graph in graphs(model.graph) for node in graph.node for name in node.output
    }


def without_value_info(model):
    for _, graph in graphs(model.graph):
        graph.ClearField("value_info")
    return model


# -- what is compared


def infer_all(probe, messages_):
    """[(model with the inferred types, [finding])]: all models in one process."""
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


def reference(data):
    """(the model with the reference's types, "") or (None, why not)"""
    try:
        model = onnx.ModelProto.FromString(data)
        return onnx.shape_inference.infer_shapes(model, strict_mode=True, check_type=True, data_prop=True), ""
    except Exception as error:  # it throws more than InferenceError
        return None, " ".join(str(error).split())[:300]


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


class Comparison:
    def __init__(self):
        self.counts = collections.Counter()
        self.by_operator = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(list)

    def add(self, path, ours, found, theirs, refusal):
        self.counts["models"] += 1
        if theirs is None:
            both = "both refuse" if errors(found) else "the reference alone refuses"
            self.counts[both] += 1
            if both != "both refuse":
                self.example(both, path, refusal)
            return
        if errors(found):
            self.counts["onnxc alone refuses"] += 1
            self.example("onnxc alone refuses", path, errors(found)[0]["message"])
        a, b = values(ours), values(theirs)
        made_by = operators(ours)
        for key in a.keys() | b.keys():
            result = compare(a.get(key), b.get(key))
            verdict = next((v for v in ("contradictory", "less", "more") if v in result), "equal")
            self.counts[verdict] += 1
            operator = made_by.get(key, "(declared)")
            self.by_operator[verdict][operator] += 1
            if verdict in ("contradictory", "less"):
                shown = f"{key[0]} {key[1]} = {operator}: {show(a.get(key))} here, {show(b.get(key))} there"
                self.example(verdict, path, shown, operator)

    def example(self, what, path, text, group=""):
        if len(self.examples[what, group]) < 5:
            self.examples[what, group].append(f"{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)}: {text}")

    def summary(self):
        lines = [str(dict(self.counts))]
        for verdict in ("contradictory", "less"):
            lines.append(f"{verdict}: {dict(self.by_operator[verdict].most_common())}")
        for (what, _), examples in sorted(self.examples.items()):
            lines += [f"  {what}: {example}" for example in examples]
        return "\n".join(lines)


def compare_with_reference(probe, sources):
    total = Comparison()
    for source, paths in sources:
        comparison = Comparison()
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            for batch in batches(paths):
                theirs = pool.map(reference, [data for _, data in batch], chunksize=16)
                ours = infer_all(probe, [data for _, data in batch])
                for (path, _), (model, found), (other, refusal) in zip(batch, ours, theirs):
                    for c in (comparison, total):
                        c.add(path, model, found, other, refusal)
        print(f"{source}: {comparison.summary()}", flush=True)
    known = sum(total.counts[v] for v in ("equal", "more", "less", "contradictory"))
    print(f"all: {dict(total.counts)}")
    print(f"values: {known}, less precise: {total.counts['less'] / max(1, known):.3%}")
    return total.counts["contradictory"] == 0 and total.counts["less"] <= 0.001 * known


# -- truth


class Contradiction(Exception):
    pass


def check_array(t, array, symbols):
    """Raises where an array (or a list of arrays, or None) is not of the type; symbols keep the sizes of a run."""
    name = kind(t)
    if name is None or array is None:
        return
    if name == "optional_type":
        return check_array(inner(t), array, symbols)
    if name == "sequence_type":
        if not isinstance(array, list):
            raise Contradiction(f"{type(array)} is no sequence")
        for element in array:
            check_array(inner(t), element, {})  # elements may differ
        return
    if name != "tensor_type" or isinstance(array, (list, dict)):
        if name == "tensor_type":
            raise Contradiction(f"{type(array)} is no tensor")
        return
    array = numpy.asarray(array)
    check_element(t.tensor_type.elem_type, array)
    dims = dimensions(t.tensor_type)
    if dims is None:
        return
    if len(dims) != array.ndim:
        raise Contradiction(f"rank {array.ndim}")
    for dim, size in zip(dims, array.shape):
        if isinstance(dim, int) and dim != size:
            raise Contradiction(f"shape {list(array.shape)}")
        if isinstance(dim, str) and symbols.setdefault(dim, size) != size:
            raise Contradiction(f"{dim} is {symbols[dim]} elsewhere, {size} in {list(array.shape)}")


def check_element(element, array):
    if element == 0 or array.dtype.kind in "OUS":
        if element not in (0, onnx.TensorProto.STRING):
            raise Contradiction("strings")
        return
    try:
        actual = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    except (KeyError, ValueError):
        return
    if actual != element:
        raise Contradiction(onnx.TensorProto.DataType.Name(actual).lower())


class Truth:
    def __init__(self):
        self.counts = collections.Counter()

    def check(self, name, model, arrays, given=None):
        """arrays: {name: array} of one run. Some arrays contradict what the model itself, `given`, declares: these say
        nothing of what is inferred. Returns whether there is none such."""
        as_declared = True
        self.counts["models"] += 1
        declared = {value: t for (path, value), t in values(given).items() if path == ""} if given else {}
        types = {value: t for (path, value), t in values(model).items() if path == ""}
        symbols = {}
        for value in (*model.graph.input, *model.graph.value_info, *model.graph.output):
            if value.name not in arrays:
                continue
            try:
                check_array(declared.get(value.name), arrays[value.name], {})
            except Contradiction:
                self.counts["arrays that contradict the declared type"] += 1
                as_declared = False
                continue
            try:
                check_array(types.get(value.name), arrays[value.name], symbols)
                self.counts["values"] += 1
            except Contradiction as error:
                self.counts["contradicted"] += 1
                print(f"{name}: {value.name} = {operators(model).get(('', value.name))}: {show(types[value.name])}: {error}")
        return as_declared


def recorded_by_code():
    """(name, model, {value: array}) of the backend tests that are made by code."""
    from onnx.backend.test.case import model, node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None) + model.collect_testcases()
    for case in cases:
        for inputs, outputs in case.data_sets or []:
            arrays = dict(zip([i.name for i in case.model.graph.input], inputs))
            arrays.update(zip([o.name for o in case.model.graph.output], outputs))
            yield case.name, case.model, {n: to_numpy(a) for n, a in arrays.items()}


def recorded_in_files(paths):
    """The same of models with recorded data beside them."""
    for path in paths:
        loaded = onnx.load(path, load_external_data=False)
        for folder in sorted(glob.glob(os.path.join(os.path.dirname(path), "test_data_set_*"))):
            arrays = {}
            for what, formals in (("input", loaded.graph.input), ("output", loaded.graph.output)):
                for i, formal in enumerate(formals):
                    file = os.path.join(folder, f"{what}_{i}.pb")
                    if os.path.exists(file) and kind(formal.type) == "tensor_type":
                        arrays[formal.name] = onnx.numpy_helper.to_array(onnx.load_tensor(file))
            yield f"{os.path.basename(os.path.dirname(path))}/{os.path.basename(folder)}", loaded, arrays


def to_numpy(value):
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    if isinstance(value, onnx.SequenceProto):
        return onnx.numpy_helper.to_list(value)
    if isinstance(value, onnx.OptionalProto):
        return onnx.numpy_helper.to_optional(value)
    return value


def made_up(model, rng, choices=(1, 2, 3)):
    """Inputs that fit the declared types, with one of the choices for each size that is not known; or None."""
    sizes, arrays = {}, {}
    initializers = {t.name for t in model.graph.initializer} | {t.values.name for t in model.graph.sparse_initializer}
    for value in model.graph.input:
        if value.name in initializers:
            continue
        if kind(value.type) != "tensor_type" or not value.type.tensor_type.HasField("shape"):
            return None
        shape = [
            d if isinstance(d, int) and d >= 0 else sizes.setdefault(d or object(), rng.choice(choices))
            for d in dimensions(value.type.tensor_type)
        ]
        if numpy.prod([max(1, d) for d in shape], dtype=float) > 1 << 24:
            return None
        element = value.type.tensor_type.elem_type
        if element == onnx.TensorProto.STRING:
            arrays[value.name] = numpy.full(shape, "a", dtype=object)
            continue
        try:
            dtype = onnx.helper.tensor_dtype_to_np_dtype(element)
        except KeyError:
            return None
        numbers = numpy.random.default_rng(rng.randrange(1 << 30))
        arrays[value.name] = (numbers.random(shape) if dtype.kind == "f" else numbers.integers(0, 2, shape)).astype(dtype)
    return arrays


def run_all(data):
    """{value: array} of a run in ONNX Runtime, or None where it does not run."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    model = onnx.ModelProto.FromString(data)
    # Padding by reflection and joins of halved images need large sizes, powers of two.
    inputs = [made_up(model, random.Random(1), choices) for choices in ((1, 2, 3), (256,))]
    names = {o.name for o in model.graph.output}
    model.graph.output.extend(
        onnx.ValueInfoProto(name=name) for node in model.graph.node for name in node.output if name and name not in names
    )
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception:
        return None
    results = (run_session(session, arrays) for arrays in inputs if arrays is not None)
    return next((arrays for arrays in results if arrays is not None), None)


def run_session(session, arrays):
    """The inputs and all outputs of a run, or None."""
    import onnxruntime

    wanted = [o.name for o in session.get_outputs()]
    run = onnxruntime.RunOptions()
    timer = threading.Timer(SECONDS, setattr, (run, "terminate", True))  # loops may go on forever
    timer.start()
    try:
        return {**arrays, **dict(zip(wanted, session.run(wanted, arrays, run)))}
    except Exception:
        return None
    finally:
        timer.cancel()


def compare_with_arrays(probe, sources):
    truth = Truth()
    records = []
    for source, paths in sources:
        records += recorded_by_code() if "made by its code" in source else recorded_in_files(paths)
    data = [without_value_info(clone(model)).SerializeToString() for _, model, _ in records]
    for start in range(0, len(records), BATCH):
        inferred = infer_all(probe, data[start : start + BATCH])
        for (name, given, arrays), (model, _) in zip(records[start:], inferred):
            truth.check(name, model, arrays, given)
    print(f"recorded arrays: {dict(truth.counts)}", flush=True)
    executed = Truth()
    for _, paths in sources:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            for batch in batches(paths, 16 << 20):
                ran = [pool.submit(run_all, data) for _, data in batch]
                for (path, _), (model, found), run in zip(batch, infer_all(probe, [d for _, d in batch]), ran):
                    arrays = run.result()
                    if arrays is None:
                        executed.counts["not run"] += 1
                        continue
                    as_declared = executed.check(path, model, arrays, onnx.load(path, load_external_data=False))
                    if errors(found):
                        executed.counts["false errors" if as_declared else "errors that the arrays prove"] += 1
                        print(f"{path}: runs, but: {errors(found)[0]['message']}")
    print(f"arrays of ONNX Runtime: {dict(executed.counts)}")
    return not (truth.counts["contradicted"] or executed.counts["contradicted"] or executed.counts["false errors"])


def clone(message):
    return type(message).FromString(message.SerializeToString())


# -- verdicts on damaged models


def retype(rng, found):
    message, field = fields_of(rng, found, lambda f, v: f.name in ("elem_type", "data_type") and not f.message_type)
    if message is not None:
        setattr(message, field.name, rng.choice([1, 7, 6, 9, 10, 11, rng.randrange(1, 27)]))


def resize(rng, found):
    message, field = fields_of(rng, found, lambda f, v: f.name in ("dim_value", "dims"))
    if message is None:
        return
    if not is_list(field):
        setattr(message, field.name, rng.choice([message.dim_value + 1, message.dim_value * 2, 1, 3, 5, 0]))
        return
    sizes = list(message.dims)
    rng.shuffle(sizes)  # the data still fit
    put(message, field, rng.choice([sizes, [1] + sizes, sizes + [1], [int(numpy.prod(sizes))]]))


def rerank(rng, found):
    if not found["TensorShapeProto"]:
        return
    shape = rng.choice(found["TensorShapeProto"])
    if rng.random() < 0.5 or not shape.dim:
        shape.dim.add().dim_value = rng.choice([1, 2, 3])
    else:
        del shape.dim[rng.randrange(len(shape.dim))]


def change_attribute(rng, found):
    if not found["AttributeProto"]:
        return
    attribute = rng.choice(found["AttributeProto"])
    if attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice([attribute.i + 1, attribute.i - 1, -attribute.i, 0, 1, 7, -7])
    elif attribute.type == onnx.AttributeProto.INTS:
        ints = list(attribute.ints)
        if ints and rng.random() < 0.6:
            ints[rng.randrange(len(ints))] = rng.choice([0, 1, 2, 3, -1, 9])
            put(attribute, attribute.DESCRIPTOR.fields_by_name["ints"], ints)
        else:
            put(attribute, attribute.DESCRIPTOR.fields_by_name["ints"], rng.choice([ints[:-1], ints + [1], []]))
    elif attribute.type == onnx.AttributeProto.STRING:
        attribute.s = rng.choice([attribute.s[:-1], b"SAME_UPPER", b"VALID", b"none", attribute.s.lower()])


def drop_attribute(rng, found):
    nodes = [n for n in found["NodeProto"] if n.attribute]
    if nodes:
        node = rng.choice(nodes)
        del node.attribute[rng.randrange(len(node.attribute))]


def rewire(rng, found):
    """An input of a node becomes another value of the model, or one is too many or too few."""
    nodes = [n for n in found["NodeProto"] if n.input]
    names = [v.name for v in found["ValueInfoProto"]] + [t.name for t in found["TensorProto"] if t.name]
    if not nodes or not names:
        return
    node = rng.choice(nodes)
    inputs = list(node.input)
    i = rng.randrange(len(inputs))
    choice = rng.random()
    if choice < 0.6:
        inputs[i] = rng.choice(names)
    elif choice < 0.8:
        inputs.pop()
    else:
        inputs.append(rng.choice(names))
    put(node, node.DESCRIPTOR.fields_by_name["input"], inputs)


def change_operator(rng, found):
    if found["NodeProto"]:
        operators_ = [n.op_type for n in found["NodeProto"]] + ["Add", "MatMul", "Relu", "Concat", "Transpose", "Reshape"]
        rng.choice(found["NodeProto"]).op_type = rng.choice(operators_)


def change_constant(rng, found):
    """A number of an integer constant, such as axes or a shape."""
    tensors = [t for t in found["TensorProto"] if t.data_type == onnx.TensorProto.INT64]
    if not tensors:
        return
    tensor = rng.choice(tensors)
    try:
        array = onnx.numpy_helper.to_array(tensor).copy()
    except (TypeError, ValueError):
        return
    if array.size == 0:
        return
    array.flat[rng.randrange(array.size)] = rng.choice([0, 1, 2, 3, -1, -2, 5, 100])
    tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))


ACCIDENTS = [retype, resize, resize, rerank, change_attribute, change_attribute, drop_attribute, rewire, change_operator,
             change_constant]


def mutant(paths, seed, index):
    rng = random.Random(f"{seed}:{index}")
    path = rng.choice(paths)
    model = onnx.load(path, load_external_data=False)
    names = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        accident = rng.choice(ACCIDENTS)
        names.append(accident.__name__)
        accident(rng, messages(model, collections.defaultdict(list)))
    where = f"{os.path.basename(os.path.dirname(path))}/{os.path.basename(path)}"
    return f"{seed}:{index} {where} {'+'.join(names)}", model.SerializeToString()


def full_check(data):
    try:
        onnx.checker.check_model(data, full_check=True)
    except Exception as error:
        return " ".join(str(error).split())[:300] or type(error).__name__
    return ""


def fails_in_runtime(data):
    """True where ONNX Runtime refuses the model, or computes an array that contradicts a declared type; None where no inputs
    can be made up for it."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    model = onnx.ModelProto.FromString(data)
    try:
        arrays = made_up(model, random.Random(1))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        if arrays is None:
            return None
        run = onnxruntime.RunOptions()
        timer = threading.Timer(SECONDS, setattr, (run, "terminate", True))
        timer.start()
        try:
            results = session.run(None, arrays, run)
        finally:
            timer.cancel()
        for output, array in zip(model.graph.output, results):
            check_array(output.type, array, {})
        return False
    except Exception:
        return True


def in_a_process(judge, data):
    """judge(data), or "it crashes"."""
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(judge, data).result()
        except concurrent.futures.process.BrokenProcessPool:
            return "it crashes"


def full_checks(batch):
    """What the reference says of each model; one that makes it crash is found by halving the batch."""
    try:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            return list(pool.map(full_check, batch, chunksize=16))
    except concurrent.futures.process.BrokenProcessPool:
        half = len(batch) // 2
        return full_checks(batch[:half]) + full_checks(batch[half:]) if half else ["it crashes"]


# What the reference does not look at, by the rule of our finding and the operator, and what says that it is wrong.
DEVIATIONS = {
    ("attribute-choice", ""): "the text of the operator names the words that the attribute takes",
    ("dimension-clash", "NegativeLogLikelihoodLoss"): "the text of the operator: the weights have the size of the classes",
    ("dimension-clash", "SoftmaxCrossEntropyLoss"): "the text of the operator: the weights have the size of the classes",
}


# What the reference alone refuses, by a part of its message, and why it is wrong.
REFUSALS = {
    "(op_type:RMSNormalization): Y has inconsistent type": "the signature gives Y the type of the scale, not that of X",
}


def explanation(found, refusal, data):
    """Why the verdicts differ, or nothing."""
    if not errors(found):
        why = next((why for part, why in REFUSALS.items() if part in refusal), "")
        return why or ("ONNX Runtime runs it" if in_a_process(fails_in_runtime, data) is False else "")
    finding = errors(found)[0]
    for (rule, operator), why in DEVIATIONS.items():
        if rule == finding["rule"] and operator in finding["message"]:
            return f"[{rule}] {why}"
    return f"[{finding['rule']}] ONNX Runtime refuses it, too" if in_a_process(fails_in_runtime, data) else ""


def undamaged(sources):
    """The small models that the reference accepts as they are."""
    paths = [p for _, found in sources for p in found if os.path.getsize(p) <= 100_000]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        refusals = pool.map(full_check, [pathlib.Path(p).read_bytes() for p in paths], chunksize=64)
        return [path for path, refusal in zip(paths, refusals) if not refusal]


def compare_verdicts(probe, sources, options):
    paths = undamaged(sources)
    counts = collections.Counter()
    explained = collections.Counter()
    for start in range(0, options.count, BATCH):
        batch = [mutant(paths, options.seed, i) for i in range(start, min(start + BATCH, options.count))]
        refusals = full_checks([data for _, data in batch])
        for (name, data), (_, found), refusal in zip(batch, infer_all(probe, [d for _, d in batch]), refusals):
            same = bool(errors(found)) == bool(refusal)
            counts["same" if same else "ours alone" if errors(found) else "theirs alone"] += 1
            counts["refused"] += bool(refusal)
            if same:
                continue
            why = explanation(found, refusal, data)
            if why:
                counts["explained"] += 1
                explained[f"{'ours' if errors(found) else 'theirs'} alone: {why}"] += 1
                continue
            ours = [f"{f['message']} [{f['rule']}]" for f in errors(found)[:1]]
            print(f"{'ours' if ours else 'theirs'} alone: {name}: {ours[0] if ours else refusal}")
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{name.split()[0].replace(':', '-')}.onnx").write_bytes(data)
    for why, count in explained.most_common():
        print(f"  {count} {why}")
    told = counts["same"] + counts["explained"]
    print(f"{options.count} mutants: {dict(counts)}")
    print(f"the same verdict: {counts['same'] / options.count:.3%}, with what is explained: {told / options.count:.3%}")
    return told >= 0.999 * options.count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("mode", choices=["reference", "truth", "mutants"])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    sources = [("given", options.paths)] if options.paths else [(s, models.models_of(s)) for s in models.SOURCES]
    sources = [(name, paths[:: options.every]) for name, paths in sources]
    if options.mode == "mutants":
        holds = compare_verdicts(options.probe, sources, options)
    else:
        holds = {"reference": compare_with_reference, "truth": compare_with_arrays}[options.mode](options.probe, sources)
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
