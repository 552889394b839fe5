"""Compares the verdicts of onnxc and of the `onnx` package on models that were changed at random."""

import collections
import concurrent.futures
import concurrent.futures.process
import os
import pathlib
import random
import signal
import threading

import numpy
import onnx
from check_mutants import fields_of, is_list, messages, put
from infer_truth import SECONDS, check_array, made_up
from infer_types import BATCH, errors, infer_all

SECONDS_OF_CHECK = 3  # of the processor, for the reference's verdict on a model


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
    """Replaces an input of a node by another value of the model, or adds or removes an input."""
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
    """Changes a number in an integer constant, such as axes or a shape."""
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


def limit_time(seconds):
    """Ends this process if it works for too long from now on, because some changed models cause endless loops in C++ code."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def full_check(data):
    limit_time(SECONDS_OF_CHECK)
    try:
        onnx.checker.check_model(data, full_check=True)
    except Exception as error:
        return " ".join(str(error).split())[:300] or type(error).__name__
    return ""


def fails_in_runtime(data):
    """Returns True if ONNX Runtime refuses the model, or computes an array that contradicts a declared type; None if no inputs
    can be made for it."""
    import onnxruntime

    limit_time(3 * SECONDS)
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
    """Returns judge(data), or "it crashes" if the process crashes or does not end."""
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(judge, data).result()
        except concurrent.futures.process.BrokenProcessPool:
            return "it crashes"


def full_checks(batch):
    """Returns the verdict of the reference for each model. A model that makes it crash or loop is found by halving the
    batch."""
    try:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            return list(pool.map(full_check, batch, chunksize=16))
    except concurrent.futures.process.BrokenProcessPool:
        half = len(batch) // 2
        return full_checks(batch[:half]) + full_checks(batch[half:]) if half else ["it crashes"]


# Errors that the reference does not check: the rule of onnxc's finding and the operator, with the source that proves
# the error.
DEVIATIONS = {
    ("attribute-choice", ""): "the text of the operator names the words that the attribute takes",
    ("dimension-clash", "NegativeLogLikelihoodLoss"): "the text of the operator: the weights have the size of the classes",
    ("dimension-clash", "SoftmaxCrossEntropyLoss"): "the text of the operator: the weights have the size of the classes",
}


# Models that only the reference refuses: a part of its message, and the reason why the reference is wrong.
REFUSALS = {
    "(op_type:RMSNormalization): Y has inconsistent type": "the signature gives Y the type of the scale, not that of X",
}


def explanation(found, refusal, data):
    """Returns the reason why the verdicts differ, or nothing."""
    if not errors(found):
        why = next((why for part, why in REFUSALS.items() if part in refusal), "")
        return why or ("ONNX Runtime runs it" if in_a_process(fails_in_runtime, data) is False else "")
    finding = errors(found)[0]
    for (rule, operator), why in DEVIATIONS.items():
        if rule == finding["rule"] and operator in finding["message"]:
            return f"[{rule}] {why}"
    return f"[{finding['rule']}] ONNX Runtime refuses it, too" if in_a_process(fails_in_runtime, data) else ""


def undamaged(sources):
    """Returns the small models that the reference accepts unchanged."""
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
