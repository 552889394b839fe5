"""The patterns in which people use onnx.parser, onnx.printer and onnx.checker, with one import line replaced."""

import unittest
from types import MappingProxyType, SimpleNamespace

import pytest

from conftest import onnx_or_skip

onnx = None


@pytest.fixture(autouse=True)
def _onnx():
    global onnx
    onnx = onnx_or_skip()


HEADER = '<ir_version: 10, opset_import: ["" : 21]>\n'


def test_parse_in_a_test():
    import onnxc.parser

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { y = Relu(x) }")
    assert isinstance(model, onnx.ModelProto)
    assert model.graph.node[0].op_type == "Relu"


def test_f_strings():
    import onnxc.parser

    for op in ("Relu", "Tanh"):
        node = onnxc.parser.parse_node(f"y = {op} (x)")
        assert node.op_type == op


def test_parse_graph_and_make_model():
    import onnxc.parser
    from onnx import helper

    graph = onnxc.parser.parse_graph("g (float[N] x) => (float[N] y) { y = Relu(x) }")
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    onnx.checker.check_model(model)


def test_parse_function():
    import onnxc.parser

    function = onnxc.parser.parse_function('<opset_import: ["" : 21], domain: "local"> f (x) => (y) { y = Relu(x) }')
    assert (function.domain, function.name) == ("local", "f")


def test_appending_initializers_of_numpy():
    import numpy
    import onnxc.parser
    from onnx import numpy_helper

    graph = onnxc.parser.parse_graph("g (float[N, 2] x) => (float[N, 2] y) { y = Add(x, w) }")
    graph.initializer.append(numpy_helper.from_array(numpy.ones(2, dtype=numpy.float32), "w"))
    assert "w" in [tensor.name for tensor in graph.initializer]


def test_print_to_text(capsys):
    import onnxc.parser
    import onnxc.printer

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { y = Relu(x) }")
    print(onnxc.printer.to_text(model))
    assert capsys.readouterr().out.rstrip("\n") == onnx.printer.to_text(model).rstrip("\n")
    with pytest.raises(TypeError):
        onnxc.printer.to_text("text")


def test_load_and_save_text(tmp_path):
    import onnxc
    import onnxc.parser

    before = dict(onnx.serialization.registry._serializers), dict(onnx.serialization.registry._extension_to_format)
    try:
        onnxc.install()
        model = onnxc.parser.parse_model(HEADER + 'agraph (float[N] x) => (float[N] y) { [first] y = Relu(x) }')
        model.graph.node[0].doc_string = "what the parser of onnx has no words for"
        onnx.save(model, tmp_path / "net.onnxtxt")
        assert onnx.load(tmp_path / "net.onnxtxt") == model
    finally:
        onnx.serialization.registry._serializers, onnx.serialization.registry._extension_to_format = before


def test_check_model_after_export():
    import onnxc.checker
    import onnxc.parser

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { y = Relu(x) }")
    onnxc.checker.check_model(model)
    onnxc.checker.check_model(model, full_check=True)
    onnxc.checker.check_model(model.SerializeToString(), full_check=True)
    clash = onnxc.parser.parse_model(HEADER + "agraph (float[2, 3] x, float[4, 5] w) => (float[2, 5] y) { y = MatMul(x, w) }")
    onnxc.checker.check_model(clash)
    with pytest.raises(onnx.shape_inference.InferenceError) as caught:
        onnxc.checker.check_model(clash, full_check=True)
    assert caught.value.findings.errors


def test_check_model_path(tmp_path):
    import onnxc.checker
    import onnxc.parser

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { y = Relu(x) }")
    onnx.save(model, tmp_path / "net.onnx")
    onnxc.checker.check_model(tmp_path / "net.onnx")
    onnxc.checker.check_model(str(tmp_path / "net.onnx"), full_check=True)
    with pytest.raises(onnx.checker.ValidationError):
        onnxc.checker.check_model(tmp_path / "missing.onnx")


def test_validation_error_has_words():
    import onnxc.checker
    import onnxc.parser

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { y = NoSuchOperator(x) }")
    try:
        onnxc.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        assert "NoSuchOperator" in str(error)
        assert error.findings.errors[0].path
    else:
        pytest.fail("no error")


