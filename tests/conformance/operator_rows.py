#!/usr/bin/env python3
"""Records what ONNX Runtime computes for random nodes of each operator and version, for the tests of type inference.

Usage: operator_rows.py FILE [--seed S] [--rows N] [--only OPERATOR]

FILE (testdata/inference/rows.gz) gets pairs of messages, each after its length as a varint: a ModelProto without the types of
its outputs, and a GraphProto with what ONNX Runtime computed for it: `output` has the types and shapes, `initializer` the
values of outputs that depend on constants only. The same seed and the same packages give the same file.

A row begins with a node that is known to run: a test of the `onnx` package, or a case of runtime_operators.py. The node is moved
to the other versions of its operator: an attribute that became an input becomes an attribute again, and so on. Then sizes,
ranks, element types, attributes and constants are changed at random, and optional inputs and outputs are left out. What ONNX
Runtime refuses is no row.
"""

import argparse
import collections
import concurrent.futures
import concurrent.futures.process
import gzip
import hashlib
import os
import random
import resource
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
import onnx.defs
import onnx.helper
import onnx.numpy_helper
import onnx.parser

import control_rows
import runtime_operators
from infer_truth import session_of
from row_changes import MOST_ELEMENTS, changed

DOMAINS = ("", "ai.onnx.ml", "com.microsoft")
MICROSOFT = "com.microsoft"
MOST_CONSTANTS = 64  # elements of a result whose values are recorded
TRIES = 10  # for each wanted row
# Operators whose results are random, or whose outputs are of the training mode.
SKIPPED = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"}
# Operators without a usable test in the `onnx` package: domain, version | inputs | node
MORE = """
"" 25 | float[2, 3] x | Cast <to = 7> (x)
"" 25 | int64[2, 3] x, float16[1] t | CastLike (x, t)
"" 25 | float[2, 3, 4] x | Mish (x)
"" 25 | float[1, 2, 5, 6] x | GlobalLpPool (x)
"" 25 | float[1, 2, 8, 8] x, float[3, 5] r | MaxRoiPool <pooled_shape = [2, 3]> (x, r)
ai.onnx.ml 1 | string[2, 3] x | CategoryMapper <cats_int64s = [1, 2], cats_strings = ["a", "b"]> (x)
ai.onnx.ml 1 | float[2, 3] x, float[2, 2] z | FeatureVectorizer <inputdimensions = [3, 2]> (x, z)
ai.onnx.ml 1 | float[2, 3] x | Imputer <imputed_value_floats = [0.5], replaced_value_float = 1.0> (x)
ai.onnx.ml 1 | float[2, 3] x | LinearClassifier <coefficients = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], intercepts = [0.5, 0.5], classlabels_ints = [0, 1]> (x)
ai.onnx.ml 1 | float[2, 3] x | LinearRegressor <coefficients = [1.0, 2.0, 3.0], intercepts = [0.5], targets = 1> (x)
ai.onnx.ml 1 | float[2, 3] x | Normalizer <norm = "MAX"> (x)
ai.onnx.ml 1 | int64[2, 3] x | OneHotEncoder <cats_int64s = [0, 1, 2], zeros = 1> (x)
ai.onnx.ml 1 | float[2, 3] x | Scaler <offset = [0.5], scale = [2.0]> (x)
ai.onnx.ml 1 | float[2, 3] x | SVMRegressor <coefficients = [1.0, 2.0], kernel_params = [0.5, 0.0, 3.0], kernel_type = "RBF", n_supports = 2, rho = [0.5], support_vectors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> (x)
ai.onnx.ml 3 | float[2, 3] x | TreeEnsembleRegressor <n_targets = 2, nodes_falsenodeids = [2, 0, 0], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_nodeids = [0, 1, 2], nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [0.5, 0.0, 0.0], target_ids = [0, 1], target_nodeids = [1, 2], target_treeids = [0, 0], target_weights = [1.0, 2.0]> (x)
ai.onnx.ml 3 | float[2, 3] x | TreeEnsembleClassifier <class_ids = [0, 1], class_nodeids = [1, 2], class_treeids = [0, 0], class_weights = [1.0, 2.0], classlabels_int64s = [0, 1], nodes_falsenodeids = [2, 0, 0], nodes_featureids = [0, 0, 0], nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_nodeids = [0, 1, 2], nodes_treeids = [0, 0, 0], nodes_truenodeids = [1, 0, 0], nodes_values = [0.5, 0.0, 0.0]> (x)
"""


