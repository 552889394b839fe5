"""Tests that the functions that change models change messages in the same way as the commands."""

import onnxc
import pytest

TEXT = """<ir_version: 8, opset_import: ["": 17]>
g (float[N, 2] x) => (float[N, 2] y) <float[2] w = {1, 2}> {
   [first] h = Mul (x, w)
   [last] y = Relu (h)
}
"""


def text_of(model):
    return onnxc.to_text(model)


def test_a_part_has_the_types_of_its_inputs():
    part = text_of(onnxc.extract(TEXT, inputs=["h"], outputs=["y"]))
    assert "(float[N, 2] h) => (float[N, 2] y)" in part
    assert "Mul" not in part and "w =" not in part


def test_what_a_part_lacks_is_an_error_with_its_place():
    with pytest.raises(onnxc.OnnxcError) as error:
        onnxc.extract(TEXT, ["h"], ["h", "z"])
    assert error.value.findings.errors[0].kind == "unknown-name"
    with pytest.raises(TypeError, match="inputs is a list of names"):
        onnxc.extract(TEXT, "h")


def test_names_change_wherever_they_are_used():
    renamed = text_of(onnxc.rename(TEXT, {"h": "hidden", "N": "batch"}))
    assert "hidden = Mul (x, w)" in renamed and "Relu (hidden)" in renamed and "float[batch, 2] x" in renamed
    renamed = text_of(onnxc.rename(TEXT, {"^(.*)st$": r"\1"}, regex=True, only=["nodes"]))
    assert "[fir]" in renamed and "[la]" in renamed


def test_a_name_that_is_taken_is_an_error():
    with pytest.raises(onnxc.OnnxcError, match="4:11: error: 'h' cannot become 'y': 'y' is already the name of another value"):
        onnxc.rename(TEXT, {"h": "y"})
    with pytest.raises(onnxc.OnnxcError, match="'y' is already the name of another value"):
        onnxc.rename(onnxc.parse_model(TEXT), {"h": "y"})
    with pytest.raises(ValueError, match="not 'weights'"):
        onnxc.rename(TEXT, {"h": "i"}, only=["weights"])


def test_other_values_become_outputs():
    assert "=> (float[N, 2] y, float[N, 2] h)" in text_of(onnxc.set_model(TEXT, add_outputs=["h"]))
    assert onnxc.set_model(TEXT, all_outputs=True) == onnxc.set_model(TEXT, add_outputs=["h"])
    assert "=> (float[N, 2] h)" in text_of(onnxc.set_model(TEXT, add_outputs=["h"], remove_outputs=["y"]))
    with pytest.raises(onnxc.OnnxcError, match="the node of this name computes 'h'"):
        onnxc.set_model(TEXT, add_outputs=["first"])
    with pytest.raises(TypeError, match="add_outputs is a list of names"):
        onnxc.set_model(TEXT, add_outputs="h")


def test_the_ir_version():
    assert "ir_version: 10" in text_of(onnxc.set_model(TEXT, ir_version=10))
    with pytest.raises(onnxc.OnnxcError, match="needs IR version 8 or newer"):
        onnxc.set_model(TEXT, ir_version=7)
    with pytest.raises(ValueError, match="positive"):
        onnxc.set_model(TEXT, ir_version=0)


def test_types_follow_the_new_sizes():
    eight = text_of(onnxc.set_model(TEXT, dimensions={"N": 8}))
    assert "g (float[8, 2] x) => (float[8, 2] y)" in eight
    named = text_of(onnxc.set_model(eight, inputs={"x": "float[batch, 2]"}, opsets=18))
    assert "g (float[batch, 2] x) => (float[batch, 2] y)" in named and "18" in named
    assert "g (float[?, 2] x) => (float[?, 2] y)" in text_of(onnxc.set_model(TEXT, dimensions={"N": "?"}))
    with pytest.raises(onnxc.OnnxcError, match=r"'8x' is neither a size nor the name of a dimension; .*: \"2\*M\""):
        onnxc.set_model(TEXT, dimensions={"N": "8x"})
    assert 'g (float["2*M", 2] x)' in text_of(onnxc.set_model(TEXT, dimensions={"N": '"2*M"'}))
    with pytest.raises(onnxc.OnnxcError, match="the model has no dimension 'M'"):
        onnxc.set_model(TEXT, dimensions={"M": 8})
    with pytest.raises(onnxc.OnnxcError, match=r"inputs\['x'\]:1:1: error: unknown type 'floot'"):
        onnxc.set_model(TEXT, inputs={"x": "floot[2]"})
    with pytest.raises(ValueError, match="positive"):
        onnxc.set_model(TEXT, opsets=0)


