#!/usr/bin/env python3
"""Converts models to other versions of the operators, and compares their outputs in ONNX Runtime.

opsets.py ONNXC cases            the pairs of testdata/opsets/cases.txt, in both directions
opsets.py ONNXC nodes VERSION... the node tests of the onnx package, to each of the versions
opsets.py ONNXC models COUNT VERSION... COUNT models of Debian's libonnx-testdata and of the onnx package, to each of the versions
                                 (`newest`: the newest version that ONNX Runtime takes), beside onnx.version_converter; prints a table

Each result must pass the checker of the onnx package (unless the model before does not), and give equal outputs. A result for which
ONNX Runtime has no kernel, or whose version is newer than ONNX Runtime, is only checked. The exit status is 1 if a result is wrong, is
invalid or does not run, if a recorded pair is refused, or if no result is equal. In the table, "not comparable" are models that
ONNX Runtime does not run before or after the conversion, because it has no kernel for the version, and random ones.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("ALLOW_RELEASED_ONNX_OPSET_ONLY", "0")
warnings.filterwarnings("ignore")
import numpy as np
import onnx
import onnx.version_converter
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(4)
CASES = pathlib.Path(__file__).parents[2] / "testdata/opsets/cases.txt"
# Outputs of these differ for a reason that is not the conversion.
EXEMPT = {
    "Dropout": "the mask in inference is all false before version 12 in ONNX Runtime, and all true since",
    "Bernoulli": "random",
    "RandomUniformLike": "random",
}


def outputs(model, feeds):
    """Runs the model without optimizations. Returns its outputs, or the error."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        names = {value.name for value in session.get_inputs()}
        return session.run(None, {name: value for name, value in feeds.items() if name in names})
    except Exception as error:  # a kind for each cause
        return str(error)


def are_equal(one, other):
    if isinstance(one, list):
        return len(one) == len(other) and all(are_equal(*pair) for pair in zip(one, other))
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape:
        return False
    if one.dtype.kind in "OSUb":
        return one.dtype.kind == other.dtype.kind and bool((one == other).all())
    return one.dtype == other.dtype and np.allclose(one.astype(float), other.astype(float), 1e-3, 1e-4, equal_nan=True)


def is_valid(model):
    try:
        onnx.checker.check_model(model, full_check=True)
        return ""
    except Exception as error:
        return " ".join(str(error).split())[:200]


def convert(onnxc, model, version, folder):
    onnx.save(model, f"{folder}/in.onnx")
    call = [onnxc, "set", "--opset", version, f"{folder}/in.onnx", "-o", f"{folder}/out.onnx"]
    process = subprocess.run(call, capture_output=True, text=True)
    if process.returncode:
        return None, process.stderr.split("\n")[0]
    return onnx.load(f"{folder}/out.onnx"), ""


def judge(before, feeds, after):
    """Returns the result of a conversion in one word, and the details."""
    invalid = is_valid(after)
    if invalid and not is_valid(before):
        return "INVALID", invalid
    one, other = outputs(before, feeds), outputs(after, feeds)
    if isinstance(other, str):
        # ONNX Runtime infers fewer shapes with old operators, and its Scan needs them.
        missing = ("NOT_IMPLEMENTED", "must have the shape set", "is under development", "Unsupported model IR version")
        is_missing = any(each in other for each in missing) or isinstance(one, str)
        return ("no kernel" if is_missing else "DOES NOT RUN"), other[-200:]
    if isinstance(one, str):
        return "no kernel before", ""
    if are_equal(one, other):
        return "equal", ""
    operators = {node.op_type for node in before.graph.node}
    exempt = [EXEMPT[each] for each in operators if each in EXEMPT]
    return ("exempt", exempt[0]) if exempt else ("WRONG", "other outputs")


