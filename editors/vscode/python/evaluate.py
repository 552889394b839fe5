"""Runs a model in ONNX Runtime, and returns its values.

    evaluate.py MODEL FOLDER < REQUEST

MODEL is the file of the model. FOLDER is the folder of its weights. The request is a JSON object:

    values   the names of the requested values, which must be outputs of nodes
    inputs   a file with the inputs (.npz, .npy or .json); null for random inputs
    sizes    the sizes of named dimensions for random inputs; 2 for names that are not listed

The answer is a JSON object. "values" is a list of objects with "name", "type" ("float[2, 3]"), "contents" (the first elements)
and "about". "findings" lists values whose shapes differ from the shapes that the model declares, with "name" and "message". If
the request cannot be done, the answer is {"error": ...}.
"""
import json
import sys

import numpy
import onnxruntime

MOST = 8  # elements that are shown
WORDS = {"float32": "float", "float64": "double", "object": "string", "str": "string"}  # the other names are the same
ELEMENTS = {"float": "float32", "double": "float64", "string": "object"}


class Failure(Exception):
    """An error that is shown to the user."""


def varint(number):
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(data + bytes([number]))


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def with_outputs(model, names):
    """Returns the model with these values as additional outputs of its graph. The outputs are appended to the bytes of the
    model as a second graph field, because protobuf merges it with the first one."""
    graph = b"".join(field(12, field(1, name.encode())) for name in names)
    return model + field(7, graph)


def session_of(model, folder):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # keeps all values
    options.log_severity_level = 3
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def element_of(declared):
    """Returns the numpy type of the elements of a tensor type such as `tensor(float)`. Returns None for other types, and for
    types that numpy does not have."""
    word = declared.removeprefix("tensor(").removesuffix(")")
    name = ELEMENTS.get(word, word)
    is_known = declared == f"tensor({word})" and (name == "object" or name in numpy.sctypeDict)
    return numpy.dtype(name) if is_known else None


def at_random(inputs, sizes):
    random = numpy.random.default_rng(0)  # gives the same values in each run
    values = {}
    for each in inputs:
        element = element_of(each.type)
        if element is None:
            raise Failure(f"'{each.name}' is {each.type}: its contents cannot be made at random, but may come from a file")
        shape = [size if isinstance(size, int) else int(sizes.get(size, 2)) for size in each.shape]
        if element.kind == "f":
            values[each.name] = random.standard_normal(shape).astype(element)
        elif element.kind == "O":
            values[each.name] = numpy.full(shape, "a", dtype=object)
        else:
            values[each.name] = random.integers(0, 2, shape).astype(element)
    return values


def from_file(inputs, path):
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    else:
        found = numpy.load(path, allow_pickle=False)
    if isinstance(found, numpy.ndarray):  # from a .npy file
        found = {inputs[0].name: found} if len(inputs) == 1 else {}
    if not hasattr(found, "keys"):
        raise Failure(f"{path} must hold an object with the inputs by their names")
    missing = [each.name for each in inputs if each.name not in found.keys()]
    if missing:
        raise Failure(f"{path} lacks the inputs {', '.join(missing)}")
    return {each.name: numpy.asarray(found[each.name], dtype=element_of(each.type)) for each in inputs}


def number(value):
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (bool, numpy.bool_)):
        return "1" if value else "0"
    return str(value) if isinstance(value, numpy.integer) else f"{value:.4g}"


def type_of(value):
    shape = ", ".join(map(str, value.shape))
    return WORDS.get(value.dtype.name, value.dtype.name) + (f"[{shape}]" if value.shape else "")


def described(name, value):
    if value is None:
        return {"name": name, "type": "optional", "contents": "empty", "about": ""}
    if isinstance(value, (list, dict)):
        return {"name": name, "type": "seq" if isinstance(value, list) else "map", "contents": f"{len(value)} elements", "about": ""}
    value = numpy.asarray(value)
    flat = value.reshape(-1)
    contents = ", ".join(map(number, flat[:MOST])) + (", ..." if flat.size > MOST else "")
    about = f"{flat.size} elements"
    if flat.size and value.dtype.kind in "fiu":
        about += f", from {number(flat.min())} to {number(flat.max())}, on average {number(flat.mean(dtype='float64'))}"
    if value.dtype.kind == "f":
        wrong = int(flat.size - numpy.isfinite(flat).sum())
        about += f", {wrong} not finite" if wrong else ""
    return {"name": name, "type": type_of(value), "contents": "{" + contents + "}", "about": about}


class Sizes:
    """The sizes of named dimensions in this run."""

    def __init__(self):
        self.known = {}

    def difference(self, declared, value):
        """Returns how a value differs from its declared type, or None."""
        if not declared.shape or not isinstance(value, numpy.ndarray):
            return None  # ONNX Runtime specifies no shape for scalars and for values of unknown rank
        shown = f"{type_of(value)} here, declared [{', '.join('?' if size is None else str(size) for size in declared.shape)}]"
        if len(declared.shape) != value.ndim:
            return f"'{declared.name}' is {shown}"
        for wanted, size in zip(declared.shape, value.shape):
            if isinstance(wanted, int) and wanted != size:
                return f"'{declared.name}' is {shown}"
            if isinstance(wanted, str) and self.known.setdefault(wanted, (size, declared.name))[0] != size:
                other, name = self.known[wanted]
                return f"'{declared.name}' is {shown}; '{wanted}' is {other} in '{name}'"
        return None


def evaluate(path, folder, request):
    with open(path, "rb") as file:
        model = file.read()
    session = session_of(model, folder)
    given = {each.name for each in [*session.get_inputs(), *session.get_outputs()]}
    more = [name for name in dict.fromkeys(request["values"]) if name not in given]
    if more:
        session = session_of(with_outputs(model, more), folder)
    wanted = [each for each in session.get_outputs() if each.name in set(request["values"])]
    shown = [each for each in wanted if not each.type.startswith("tensor(") or element_of(each.type) is not None]
    inputs = session.get_inputs()
    feeds = from_file(inputs, request["inputs"]) if request["inputs"] else at_random(inputs, request["sizes"])
    results = session.run([each.name for each in shown], feeds) if shown else []
    sizes, findings = Sizes(), []
    for each, value in [*((each, feeds[each.name]) for each in inputs), *zip(shown, results)]:
        message = sizes.difference(each, value)
        if message is not None:
            findings.append({"name": each.name, "message": message})
    return {"values": [described(each.name, value) for each, value in zip(shown, results)], "findings": findings}


def main():
    try:
        answer = evaluate(sys.argv[1], sys.argv[2], json.load(sys.stdin.buffer))
    except Exception as error:  # all errors of the model and the runtime are shown
        answer = {"error": str(error) or type(error).__name__}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
