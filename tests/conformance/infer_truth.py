"""Compares inferred types with the arrays that models compute: recorded arrays, and those of ONNX Runtime."""

import collections
import concurrent.futures
import glob
import os
import random
import threading
import warnings

import numpy
import onnx
import onnx.helper
import onnx.numpy_helper
from infer_types import BATCH, batches, dimensions, errors, infer_all, inner, kind, operators, show, values, without_value_info

SECONDS = 10  # for a run of a model


class Contradiction(Exception):
    pass


def check_array(t, array, symbols):
    """Raises an exception if an array (or a list of arrays, or None) does not have the type; symbols have the same size within
    a run."""
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
        """Compares the arrays of one run, {name: array}, with the inferred types. Arrays that contradict what the model itself,
        `given`, declares are not compared. Returns whether there are no such arrays."""
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
    """Returns (name, model, {value: array}) of the backend tests that code generates."""
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
    """Like the function above, for models with recorded data."""
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
    """Returns inputs that fit the declared types, with one of the choices for each unknown size; or None."""
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


def session_of(model):
    """Returns a session of ONNX Runtime that runs the model as it is, or None if the model does not run."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception:
        return None


def run_all(data):
    """Returns {value: array} of a run in ONNX Runtime, or None if the model does not run."""
    model = onnx.ModelProto.FromString(data)
    # Padding by reflection and joins of halved images need large sizes, powers of two.
    inputs = [made_up(model, random.Random(1), choices) for choices in ((1, 2, 3), (256,))]
    names = {o.name for o in model.graph.output}
    model.graph.output.extend(
        onnx.ValueInfoProto(name=name) for node in model.graph.node for name in node.output if name and name not in names
    )
    session = session_of(model)
    if session is None:
        return None
    results = (run_session(session, arrays) for arrays in inputs if arrays is not None)
    return next((arrays for arrays in results if arrays is not None), None)


def run_session(session, arrays):
    """Returns the inputs and all outputs of a run, or None."""
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