def random_feeds(model):
    random = np.random.default_rng(1)
    feeds = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [each.dim_value or 2 for each in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if dtype == object:
            feeds[value.name] = random.choice(np.array(["a", "b", "c"], dtype=object), shape)
        else:
            feeds[value.name] = np.asarray(random.uniform(0, 3, shape)).astype(dtype)
    return feeds


def recorded():
    """Returns the models of the recorded pairs, and the versions to which they are converted."""
    for block in CASES.read_text().split("\n==== ")[1:]:
        head, text = block.split("\n", 1)
        name, up, down, *domain = head.split()
        domain = "".join(domain)
        old, new = (onnx.parser.parse_model(each) for each in text.split("\n--\n"))
        version = lambda model: next(each.version for each in model.opset_import if each.domain == domain)
        prefix = f"{domain}=" if domain else ""
        if up[-1] in "=~":
            yield f"{name} up", old, random_feeds(old), f"{prefix}{version(new)}"
        if down[-1] in "=~":
            yield f"{name} down", new, random_feeds(new), f"{prefix}{version(old)}"


def node_tests(versions):
    from onnx.backend.test.case.node import collect_testcases

    def value(each):
        if isinstance(each, onnx.TensorProto):
            return numpy_helper.to_array(each)
        return numpy_helper.to_list(each) if isinstance(each, onnx.SequenceProto) else each

    for case in collect_testcases():
        model = case.model
        given = [value(each) for each in case.data_sets[0][0]]
        is_other = any(each.domain not in ("", "ai.onnx.ml") for each in model.opset_import)
        if is_other or any(each is None for each in given):
            continue
        feeds = dict(zip((each.name for each in model.graph.input), given))
        for version in versions:
            yield case.name, model, feeds, version


# ---- real models, and the converter of the onnx package

KINDS = ("equal", "not comparable", "refused", "invalid", "wrong")
KIND_OF = {"equal": "equal", "refused": "refused", "refused by the check": "refused", "INVALID": "invalid", "WRONG": "wrong",
           "DOES NOT RUN": "wrong"}


def real_models(count):
    """Returns the paths of the models: all files of the backend tests, then models of libonnx-testdata and of the node tests at
    equal distances. Models with the same nodes and types are taken once."""
    import models

    seen, lists = set(), []
    for source in ("onnx.backend.test, files", "libonnx-testdata", "onnx.backend.test, made by its code"):
        paths = []
        for path in models.models_of(source):
            if os.path.getsize(path) > 1 << 20:
                continue
            try:
                model = onnx.load(path)
            except Exception:  # no model, or its data are missing
                continue
            key = (model.graph.SerializeToString(), str(model.opset_import))
            if key not in seen and all(each.domain in ("", "ai.onnx", "ai.onnx.ml") for each in model.opset_import):
                seen.add(key)
                paths.append(path)
        lists.append(paths)
    chosen = []
    for i, paths in enumerate(lists):
        wanted = min(len(paths), (count - len(chosen)) // (len(lists) - i))
        chosen += [paths[j * len(paths) // wanted] for j in range(wanted)]
    return chosen


def recorded_feeds(path, model):
    """Returns the inputs that are stored beside the model, or random ones."""
    initializers = {each.name for each in model.graph.initializer}
    names = [each.name for each in model.graph.input if each.name not in initializers]
    feeds = {}
    for i, name in enumerate(names):
        file = os.path.join(os.path.dirname(path), "test_data_set_0", f"input_{i}.pb")
        if not os.path.exists(file):
            return {name: value for name, value in random_feeds(model).items() if name not in initializers}
        with open(file, "rb") as data:
            feeds[name] = numpy_helper.to_array(onnx.TensorProto.FromString(data.read()))
    return feeds


def judge_model(onnxc, path, version):
    """Returns a kind and the details, for onnxc and for the converter of the onnx package."""
    model = onnx.load(path)
    try:
        feeds = recorded_feeds(path, model)
    except Exception as error:
        return [("not comparable", f"inputs: {error}")] * 2
    results = []
    for tool in ("onnxc", "reference"):
        try:
            if tool == "onnxc":
                with tempfile.TemporaryDirectory() as folder:
                    after, refusal = convert(onnxc, model, version, folder)
            else:
                after, refusal = onnx.version_converter.convert_version(model, int(version)), ""
        except Exception as error:
            after, refusal = None, str(error)
        result, details = ("refused", refusal) if after is None else judge(model, feeds, after)
        results.append((KIND_OF.get(result, "not comparable"), " ".join(details.split())[:300]))
    return results


def newest_version():
    """Returns the newest version of the operators that ONNX Runtime takes."""
    for version in range(onnx.defs.onnx_opset_version(), 0, -1):
        value = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1])
        graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", [value("x")], [value("y")])
        imports = [onnx.helper.make_opsetid("", version)]
        model = onnx.helper.make_model(graph, opset_imports=imports, ir_version=onnx.helper.find_min_ir_version_for(imports))
        if not isinstance(outputs(model, {"x": np.ones(1, np.float32)}), str):
            return version


def compare_models(onnxc, count, versions):
    versions = [str(newest_version()) if each == "newest" else each for each in versions]
    paths = real_models(int(count))
    jobs = [(onnxc, path, version) for version in versions for path in paths]
    tables = {(tool, version): collections.Counter() for version in versions for tool in ("onnxc", "reference")}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for (_, path, version), results in zip(jobs, pool.map(judge_model, *zip(*jobs), chunksize=4)):
            for tool, (kind, details) in zip(("onnxc", "reference"), results):
                tables[tool, version][kind] += 1
                if kind in ("wrong", "invalid") or os.environ.get("SHOW") == kind:
                    print(f"{tool}: {path} to {version}: {kind}: {details}")
    print(f"{len(paths)} models")
    print(f"| to version | by | {' | '.join(KINDS)} |")
    print("|---|---|" + "---|" * len(KINDS))
    for (tool, version), table in tables.items():
        name = "onnxc" if tool == "onnxc" else "onnx.version_converter"
        print(f"| {version} | {name} | {' | '.join(str(table[kind]) for kind in KINDS)} |")
    ours = [table for (tool, _), table in tables.items() if tool == "onnxc"]
    return any(table["wrong"] or table["invalid"] or not table["equal"] for table in ours)


def main():
    onnxc, what, *versions = sys.argv[1:]
    if what == "models":
        sys.exit(compare_models(onnxc, versions[0], versions[1:]))
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, model, feeds, version in recorded() if what == "cases" else node_tests(versions):
            after, refusal = convert(onnxc, model, version, folder)
            result, details = ("refused", refusal) if after is None else judge(model, feeds, after)
            if after is None and what == "cases":
                result = "REFUSED"
            elif "would be wrong" in details:
                result = "refused by the check"
            count[re.sub(".*=", "", version) if what == "nodes" else "", result] += 1
            if result.isupper():
                print(f"{name} to {version}: {result}: {details}")
    for (version, result), number in sorted(count.items()):
        print(f"{version:>3} {result:20} {number}")
    sys.exit(any(result.isupper() for _, result in count) or not any(result == "equal" for _, result in count))


main()
