"""The script of the extension of VS Code that runs models in ONNX Runtime."""
import json
import os
import subprocess
import sys

import pytest

from conftest import EDITORS

SCRIPT = EDITORS / "vscode/python/evaluate.py"
HEAD = '<ir_version: 10, opset_import: ["": 21, "f": 1]>\n'


@pytest.fixture
def evaluate(onnxc, tmp_path):
    """Compiles a text, runs it like the extension, and returns the answer."""
    if not os.environ.get("CI"):
        pytest.importorskip("onnxruntime")

    def run(text, values, inputs=None, sizes=None):
        model = tmp_path / "model.onnx"
        subprocess.run([onnxc, "compile", "-q", "--no-check", "-", "-o", model], input=(HEAD + text).encode(), cwd=tmp_path, check=True)
        request = {"values": values, "inputs": inputs, "sizes": sizes or {}}
        words = [sys.executable, "-I", SCRIPT, model, tmp_path]
        done = subprocess.run(words, input=json.dumps(request), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run


def shown(answer):
    assert "error" not in answer, answer
    return {value["name"]: (value["type"], value["contents"]) for value in answer["values"]}


def test_shows_what_the_values_are(evaluate, tmp_path):
    inputs = tmp_path / "inputs.json"
    inputs.write_text('{"x": [[1, -2], [3, 4.5]]}')
    answer = evaluate("g (float[N, 2] x) => (float[N, 2] y) { a = Neg (x) s = Shape (a) y = Abs (a) }", ["a", "s", "y"], str(inputs))
    assert shown(answer) == {"a": ("float[2, 2]", "{-1, 2, -3, -4.5}"), "s": ("int64[2]", "{2, 2}"), "y": ("float[2, 2]", "{1, 2, 3, 4.5}")}
    assert answer["findings"] == []
    assert next(value["about"] for value in answer["values"] if value["name"] == "a") == "4 elements, from -4.5 to 2, on average -1.625"


def test_inputs_at_random_have_the_sizes_that_are_set(evaluate):
    answer = evaluate("g (float[N, M] x, bool[N] b, string t) => (float[N, M] y) { y = Neg (x) c = Not (b) u = Identity (t) }",
                      ["y", "c", "u"], sizes={"N": 3})  # fmt: skip
    values = shown(answer)
    assert values["y"][0] == "float[3, 2]" and values["c"][0] == "bool[3]" and values["u"] == ("string", '{"a"}')


def test_only_the_values_that_are_wanted(evaluate):
    assert list(shown(evaluate("g (float x) => (float y) { a = Neg (x) y = Abs (a) }", ["a"]))) == ["a"]


def test_differences_to_declared_shapes_are_findings(evaluate, tmp_path):
    inputs = tmp_path / "inputs.json"
    inputs.write_text('{"x": [1, 0, 3]}')
    answer = evaluate("g (float[N] x) => (int64[1, 3] i) { i = NonZero (x) }", ["i"], str(inputs))
    assert shown(answer)["i"] == ("int64[1, 2]", "{0, 2}")
    assert answer["findings"] == [{"name": "i", "message": "'i' is int64[1, 2] here, declared [1, 3]"}]
    text = "g (float[N] x) => (float[N] y) { y = Compress <axis = 0> (x, c) c = Cast <to = 9> (x) }"
    (finding,) = evaluate(text, ["y"], str(inputs))["findings"]
    assert finding == {"name": "y", "message": "'y' is float[2] here, declared [N]; 'N' is 3 in 'x'"}


def test_values_that_are_no_tensors_or_have_other_types(evaluate):
    answer = evaluate("g (float[2] x) => (float[2] y) { s = SequenceConstruct (x, x) b = Cast <to = 16> (x) h = Cast <to = 10> (x)"
                      " y = Identity (x) }", ["s", "b", "h", "y"])  # fmt: skip
    values = shown(answer)
    assert values["s"] == ("seq", "2 elements") and values["h"][0] == "float16[2]" and "b" not in values


@pytest.mark.parametrize("content, message", [('{"z": 1}', "lacks the inputs x"), ("[1]", "must hold an object"), ("{", "Expecting")])
def test_what_is_wrong_with_inputs_is_told(evaluate, tmp_path, content, message):
    inputs = tmp_path / "inputs.json"
    inputs.write_text(content)
    assert message in evaluate("g (float[2] x) => (float[2] y) { y = Neg (x) }", ["y"], str(inputs))["error"]


def test_what_the_runtime_refuses_is_told(evaluate):
    assert "Nothing" in evaluate("g (float[2] x) => (float[2] y) { y = Nothing (x) }", ["y"])["error"]


def test_weights_beside_the_text(evaluate, tmp_path):
    (tmp_path / "w.data").write_bytes(b"\0\0\x80\x3f\0\0\0\x40")
    answer = evaluate('g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.data"]> { v = Identity (w) y = Add (x, v) }', ["v"])
    assert shown(answer) == {"v": ("float[2]", "{1, 2}")}