def schemas():
    """Returns {(domain, operator): [schema, the oldest first]} of the standard operators."""
    found = collections.defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in DOMAINS and schema.name not in SKIPPED:
            found[schema.domain, schema.name].append(schema)
    return {key: sorted(of, key=lambda schema: schema.since_version) for key, of in found.items()}


class Seed:
    """A node with arrays for its inputs; `constant` are the inputs that are initializers."""

    def __init__(self, node, arrays, constant=()):
        self.node, self.arrays, self.constant = node, arrays, set(constant)

    def copy(self):
        node = onnx.NodeProto()
        node.CopyFrom(self.node)
        return Seed(node, dict(self.arrays), self.constant)


def tests_of_onnx():
    from onnx.backend.test.case import node

    np.random.seed(0)  # some tests draw their data
    random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None)
    for case in cases:
        nodes = case.model.graph.node
        if len(nodes) != 1 or case.model.functions or not case.data_sets:
            continue
        arrays = dict(zip([value.name for value in case.model.graph.input], case.data_sets[0][0]))
        arrays = {name: array for name, array in arrays.items() if name in nodes[0].input}
        if all(isinstance(array, np.ndarray) or np.isscalar(array) for array in arrays.values()):
            yield Seed(nodes[0], {name: np.asarray(array) for name, array in arrays.items()})


def tests_of_runtime():
    for line in filter(None, map(str.strip, runtime_operators.CASES.splitlines())):
        case = runtime_operators.Case(line)
        model = onnx.parser.parse_model(case.text())
        shapes = {name: [runtime_operators.SIZES.get(dim) or int(dim) for dim in dims] for _, dims, name in case.inputs}
        arrays = {name: np.ones(shapes[name], runtime_operators.ELEMENTS[element]) for element, _, name in case.inputs}
        constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        yield Seed(model.graph.node[0], {**arrays, **constants}, constants)


