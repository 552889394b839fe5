"""Shared functions of the tests with real models: they find the models, and compare two models. Needs the `onnx` package
(PyPI, 1.23).
"""
import atexit, concurrent.futures, glob, os, shutil, subprocess, sys, tempfile, warnings

try:
    import onnx
    import onnx.numpy_helper
    import onnx.onnx_cpp2py_export as reference
except ImportError:
    print("skipped: the `onnx` package (PyPI, 1.23) is not installed")
    sys.exit(77)

from conform import normalise

SOURCES = ("libonnx-testdata", "onnx.backend.test, files", "onnx.backend.test, made by its code")


def models_of(source):
    """Returns the paths of the models in Debian's package of test data, or in the backend tests of the wheel; [] if it is not
    installed."""
    if source == "libonnx-testdata":
        listed = subprocess.run(["dpkg", "-L", "libonnx-testdata"], capture_output=True, text=True)
        return sorted(path for path in listed.stdout.splitlines() if path.endswith(".onnx"))
    if source.endswith("files"):
        data = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data")
        return sorted(glob.glob(os.path.join(data, "**", "*.onnx"), recursive=True))
    return make_cases()


def check_all(judge, report):
    """Runs a check: calls judge(ONNXC, path) for each model, and then report(source, paths, verdicts), which prints the result
    and returns whether it is good. Returns the exit status: 1 if a result is not good, 77 if there are no models. Models on the
    command line replace those of SOURCES."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} ONNXC [MODEL...]")
    holds = []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for source in ("given",) if sys.argv[2:] else SOURCES:
            paths = sys.argv[2:] or models_of(source)
            if paths:
                holds.append(report(source, paths, list(pool.map(judge, [sys.argv[1]] * len(paths), paths, chunksize=8))))
            else:
                print(f"{source}: skipped, not installed")
    return 77 if not holds else 0 if all(holds) else 1


def make_cases():
    """Writes the models that the backend tests generate to a temporary folder."""
    from onnx.backend.test.case import model, node

    folder = tempfile.mkdtemp(prefix="onnxc_models_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None) + model.collect_testcases()
    paths = []
    for case in cases:
        if case.model is not None:
            paths.append(os.path.join(folder, f"{len(paths):04}_{case.name}.onnx"))
            onnx.save(case.model, paths[-1])
    return paths


def decode(message):
    """Stores the elements of all tensors in one form, in place."""
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for item in value if hasattr(value, "extend") else [value]:
            if isinstance(item, onnx.TensorProto):
                decode_tensor(item)
            else:
                decode(item)
    return message


def decode_tensor(tensor):
    if tensor.data_location == onnx.TensorProto.EXTERNAL or tensor.data_type == onnx.TensorProto.STRING:
        return
    try:
        elements = onnx.numpy_helper.to_array(tensor).tobytes()
    except (TypeError, ValueError):
        return  # data that do not fit the dimensions stay as they are
    for field in ("raw_data", "float_data", "int32_data", "int64_data", "double_data", "uint64_data"):
        tensor.ClearField(field)
    tensor.raw_data = elements


def exactly(data):
    """Returns what is compared at L0: all bytes, except for the order of fields."""
    return onnx.ModelProto.FromString(data).SerializeToString(deterministic=True)


def meaning(data):
    """Returns what is compared at L2: everything except fields with default values, and the fields in which tensors store their
    elements.
    """
    return decode(normalise(onnx.ModelProto.FromString(data))).SerializeToString(deterministic=True)


def reference_parse(text):
    """Returns (the meaning of the message that the reference parser makes of a text or None, its error)."""
    try:
        ok, message, data = reference.parser.parse_model(text)
    except Exception as error:
        return None, f"it throws: {error}"
    if not ok:
        return None, " ".join((message.decode("utf-8", "replace") if isinstance(message, bytes) else message).split())
    return meaning(data), ""
