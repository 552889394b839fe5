"""The table of the original's messages: for each row, a model breaks the rule, and the original reports it with these words.

The models are the wrong examples of docs/explain, and those below. A test fails if our own message no longer matches the row, or
if the original's message no longer contains the words of the row.
"""

import importlib
import pathlib
import re

import onnxc
import pytest
from onnxc._phrases import OURS_ALONE, PHRASES, is_ours_alone, row_of

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = re.compile(r"```onnxtxt (\w+) wrong[^\n]*\n(.*?)```", re.DOTALL)
TYPES = {"model": "ModelProto", "graph": "GraphProto", "function": "FunctionProto", "node": "NodeProto",
         "tensor": "TensorProto", "attr": "AttributeProto", "sparse": "SparseTensorProto"}  # fmt: skip
HEADER = '<ir_version: 10, opset_import: ["" : 21]>\n'
BIG = 1 << 40

# Models whose types or shapes contradict each other.
CLASHES = """
g (float[1, 1, 4, 4] x) => (float[a, b, c, d] y) { y = SpaceToDepth <blocksize = 5000000000> (x) }
g (float[1, 3, 4, 4] x, float[3, 1, 2, 2] w) => (float[a, b, c, d] y) { y = ConvTranspose <group = 2> (x, w) }
g (float[1, 3, 4, 4] x, float[3, 1, 2] w) => (float[a, b, c, d] y) { y = Conv (x, w) }
g (float[3] x) => (float[a] y) { y = Scan <num_scan_inputs = 4, body = b (float a) => (float c) { c = Relu (a) }> (x) }
g (float[3, 4] x, float[2, 3, 4] z) => (float[a, b] y) { y = Einsum <equation = "...i,...i->..."> (x, z) }
g (int64[3] x, float[2] z) => (float[a, b] y) <int64 d = {-3}> { y = OneHot (x, d, z) }
g (float[4] x) => (seq(float[a]) y) <int64 n = {0}> { y = SplitToSequence (x, n) }
g (float[1, 4] x) => (int64[1, 4] y) { y = Relu (x) }
g (float[1, 4] x) => (float[1, 5] y) { y = Relu (x) }
g (float[2] x, float[2] z, float[2, 3] w) => (float[a] y) { y = Scan <num_scan_inputs = 1, body = b (float c, float d, float e) => (float c) {}> (x, z, w) }
g (float[4] x) => (float[a] y) <int64[1] n = {4611686018427387904}> { y = Tile (x, n) }
""".strip().splitlines()


def messages(onnx):
    """Invalid messages, each with the function that checks it."""
    for page in sorted((ROOT / "docs/explain").glob("*.md")):
        for word, text in EXAMPLE.findall(page.read_text(encoding="utf-8")):
            try:
                if word in TYPES:
                    yield getattr(onnx, TYPES[word]).FromString(onnxc.parse_bytes(text, TYPES[word]))
            except onnxc.OnnxcError:
                pass  # a mistake of the text alone
    for text in CLASHES:
        yield onnxc.parse_model(HEADER + text)

    Attribute, Tensor, Sparse = onnx.AttributeProto, onnx.TensorProto, onnx.SparseTensorProto
    yield Attribute(name="a", f=1.0)
    yield Attribute(name="a", type=Attribute.FLOATS, f=1.0)
    yield onnx.helper.make_model(
        onnx.helper.make_graph([onnx.NodeProto(op_type="Split", input=["x"])], "g", [onnx.helper.make_tensor_value_info("x", 1, [4])], []),
        opset_imports=[onnx.helper.make_opsetid("", 13)],
        ir_version=10,
    )
    yield Tensor(name="w", dims=[1], data_type=0, float_data=[1])
    yield Tensor(name="w", dims=[1], data_type=99, float_data=[1])
    yield Tensor(name="w", dims=[BIG, BIG], data_type=1, float_data=[1])
    yield Tensor(name="w", dims=[1 << 62], data_type=1, raw_data=b"1234")
    yield Tensor(name="w", dims=[1], data_type=1, float_data=[1], raw_data=b"1234")
    yield Tensor(name="w", dims=[1], data_type=8, raw_data=b"1234")
    yield Tensor(name="w", dims=[1], data_type=1, int64_data=[1])
    yield Tensor(name="w", dims=[2], data_type=1, raw_data=b"1234")
    yield Tensor(name="w", dims=[2], data_type=1, float_data=[1])
    for name in ("FLOAT6E2M3", "FLOAT6E3M2"):
        if hasattr(Tensor, name):
            yield Tensor(name="w", dims=[1], data_type=getattr(Tensor, name), raw_data=b"\xff")
            yield Tensor(name="w", dims=[1], data_type=getattr(Tensor, name), int32_data=[255])
    external = Tensor(name="w", dims=[1], data_type=1, data_location=Tensor.EXTERNAL, raw_data=b"1234")
    external.external_data.add(key="location", value="x")
    yield external

    values = Tensor(name="s", dims=[2], data_type=1, float_data=[1, 2])

    def sparse(indices, dims=(9,), shape=None, type=7, values=values):
        data = {"int64_data" if type == 7 else "int32_data": indices}
        return Sparse(values=values, dims=dims, indices=Tensor(name="i", dims=shape or [len(indices)], data_type=type, **data))

    yield sparse([2, 1])
    yield sparse([1, 9])
    yield sparse([1])
    yield sparse([1, 2], dims=(9, 9), shape=[2, 1])
    yield sparse([1, 2], shape=[2, 1, 1])
    yield sparse([1, 2], type=6)
    yield sparse([1, 2], dims=())
    yield sparse([1, 2], dims=(-9,))
    yield sparse([1, 2], values=Tensor(name="s", dims=[2, 1], data_type=1, float_data=[1, 2]))

    calls = "".join(f'<domain: "l", opset_import: ["" : 21, "l" : 1]> f{i} (a) => (b) {{ b = l.f{i + 1} (a) }}\n' for i in range(2000))
    yield onnxc.parse_model(
        HEADER.replace("]", ', "l" : 1]') + "g (float[1] x) => (float[1] y) { y = l.f0 (x) }\n" + calls
        + '<domain: "l", opset_import: ["" : 21]> f2000 (a) => (b) { b = Relu (a) }'
    )
    yield onnx.GraphProto(name="g", initializer=[Tensor(name="w", dims=[2], data_type=1, raw_data=b"123456")])


