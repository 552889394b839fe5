"""Exceptions of the modules that replace modules of onnx: they have the original's classes and messages.

Also tests operators that are only in the original's registry.
"""

import onnxc
import pytest

HEADER = '<ir_version: 10, opset_import: ["" : 21]>\n'


def test_the_classes_are_the_originals(onnx):
    from onnxc import checker, parser, shape_inference

    assert checker.ValidationError is onnx.checker.ValidationError
    assert shape_inference.InferenceError is onnx.shape_inference.InferenceError
    assert parser.ParseError is onnx.parser.ParseError


def test_what_passed_on_functions_raise_is_caught(onnx):
    from onnxc import shape_inference

    schema = onnx.defs.get_schema("Reshape", 21)
    node = onnx.helper.make_node("MatMul", ["a", "b"], ["c"])
    types = {name: onnx.helper.make_tensor_type_proto(1, [2, 3]) for name in "ab"}
    with pytest.raises(shape_inference.InferenceError):
        shape_inference.infer_node_outputs(onnx.defs.get_schema("MatMul", 13), node, types)
    assert schema is not None


def test_errors_can_be_made_of_a_message(onnx):
    from onnxc import checker, parser, shape_inference

    wrong = onnxc.parse_model(HEADER + "g (float[2] x) => (float[2] y) { y = Relu (x, x) }")
    clash = onnxc.parse_model(HEADER + "g (float[2, 3] x) => (float[2, 3] y) { y = MatMul (x, x) }")
    calls = [
        lambda: checker.check_model(wrong),
        lambda: checker.check_model(clash, full_check=True),
        lambda: shape_inference.infer_shapes(clash, strict_mode=True),
        lambda: parser.parse_node("y = Relu(x"),
    ]
    for call in calls:
        with pytest.raises(onnxc.OnnxcError) as caught:
            call()
        assert caught.value.findings.errors
        with pytest.raises(type(caught.value), match="elsewhere"):
            raise type(caught.value)("elsewhere")


def raise_interrupt(*_):
    raise KeyboardInterrupt


def test_what_is_wrong_with_a_text_is_found_when_it_is_asked_for(onnx):
    import copy
    import pickle

    from onnxc import _core, parser

    def error_of(text):
        with pytest.raises(onnx.parser.ParseError) as caught:
            parser.parse_node(text)
        return caught.value

    text = "y = Relu(x\u00e9"
    shown = str(error_of(text))
    interrupted = error_of(text)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(parser, "read_findings", raise_interrupt)
        str(interrupted)
    assert str(interrupted) == shown and interrupted.findings.errors
    assert "unquoted-name" in shown
    looks = {
        "str": str,
        "repr": lambda error: repr(error),
        "args": lambda error: error.args,
        "findings": lambda error: error.findings,
        "pickle": pickle.dumps,
        "copy": copy.copy,
    }
    for name, look in looks.items():
        error = error_of(text)
        assert error._text is not None, name
        look(error)
        assert error._text is None, name
        assert str(error) == shown and error.args == (shown,) and shown in str(pickle.loads(pickle.dumps(error))), name
        assert [finding.kind for finding in copy.copy(error).findings] == [finding.kind for finding in error.findings], name
    assert _core.parse(("NodeProto", text, "<text>", False)) is None
    assert _core.parse(("NodeProto", "y = Relu(x)", "<text>", False)) == parser.parse_node("y = Relu(x)").SerializeToString()


PHRASES = {
    "g (float[2] x) => (float[2] y) { y = Relu (t) t = Relu (x) }": "Nodes in a graph must be topologically sorted",
    "g (float[2] x) => (float[2] y) { y = Relu (x) y = Relu (x) }": "Graph must be in single static assignment",
    "g (float[2] x) => (float[2] y) { y = Rleu (x) }": "No Op registered for Rleu",
    "g (float[2] x) => (float[2] y) { y = Relu <alpha = 1.0> (x) }": "Unrecognized attribute: alpha",
    "g (float[2] x) => (float[2] y) { y = my.Op (x) }": "No opset import for domain 'my'",
    "g (float[2] x) => (float[2] z) { y = Relu (x) }": "is not an output of any node in graph",
}