class ParseErrors(unittest.TestCase):
    def test_assert_raises(self):
        import onnxc.parser

        with self.assertRaises(onnx.parser.ParseError):
            onnxc.parser.parse_model("agraph (float[N] x => (float[N] y) { y = Relu(x) }")
        with self.assertRaisesRegex(onnxc.parser.ParseError, "expected"):
            onnxc.parser.parse_node("y = Relu(x")
        with self.assertRaises(TypeError):
            onnxc.parser.parse_model(b"")


def test_contexts():
    import onnxc.checker

    node = onnx.helper.make_node("Relu", ["x"], ["y"])
    onnxc.checker.check_node(node)
    onnxc.checker.check_node(node, onnx.checker.DEFAULT_CONTEXT)
    context = onnx.checker.C.CheckerContext()
    context.ir_version, context.opset_imports = 3, {"": 1}
    with pytest.raises(onnx.checker.ValidationError):
        onnxc.checker.check_node(onnx.helper.make_node("Scan", ["x"], ["y"]), context)
    onnxc.checker.check_node(node, SimpleNamespace(ir_version=8, opset_imports=MappingProxyType({"": 13})))
    onnxc.checker.check_tensor(onnx.helper.make_tensor("t", onnx.TensorProto.FLOAT, [1], [1.0]))
    with pytest.raises(TypeError):
        onnxc.checker.check_tensor(node)


def test_infer_shapes():
    import onnxc.parser
    import onnxc.shape_inference

    model = onnxc.parser.parse_model(HEADER + "agraph (float[N] x) => (float[N] y) { t = Relu(x) y = Tanh(t) }")
    inferred = onnxc.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    assert inferred == onnx.shape_inference.infer_shapes(model, True, True, True)
    with pytest.raises(TypeError):
        onnxc.shape_inference.infer_shapes("model.onnx")


def test_options_of_check_model():
    import onnxc.checker
    import onnxc.parser

    custom = onnxc.parser.parse_model('<ir_version: 10, opset_import: ["" : 21, "my" : 1]> g (float[N] x) => (float[N] y) { y = my.Op(x) }')
    changed = onnxc.parser.parse_model(
        '<ir_version: 10, opset_import: ["" : 21, "l" : 1]> g (float[2] x) => (float[2] y) { y = l.f(x) }'
        '<domain: "l", opset_import: ["" : 9]> f (a) => (b) { b = Dropout(a) }'
    )
    for model, options in ((custom, {"check_custom_domain": True}), (changed, {"skip_opset_compatibility_check": True})):
        for given in ({}, options):
            theirs = ours = None
            try:
                onnx.checker.check_model(model, **given)
            except onnx.checker.ValidationError as error:
                theirs = error
            try:
                onnxc.checker.check_model(model, **given)
            except onnx.checker.ValidationError as error:
                ours = error
            assert (ours is None) == (theirs is None), (given, ours, theirs)


@pytest.mark.parametrize("given", [b"", b"junk\xff", 5, None, "missing.onnx"])
def test_what_is_no_model(given):
    import onnxc.checker

    with pytest.raises(Exception) as theirs:
        onnx.checker.check_model(given)
    with pytest.raises(theirs.type):
        onnxc.checker.check_model(given)


@pytest.mark.parametrize("given", [b"junk\xff", "model.onnx", 5, None])
def test_what_is_no_model_to_infer(given):
    import onnxc.shape_inference

    with pytest.raises(Exception) as theirs:
        onnx.shape_inference.infer_shapes(given)
    with pytest.raises(theirs.type):
        onnxc.shape_inference.infer_shapes(given)


def test_names_are_all_there():
    import importlib

    for module in ("parser", "printer", "checker", "shape_inference"):
        original, ours = importlib.import_module(f"onnx.{module}"), importlib.import_module(f"onnxc.{module}")
        names = getattr(original, "__all__", [name for name, value in vars(original).items() if callable(value) and not name.startswith("_")])
        missing = [name for name in names if not hasattr(ours, name) and not name.endswith("Proto")]
        assert not missing, (module, missing)


def test_no_number_of_other_findings_hides_an_error():
    from onnxc import checker, parser

    model = parser.parse_model(HEADER + "g (float[1] x) => (float[1] y) { y = Relu (zz) }")
    for i in range(1200):
        model.graph.initializer.add(name=f"w{i}", data_type=onnx.TensorProto.UINT8, dims=[1], int32_data=[256])
    with pytest.raises(onnx.checker.ValidationError):
        checker.check_model(model)