def more_tests():
    numbers = np.random.default_rng(1)
    for line in filter(None, map(str.strip, MORE.splitlines())):
        opset, inputs, node = (part.strip() for part in line.split("|"))
        domain, version = opset.split()
        domain = domain.strip('"')
        outputs = "y, z" if "Classifier" in node else "y"
        model = onnx.parser.parse_model(
            f'<ir_version: 10, opset_import: ["": 25, "ai.onnx.ml": {version if domain else 3}]> g ({inputs}) => ({outputs}) '
            f'{{ {outputs} = {domain}{"." if domain else ""}{node} }}')
        arrays = {}
        for value in model.graph.input:
            tensor = value.type.tensor_type
            shape = [dim.dim_value for dim in tensor.shape.dim]
            text = tensor.elem_type == onnx.TensorProto.STRING
            arrays[value.name] = np.full(shape, "a", object) if text else numbers.integers(0, 3, shape).astype(
                onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        yield Seed(model.graph.node[0], arrays)


def seeds():
    found = collections.defaultdict(list)
    for seed in (*tests_of_onnx(), *tests_of_runtime(), *more_tests()):
        if sum(array.size for array in seed.arrays.values()) <= MOST_ELEMENTS:
            found[seed.node.domain, seed.node.op_type].append(seed)
    return found


# ---- moving a node to another version


def scalar_or_list(array):
    return array.item() if array.ndim == 0 else [x.item() for x in array.ravel()]


def moved(seed, schema):
    """Returns the node as a node of this version; what the version has as an attribute is no input, and the reverse."""
    seed = seed.copy()
    node = seed.node
    formals = [formal.name for formal in schema.inputs]
    newest = onnx.defs.get_schema(node.op_type, node.domain)
    inputs = list(node.input)
    for i, (name, formal) in enumerate(zip(node.input, newest.inputs)):
        if formal.name in formals or not name or name not in seed.arrays:
            continue
        if formal.name in schema.attributes:
            value = scalar_or_list(seed.arrays[name])
            if schema.attributes[formal.name].type == onnx.defs.OpSchema.AttrType.INT and isinstance(value, list):
                value = value[0] if value else 0
            if value != []:
                node.attribute.append(onnx.helper.make_attribute(formal.name, value))
        inputs[i] = ""
    while inputs and not inputs[-1]:
        inputs.pop()
    variadic = schema.inputs and schema.inputs[-1].option == onnx.defs.OpSchema.FormalParameterOption.Variadic
    del node.input[:]
    node.input.extend(inputs if variadic else inputs[: len(formals)])
    kept = [attribute for attribute in node.attribute if attribute.name in schema.attributes]
    del node.attribute[:]
    node.attribute.extend(kept)
    return seed


# ---- the model of a node


def model_of(seed, opsets):
    node = seed.node
    used = [name for name in dict.fromkeys(node.input) if name]
    model = onnx.ModelProto(ir_version=10, graph=onnx.GraphProto(name="g"))
    model.opset_import.extend(onnx.OperatorSetIdProto(domain=d, version=v) for d, v in sorted(opsets.items()))
    names = {}
    for name in used:
        if name not in seed.arrays:
            return None, None  # a sequence or an optional value
        names[name] = f"i{len(names)}"
    made = model.graph.node.add()
    made.CopyFrom(node)
    made.name, made.doc_string = "", ""
    del made.input[:], made.output[:]
    made.input.extend(names.get(name, "") for name in node.input)
    made.output.extend(f"o{i}" if name else "" for i, name in enumerate(node.output))
    for attribute in made.attribute:
        for value in (*attribute.g.input, *attribute.g.output, *attribute.g.value_info):
            value.type.tensor_type.ClearField("shape")  # ONNX Runtime runs a body whose shapes contradict the values
    given = {}
    for name in used:
        array = seed.arrays[name]
        if name in seed.constant and array.size <= MOST_CONSTANTS:
            model.graph.initializer.append(onnx.numpy_helper.from_array(array, names[name]))
        else:
            element = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            model.graph.input.append(onnx.helper.make_tensor_value_info(names[name], element, array.shape))
            given[names[name]] = array
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in made.output if name)
    return model, given


# ---- rows that say nothing


def attribute_of(node, name, default=None):
    return next((onnx.helper.get_attribute_value(a) for a in node.attribute if a.name == name), default)


def pads_of(node):
    kernel = attribute_of(node, "kernel_shape", [])
    return attribute_of(node, "pads", []) or [0] * (2 * len(kernel))