@pytest.mark.parametrize("text", PHRASES)
def test_the_last_line_is_the_originals_phrase(onnx, text):
    from onnxc import checker

    model = onnxc.parse_model(HEADER + text)
    for check in (onnx.checker.check_model, checker.check_model):
        with pytest.raises(onnx.checker.ValidationError, match=PHRASES[text]):
            check(model)
    with pytest.raises(onnx.checker.ValidationError) as caught:
        checker.check_model(model)
    assert PHRASES[text] in str(caught.value).splitlines()[-1]


def test_errors_of_inference_are_labelled(onnx):
    from onnxc import checker, shape_inference

    clash = onnxc.parse_model(HEADER + "g (float[2, 3] x) => (float[2, 3] y) { y = MatMul (x, x) }")
    for call in (lambda: shape_inference.infer_shapes(clash, strict_mode=True), lambda: checker.check_model(clash, True)):
        with pytest.raises(shape_inference.InferenceError, match=r"\[ShapeInferenceError\]"):
            call()


def test_data_of_another_size_are_not_printed(onnx):
    from onnxc import printer

    graph = onnx.GraphProto(name="g")
    graph.initializer.add(name="w", data_type=1, dims=[2], raw_data=b"\0\0\x80?\0\0")
    for print_graph in (onnx.printer.to_text, printer.to_text):
        with pytest.raises(onnx.shape_inference.InferenceError, match="Data size mismatch"):
            print_graph(graph)


@pytest.fixture(params=["", "test.onnxc"])
def registered(onnx, request):
    """Returns an operator that is only in the registry, and returns the transposed type of its input."""
    domain = request.param

    def infer(context):
        given = context.get_input_type(0)
        given.tensor_type.shape.dim[0].dim_value, given.tensor_type.shape.dim[1].dim_value = 3, 2
        context.set_output_type(0, given)

    Schema = onnx.defs.OpSchema
    schema = Schema(
        "Onnxc_Flip",
        domain,
        1,
        inputs=[Schema.FormalParameter("x", "T")],
        outputs=[Schema.FormalParameter("y", "T")],
        type_constraints=[("T", ["tensor(float)"], "")],
        attributes=[Schema.Attribute("times", Schema.AttrType.INT, "", required=True)],
    )
    schema.set_type_and_shape_inference_function(infer)
    onnx.defs.register_schema(schema)
    yield domain
    onnx.defs.deregister_schema("Onnxc_Flip", 1, domain)


def test_registered_operators_are_known(onnx, registered):
    from onnxc import checker, shape_inference

    name = f"{registered}.Onnxc_Flip" if registered else "Onnxc_Flip"
    imports = f'"" : 21{f""", "{registered}" : 1""" if registered else ""}'
    text = f"""<ir_version: 10, opset_import: [{imports}]>
        g (float[2, 3] x) => (float[3, 2] z) {{ a = Relu (x) b = {name} <times = 1> (a) c = Tanh (b) z = Relu (c) }}"""
    model = onnxc.parse_model(text)
    checker.check_model(model)
    checker.check_model(model.SerializeToString(), full_check=True, check_custom_domain=True)
    checker.check_graph(model.graph) if not registered else None
    types = {value.name: value for value in shape_inference.infer_shapes(model, strict_mode=True).graph.value_info}
    for value in ("b", "c"):
        assert [dim.dim_value for dim in types[value].type.tensor_type.shape.dim] == [3, 2]

    wrong = onnxc.parse_model(text.replace("g (float", "g (int64").replace("=> (float", "=> (int64").replace("Relu", "Abs").replace("Tanh", "Abs"))
    for package in (onnx, onnxc):
        package.checker.check_model(wrong)
        with pytest.raises(onnx.shape_inference.InferenceError, match="unsupported type"):
            package.checker.check_model(wrong, full_check=True)

    del model.graph.node[1].attribute[:]
    with pytest.raises(checker.ValidationError, match="times"):
        checker.check_model(model)
    model.graph.node[1].op_type = "Onnxc_Flop"
    with pytest.raises(checker.ValidationError, match="Onnxc_Flop"):
        checker.check_model(model, check_custom_domain=True)
