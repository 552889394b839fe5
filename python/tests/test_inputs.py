"""The inputs that functions accept (paths, texts, bytes and files), and values that they reject."""

import math
import os

import onnxc
import pytest


def data_of(message):
    return message if isinstance(message, bytes) else message.SerializeToString()


@pytest.mark.parametrize("name", ["runs/lr=0.1/m.onnx", "runs/lr=0.1/m.onnxtxt", "a{b}=>.onnx", "with=no-suffix"])
def test_a_path_with_marks_of_the_syntax_is_a_path(model_text, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    model = onnxc.parse_model(model_text)
    path.write_bytes(model_text.encode() if name.endswith("txt") else data_of(model))
    assert onnxc.check(name).ok and onnxc.info(name)["nodes"] == 2
    assert onnxc.to_text(str(path)) == onnxc.to_text(model)


def test_a_missing_path_with_marks_is_no_text():
    with pytest.raises(FileNotFoundError):
        onnxc.check("runs/lr=0.1/missing.onnx")
    assert onnxc.check('<ir_version: 10, opset_import: ["" : 21]> g () => () {}').ok


def test_parsers_take_bytes_of_any_kind_and_paths(model_text, tmp_path):
    path = tmp_path / "m.onnxtxt"
    path.write_text(model_text)
    expected = data_of(onnxc.parse_model(model_text))
    for given in (model_text.encode(), bytearray(model_text.encode()), memoryview(model_text.encode()), path):
        assert data_of(onnxc.parse_model(given)) == expected
        assert onnxc.parse_bytes(given) == expected
        assert onnxc.format_text(given) == onnxc.format_text(model_text)
    path.write_text("g (")
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.parse_model(path)
    assert caught.value.findings[0].file == str(path)
    for function in (onnxc.parse_model, onnxc.parse_bytes, onnxc.format_text):
        with pytest.raises(TypeError, match="a text is a str, bytes or a path, not int"):
            function(5)


def test_an_empty_message_is_shown(onnx):
    for message in (onnx.ModelProto(), onnx.GraphProto(), onnx.NodeProto()):
        assert "<pre" in onnxc.show(message)._repr_html_()


@pytest.mark.parametrize("tolerance", [-1.0, math.nan, -math.inf])
def test_a_tolerance_is_a_distance(model_text, tolerance):
    with pytest.raises(ValueError, match="tolerance is a distance"):
        onnxc.diff(model_text, model_text, tolerance=tolerance)


def test_numbers_that_are_none(model_text):
    with pytest.raises(ValueError, match="limit is a number of findings"):
        onnxc.check(model_text, limit=-1)
    with pytest.raises(ValueError, match="ir_version is a version"):
        onnxc.check(model_text, ir_version=-1)
    for width in (0, -1):
        with pytest.raises(ValueError, match="width is a number of characters"):
            onnxc.format_text(model_text, width=width)


def test_one_word_is_no_list_of_words(model_text):
    with pytest.raises(TypeError, match="not the one word 'names'"):
        onnxc.diff(model_text, model_text, ignore="names")


def test_files_give_text_or_bytes(model_text):
    class File:
        def __init__(self, content):
            self.content = content

        def read(self):
            return self.content

    for content in (model_text, model_text.encode(), bytearray(model_text.encode()), memoryview(model_text.encode())):
        assert onnxc.check(File(content)).ok
    with pytest.raises(TypeError, match="not NoneType"):
        onnxc.check(File(None))


def test_functions_of_onnxscript():
    """Such a function has these two methods."""
    model = onnxc.parse_model('<ir_version: 10, opset_import: ["" : 21]> g (float[N] x) => (float[N] y) { y = Relu (x) }')
    if isinstance(model, bytes):
        pytest.skip("without the onnx package there are no messages")

    class Function:
        def to_model_proto(self):
            return model

        def to_function_proto(self):
            return onnxc.parse_function('<domain: "d", opset_import: ["" : 21]> f (x) => (y) { y = Relu (x) }')

    assert onnxc.check(Function()).ok and "Relu" in onnxc.to_text(Function())
    assert onnxc.to_text(Function(), type="FunctionProto").count("f (x)") == 1


def test_paths_of_infer_shapes_path(onnx, model_text, tmp_path):
    from onnxc import shape_inference

    model = onnxc.parse_model(model_text)
    source = tmp_path / "model.pb.bin"
    source.write_bytes(data_of(model))
    shape_inference.infer_shapes_path(source, tmp_path / "typed.dat")
    assert "h" in [value.name for value in onnx.load(tmp_path / "typed.dat").graph.value_info]
    shape_inference.infer_shapes_path(os.fspath(source))
    assert "h" in [value.name for value in onnx.load(source).graph.value_info]
    with pytest.raises(onnx.checker.ValidationError, match="Unable to open proto file"):
        shape_inference.infer_shapes_path(tmp_path / "missing.onnx")
