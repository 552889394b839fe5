"""Files of operators from registries of other packages."""

import pytest

import onnxc
from onnxc import operators

onnx = pytest.importorskip("onnx")

DOMAIN = "com.example.test_operators"
DOC = 'Blurs.\n\n\tWith a "radius", and a \\.'


def schema():
    of = onnx.defs.OpSchema
    return of(
        "Blur",
        DOMAIN,
        2,
        DOC,
        inputs=[
            of.FormalParameter("x", "T"),
            of.FormalParameter("k", "tensor(int64)", param_option=of.FormalParameterOption.Optional),
        ],
        outputs=[of.FormalParameter("y", "T")],
        type_constraints=[("T", ["tensor(float)", "seq(tensor(float))"], "")],
        attributes=[
            of.Attribute("radius", of.AttrType.INT, required=True),
            of.Attribute("mode", onnx.helper.make_attribute("mode", "edge"), "how"),
        ],
    )


def test_custom_schemas_of_onnx():
    onnx.defs.register_schema(schema())
    try:
        text = operators.from_onnx_registry()
    finally:
        onnx.defs.deregister_schema("Blur", 2, DOMAIN)
    [declared] = onnxc.parse_model(text).functions
    assert declared.doc_string == DOC
    assert onnxc.check(text).items == ()
    declared.doc_string = ""
    assert text.replace(text[text.index("doc_string") : text.index("metadata")], "") == (
        f'<domain: "{DOMAIN}", opset_import: ["{DOMAIN}": 2], metadata_props: ["x": "T", "k": "int64[]?", "y": "T", '
        '"T": "float[] | seq(float[])", "radius": "int"]>\n'
        'Blur <mode: string = "edge", radius> (x, k) => (y) {}\n'
    )


def test_attributes_keep_their_names():
    of = onnx.defs.OpSchema
    dotted = of(
        "Dotted",
        DOMAIN,
        1,
        attributes=[
            of.Attribute("a.b", of.AttrType.INT, required=True),
            of.Attribute("a:c", onnx.helper.make_attribute("a:c", 1.5), ""),
        ],
    )
    onnx.defs.register_schema(dotted)
    try:
        text = operators.from_onnx_registry([DOMAIN])
    finally:
        onnx.defs.deregister_schema("Dotted", 1, DOMAIN)
    assert text == (
        "# The attribute 'a.b' of 'Dotted' has no entry 'int': keys of the metadata with '.', '/' or ':' belong to other "
        "tools.\n"
        f'<domain: "{DOMAIN}", opset_import: ["{DOMAIN}": 1]>\n'
        'Dotted <"a.b", "a:c": float = 1.5> () => () {}\n'
    )
    assert onnxc.check(text).items == ()


def test_the_standard_operators_are_texts():
    library = onnxc.parse_model(operators.from_onnx_registry(["", "ai.onnx.ml"]))
    assert len(library.functions) > 300


def test_onnxruntime():
    pytest.importorskip("onnxruntime")
    library = onnxc.parse_model(operators.from_onnxruntime(["com.microsoft"]))
    assert len(library.functions) > 100