def means_nothing(seed):
    """Returns whether the operator's text gives the node no meaning, or one that ONNX Runtime knowingly does not follow."""
    node, arrays = seed.node, [seed.arrays.get(name) for name in seed.node.input]
    operator = node.op_type
    axes = attribute_of(node, "axes")
    if axes is None and operator.startswith(("Reduce", "Squeeze", "Unsqueeze")) and len(arrays) > 1 and arrays[1] is not None:
        axes = [int(axis) for axis in arrays[1].ravel()]
    rank = arrays[0].ndim if arrays and arrays[0] is not None else 0
    if axes is not None and rank and len({axis % rank for axis in axes}) != len(axes):
        return True  # an axis twice
    if operator == "Squeeze" and axes == []:
        return True  # ONNX Runtime reads an empty list as none
    if operator.startswith(("Reduce", "ArgM")) and arrays[0] is not None and arrays[0].size == 0:
        return True  # ONNX Runtime keeps the shape of an empty input in some versions
    if any(attribute_of(node, flag, 0) not in (0, 1) for flag in ("noop_with_empty_axes", "ceil_mode")):
        return True
    if operator == "PRelu" and len(arrays) == 2 and arrays[1] is not None and arrays[1].ndim > rank:
        return True  # the slope must fit the shape of the input
    if operator == "NonZero" and rank == 0:
        return True  # the text says [0, N], ONNX Runtime [1, N]
    if attribute_of(node, "auto_pad", b"NOTSET") != b"NOTSET" and attribute_of(node, "pads"):
        return True  # the two exclude each other
    if attribute_of(node, "auto_pad", b"NOTSET").startswith(b"SAME") and set(attribute_of(node, "dilations", [1])) != {1}:
        return True  # ONNX Runtime's size is not the one of the text, the input's size divided by the stride
    if operator.endswith("Pool") and arrays[0] is not None:
        kernel, pads = attribute_of(node, "kernel_shape", []), pads_of(node)
        dilations = attribute_of(node, "dilations", [1] * len(kernel))
        sizes = arrays[0].shape[2:]
        if len(sizes) == len(kernel) == len(dilations) and len(pads) == 2 * len(kernel):
            for size, window, dilation, begin, end in zip(sizes, kernel, dilations, pads, pads[len(kernel) :]):
                if size + begin + end < (window - 1) * dilation + 1 and attribute_of(node, "auto_pad", b"NOTSET") in (b"NOTSET", b"VALID"):
                    return True  # the window does not fit
    return False


# ---- running


def type_of(value):
    """Returns the type of what a run gave, or None if it has none that can be compared."""
    if isinstance(value, np.ndarray):
        try:
            element = onnx.TensorProto.STRING if value.dtype.kind in "OUS" else onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        except (KeyError, ValueError):
            return None
        return onnx.helper.make_tensor_type_proto(element, value.shape)
    if isinstance(value, list) and value and all(isinstance(x, np.ndarray) for x in value):
        types = [type_of(x) for x in value]
        if None in types or len({t.tensor_type.elem_type for t in types}) != 1:
            return None
        shapes = {tuple(d.dim_value for d in t.tensor_type.shape.dim) for t in types}
        element = types[0] if len(shapes) == 1 else onnx.helper.make_tensor_type_proto(types[0].tensor_type.elem_type, None)
        return onnx.helper.make_sequence_type_proto(element)
    return None


def answer(model, given):
    """Returns what ONNX Runtime computes, or None if it refuses."""
    session = session_of(model)
    if session is None:
        return None
    try:
        results = session.run(None, given)
    except Exception:
        return None
    found = onnx.GraphProto()
    for value, result in zip(session.get_outputs(), results):
        if isinstance(result, np.ndarray) and result.size > MOST_ELEMENTS * 16:
            return None
        t = type_of(result)
        # A run gives the element of an optional value, whose own type is not known then; so only tensors are compared.
        if t is None or (t.HasField("tensor_type") and not value.type.startswith("tensor")):
            continue
        if model.graph.node[0].op_type in ("Loop", "Scan") and any(d.dim_value == 0 for d in t.tensor_type.shape.dim):
            return None  # without a run of its body, ONNX Runtime replaces sizes that it does not know by 0
        found.output.add(name=value.name, type=t)
        if not model.graph.input and isinstance(result, np.ndarray) and result.size <= MOST_CONSTANTS and result.dtype.kind in "biuf":
            found.initializer.append(onnx.numpy_helper.from_array(result, value.name))
    return found if found.output else None


def limited():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where failed assertions are printed
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_all(batch):
    return [(model, found.SerializeToString()) for model, given in batch
            if (found := answer(onnx.ModelProto.FromString(model), given)) is not None]


class Runner:
    """Runs models in a process of its own, because some of them end it."""

    def __init__(self):
        self.pool, self.crashed = None, 0

    def run(self, batch):
        if not batch:
            return []
        self.pool = self.pool or concurrent.futures.ProcessPoolExecutor(1, initializer=limited)
        try:
            return self.pool.submit(run_all, batch).result(timeout=60)
        except (concurrent.futures.process.BrokenProcessPool, concurrent.futures.TimeoutError):
            for process in list((self.pool._processes or {}).values()):
                process.kill()
            self.pool.shutdown()
            self.pool = None
            self.crashed += len(batch) == 1
            half = len(batch) // 2
            return self.run(batch[:half]) + self.run(batch[half:]) if half else []