def test_nodes_come_after_those_that_compute_their_inputs():
    nodes = ["   [first] h = Mul (x, w)\n", "   [last] y = Relu (h)\n"]
    unsorted = TEXT.replace("".join(nodes), nodes[1] + nodes[0])
    assert [error.kind for error in onnxc.check(unsorted).errors] == ["not-sorted"]
    assert text_of(onnxc.sort_nodes(unsorted)) == text_of(onnxc.sort_nodes(TEXT)) == text_of(onnxc.parse_model(TEXT))
    with pytest.raises(onnxc.OnnxcError, match=r"3:21: error: 'y' depends on itself: the node 'first' -> .* \[cycle\]"):
        onnxc.sort_nodes(TEXT.replace("Mul (x, w)", "Mul (y, w)"))


def test_nodes_replace_calls():
    plain = TEXT.replace("[last] ", "")
    text = plain.replace("Relu (h)", "d.f (h)").replace('"": 17', '"": 17, "d": 1')
    text += '<domain: "d", opset_import: ["": 17]>\nf (a) => (b) { b = Relu (a) }\n'
    assert text_of(onnxc.inline_functions(text)) == text_of(onnxc.parse_model(plain))
    assert text_of(onnxc.inline_functions(text, keep=["d.f"])) == text_of(onnxc.parse_model(text))
    with pytest.raises(onnxc.OnnxcError, match="the model has no function 'e.f'"):
        onnxc.inline_functions(text, functions=["e.f"])


def test_readers_of_a_removed_node_get_its_input():
    more = TEXT.replace("[last] y = Relu (h)", "[extra] i = Identity (h)\n   [last] y = Relu (i)")
    assert text_of(onnxc.remove_nodes(more, ["extra"])) == text_of(onnxc.parse_model(TEXT))
    assert text_of(onnxc.remove_nodes(more, operators=["Identity"])) == text_of(onnxc.parse_model(TEXT))
    assert "Relu (x)" in text_of(onnxc.remove_nodes(TEXT, ["first"], replacement="x"))
    with pytest.raises(onnxc.OnnxcError, match="its output 'i' is int64"):
        onnxc.remove_nodes(more.replace("Identity (h)", "Cast <to = 7> (h)"), ["extra"])
    with pytest.raises(TypeError, match="nodes is a list of names"):
        onnxc.remove_nodes(TEXT, "first")


def test_only_the_named_parts_are_removed():
    assert text_of(onnxc.strip(TEXT, "training", "unused")) == text_of(onnxc.parse_model(TEXT))
    named = text_of(onnxc.parse_model(TEXT))
    assert text_of(onnxc.strip(TEXT, "names", "docs", "metadata")) == named.replace("[first] ", "").replace("[last] ", "")
    assert onnxc.strip(TEXT, "weights") == onnxc.strip_weights(TEXT)
    dead = TEXT.replace("   [last]", "   unread = Neg (x)\n   [last]")
    assert text_of(onnxc.strip(dead, "unused")) == named
    assert onnxc.strip(dead) == onnxc.strip(TEXT)
    with pytest.raises(ValueError, match="there is no part 'doc'; the parts are docs, metadata"):
        onnxc.strip(TEXT, "doc")


def test_weights_become_inputs():
    stripped = onnxc.strip_weights(TEXT)
    assert "float[2] w" in text_of(stripped) and "{1, 2}" not in text_of(stripped)
    assert onnxc.check(stripped).ok


def test_names_that_are_no_text_are_refused():
    with pytest.raises(UnicodeEncodeError):
        onnxc.rename(TEXT, {"h": "\udc80"})
    with pytest.raises(ValueError, match="63 bits"):
        onnxc.set_model(TEXT, dimensions={"N": 2**64})


def test_the_input_is_not_changed():
    model = onnxc.parse_model(TEXT)
    before = text_of(model)
    onnxc.rename(model, {"h": "hidden"})
    onnxc.set_model(model, dimensions={"N": 8})
    assert text_of(model) == before
    with pytest.raises(TypeError):
        onnxc.set_model(model, dimensions={"N": 2.5})
    with pytest.raises(TypeError):
        onnxc.set_model(model, opsets={"": True})


def test_only_models_are_taken():
    helper = pytest.importorskip("onnx.helper")
    with pytest.raises(TypeError, match="takes a ModelProto"):
        onnxc.extract(helper.make_node("Relu", ["x"], ["y"]))
