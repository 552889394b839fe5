"""Findings as objects: their data, their texts, and their limits."""

import json
import pickle
import re

import onnxc
import pytest
from onnxc.findings import PAPER

HEADER = '<ir_version: 10, opset_import: ["" : 21]>\n'
WRONG = HEADER + "g (flaot[2] x, flaot[2] z) => (float[2] y) { y = Add (x, z, z) }"


def test_slices_are_findings():
    found = onnxc.check(WRONG)
    assert len(found) == 3
    part = found[1:]
    assert isinstance(part, onnxc.Findings) and part.items == found.items[1:] and not part.ok
    assert "'flaot'" in str(part) and str(part).count("error:") == 2
    assert found[-1] == found.items[-1] and found[:0].ok


def test_severities_are_an_enum():
    finding = onnxc.check(WRONG)[0]
    assert finding.severity is onnxc.Severity.ERROR and finding.severity == "error" and str(finding.severity) == "error"


def test_findings_as_plain_values():
    finding = onnxc.check(WRONG)[0]
    item = json.loads(json.dumps(finding.to_dict()))
    assert item["kind"] == "unknown-type" and item["severity"] == "error"
    assert item["fix_its"][0]["replacement"] == "float" and item["range"]["begin"]["line"] == 2
    assert "path" not in item and "notes" not in item


def test_a_text_with_its_corrections():
    found = onnxc.check(WRONG)
    assert found.fixed_text() == WRONG.replace("flaot", "float")
    assert [finding.kind for finding in onnxc.check(found.fixed_text())] == ["input-count"]
    assert found[:1].fixed_text() == WRONG.replace("flaot", "float", 1)
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.parse_model("# ä\n" + WRONG)
    assert "(float[2] x, float[2] z)" in caught.value.findings.fixed_text()
    with pytest.raises(ValueError, match="only a text"):
        onnxc.check(onnxc.parse_bytes("g () => () {}")).fixed_text()


def test_many_findings_are_shown_in_part():
    nodes = "\n".join(f"y{i} = Relu (x, x)" for i in range(3000))
    text = f"{HEADER}g (float[2] x) => (float[2] y0) {{\n{nodes}\n}}"
    found = onnxc.check(text, limit=3000)
    assert len(found) == 3000
    assert str(found).count("error:") == 100 and f"{2900 + found.suppressed} more findings are not shown" in str(found)
    assert len(repr(found)) < 1000 and "2997 more" in repr(found)
    assert repr(onnxc.Findings()) == "<Findings: none, ok=True>"


def test_errors_are_shown_before_warnings():
    """If there are more findings than are shown, the errors are shown first."""
    nodes = "\n".join(f"[same] x{i} = Relu (x)" for i in range(150))
    text = f"{HEADER}g (float[2] x) => (float[2] y) {{\n{nodes}\ny = Relu (x, x)\n}}"
    found = onnxc.check(text, limit=1000)
    assert len(found.warnings) > 100 and len(found.errors) == 1
    assert "error:" in str(found)


def test_errors_of_the_drop_in_are_limited(onnx):
    from onnxc import checker

    model = onnxc.parse_model(HEADER + "g (float[2] x) => (float[2] y) { y = Relu (x) }")
    for i in range(20_000):
        model.graph.node.add(op_type="Relu", input=["x", "x"], output=[f"y{i}"])
    with pytest.raises(checker.ValidationError) as caught:
        checker.check_model(model)
    assert len(caught.value.findings) >= 20_000
    assert len(str(caught.value)) < 30_000 and len(repr(caught.value)) < 35_000


def test_errors_made_of_a_message():
    with pytest.raises(onnxc.OnnxcError) as caught:
        onnxc.parse_model("g (")
    error = type(caught.value)("of another kind")
    assert str(error) == "of another kind" and len(error.findings) == 0
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.findings == caught.value.findings
    assert str(pickle.loads(pickle.dumps(error))) == "of another kind"


def contrast(first, second):
    """Returns the contrast of two colours, as the Web Content Accessibility Guidelines define it."""

    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_what_notebooks_show_can_be_read_in_any_theme():
    model = f'# a comment\n{HEADER}g (float[2] x) => (float[2] y) <float[2] w = {{1, 2}}> {{ y = Relu <s = "t"> (x) }}'
    shown = [
        onnxc.check(WRONG)._repr_html_(),
        onnxc.check(HEADER + "g () => () {}")._repr_html_(),
        onnxc.diff(model, model.replace("Relu", "Tanh"))._repr_html_(),
        onnxc.show(model, picture=False)._repr_html_(),
    ]
    paper = re.search(r"background:(#\w{6})", PAPER)[1]
    for html in shown:
        assert PAPER in html
        colors = re.findall(r"(?<![-\w])color:(#\w{6})", html)
        assert colors
        for color in colors:
            assert contrast(color, paper) >= 4.5, color


def test_ipython_shows_findings_in_colours():
    try:
        onnxc.parse_model(WRONG)
    except onnxc.OnnxcError as error:
        lines = error._render_traceback_()
    assert any("test_findings.py" in line for line in lines)
    assert any("\x1b[" in line and "unknown type" in line for line in lines)
    assert not any("_api.py" in line for line in lines)


def test_rules_and_explanations():
    rules = {rule.name: rule for rule in onnxc.rules()}
    assert rules["not-sorted"].source == "reference" and rules["not-sorted"].severity is onnxc.Severity.ERROR
    for name in rules:
        assert name in onnxc.explain(name)
    assert "unknown-type" in onnxc.explain(onnxc.check(WRONG)[0].kind)
    with pytest.raises(KeyError, match="no kind of finding 'unknwon'"):
        onnxc.explain("unknwon")


def test_many_differences_are_short():
    header = '<ir_version: 10, opset_import: ["" : 21]> '
    nodes = " ".join(f"y{i} = Relu (x)" for i in range(5000))
    found = onnxc.diff(header + f"g (float[1] x) => (float[1] y) {{ y = Relu (x) {nodes} }}", header + "g (float[1] x) => (float[1] y) { y = Relu (x) }")
    assert len(found) == 5000 and len(found.rendered.splitlines()) >= 5000
    assert len(str(found).splitlines()) == 101 and "more lines" in str(found)
    assert len(repr(found)) < 300 and repr(found).startswith("<Differences: 5000 (")
    assert len(found._repr_html_()) < 30_000
    assert repr(onnxc.diff(header + "g () => () {}", header + "g () => () {}")) == "<Differences: none>"