# ---- one operator


def newest_runnable():
    """Returns the newest version of the default domain that ONNX Runtime runs."""
    for version in range(onnx.defs.onnx_opset_version(), 0, -1):
        seed = Seed(onnx.helper.make_node("Identity", ["x"], ["y"]), {"x": np.zeros(1, np.float32)})
        model, given = model_of(seed, {"": version})
        if answer(model, given) is not None:
            return version
    sys.exit("ONNX Runtime does not run")


def versions(key, of, newest):
    """Returns (schema, opsets) for each version of the operator: the newest operator set that has this version."""
    domain, _ = key
    for i, schema in enumerate(of):
        last = of[i + 1].since_version - 1 if i + 1 < len(of) else (newest if domain == "" else 5)
        last = min(last, newest) if domain == "" else last
        if schema.deprecated or last < max(schema.since_version, 7 if domain == "" else 1):
            continue
        yield schema, ({"": last} if domain == "" else {"": newest, domain: last})


def rows_of(runner, key, schema, opsets, known, words, options):
    name = f"{options.seed}:{key}:{opsets}"
    rng = random.Random(hashlib.sha256(name.encode()).hexdigest())
    found, tried = {}, set()
    for _ in range(TRIES):
        batch = []
        for _ in range(options.rows):
            seed = rng.choice(known)
            if schema is not None:
                seed = moved(seed, schema)
            seed = changed(rng, seed, schema, words)
            model, given = (None, None) if means_nothing(seed) else model_of(seed, opsets)
            if model is None:
                continue
            data = model.SerializeToString()
            if data not in tried:
                tried.add(data)
                batch.append((data, given))
        found.update(runner.run(batch))
        if len(found) >= options.rows:
            break
    return list(found.items())[: options.rows]


def write(path, rows):
    def varint(n):
        out = bytearray()
        while n > 127:
            out.append(n & 127 | 128)
            n >>= 7
        return bytes([*out, n])

    data = b"".join(varint(len(part)) + part for row in rows for part in row)
    with open(path, "wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=9, mtime=0) as zipped:
        zipped.write(data)
    return len(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--rows", default=40, type=int, help="rows for each version of an operator")
    parser.add_argument("--only", help="one operator")
    options = parser.parse_args()
    runner, known = Runner(), seeds()
    newest = newest_runnable()
    words = {key: sorted({a.SerializeToString() for seed in of for a in seed.node.attribute}) for key, of in known.items()}
    standard = schemas()
    rows, counts, without = [], {}, []
    todo = [(key, schema, opsets) for key, of in sorted(standard.items()) for schema, opsets in versions(key, of, newest)]
    todo += [(key, None, {"": newest, MICROSOFT: 1}) for key in sorted(known) if key[0] == MICROSOFT]
    for key, schema, opsets in todo:
        if options.only and key[1] != options.only:
            continue
        if key not in known:
            without.append(key)
            continue
        part = rows_of(runner, key, schema, opsets, known[key], words, options)
        counts[key, schema.since_version if schema else 1] = len(part)
        rows += part
    if options.only in (None, "control"):
        part = control_rows.rows(runner, options.seed, newest)
        counts[("", "control flow"), newest] = len(part)
        rows += part
    size = write(options.file, rows)
    few = [f"{operator}-{version}: {n}" for ((_, operator), version), n in counts.items() if n < options.rows // 2]
    print(f"{len(rows)} rows of {len(counts)} versions of {len({key for key, _ in counts})} operators, {size} bytes,"
          f" {options.file.stat().st_size} compressed; {runner.crashed} models ended ONNX Runtime")
    print("few rows:", ", ".join(few))
    print("no test of onnx to begin with:", ", ".join(sorted({operator for _, operator in without})))


if __name__ == "__main__":
    main()