def raised(package, message):
    """Returns the exceptions of a package for a message: of its checker, with and without types, its inference and its
    printer."""
    checker, shapes, printer = (importlib.import_module(f"{package}.{name}") for name in ("checker", "shape_inference", "printer"))
    original = importlib.import_module("onnx.checker")
    name = type(message).DESCRIPTOR.name
    checks = {"GraphProto": "graph", "FunctionProto": "function", "NodeProto": "node", "TensorProto": "tensor",
              "AttributeProto": "attribute", "SparseTensorProto": "sparse_tensor"}  # fmt: skip
    calls = [lambda: getattr(checker, f"check_{checks[name]}")(message, original.DEFAULT_CONTEXT)]
    if name == "ModelProto":
        calls = [
            lambda: checker.check_model(message),
            lambda: checker.check_model(message, full_check=True),
            lambda: shapes.infer_shapes(message, check_type=True, strict_mode=True, data_prop=True),
        ]
    if name == "GraphProto":
        calls.append(lambda: printer.to_text(message))
    for call in calls:
        try:
            call()
            yield None
        except Exception as error:
            yield error


def test_each_row_is_what_the_original_says(onnx):
    held, others = set(), []
    for message in messages(onnx):
        for original, ours in zip(raised("onnx", message), raised("onnxc", message)):
            findings = getattr(ours, "findings", ())
            last = str(ours).splitlines()[-1] if ours else ""
            for finding in findings:
                row = row_of(finding)
                if row is None:
                    continue
                words = PHRASES[row[0]][2].format(*row[1].groups())
                if last.endswith(words) and original is not None:
                    (held.add(row[0]) if words in str(original) else others.append((finding.kind, words, str(original))))
    missing = [row for index, row in enumerate(PHRASES) if index not in held]
    assert not missing, (missing, [other for other in others if other[0] in {row[0] for row in missing}])


ONLY_OURS = """
g (float[1, 1, 4, 4] x) => (float[a, b, c, d] y) { t = MaxPool <kernel_shape = [2, 2], pads = [2, 2, 2, 2]> (x) y = Relu (t) }
g (float[7, 2, 4] x, float[1, 5, 4] w, float[1, 5, 5] r) => (float[a, b, c, d] y) { t = RNN <hidden_size = 5, direction = "bidirectional"> (x, w, r) y = Relu (t) }
g (float[3] x) => (float[a] y) <int64[1] s = {2}> { t = Reshape (x, s) y = Relu (t) }
""".strip().splitlines()


@pytest.mark.parametrize("row, text", [*zip(OURS_ALONE, ONLY_OURS)])
def test_what_only_we_find_is_not_raised(onnx, row, text):
    """The types are the same as the original's, too."""
    from onnxc import shape_inference

    kind, words = row
    model = onnxc.parse_model(HEADER + text)
    found = [finding for finding in onnxc.check(model).errors if is_ours_alone(finding)]
    assert [finding.kind for finding in found] == [kind] and words in found[0].message
    for package in ("onnx", "onnxc"):
        assert list(raised(package, model)) == [None] * 3
    for strict in (False, True):
        types = [package.infer_shapes(model, strict_mode=strict).graph.value_info for package in (onnx.shape_inference, shape_inference)]
        assert types[0] == types[1] and len(types[0]) == 1
    assert len(OURS_ALONE) == len(ONLY_OURS)
