"""The plugin for pytest, and the functions for other frameworks."""

import importlib.metadata
import importlib.util
import unittest

import onnxc
import pytest
from onnxc import golden
from onnxc._inputs import onnx_package

onnx_package()  # what is imported while pytester runs is forgotten then, and protobuf's extension cannot be loaded twice


@pytest.fixture
def run(pytester, model_text):
    is_installed = any(entry.name == "onnxc" for entry in importlib.metadata.entry_points(group="pytest11"))
    plugin = () if is_installed else ("-p", "onnxc.pytest_plugin")

    def run(tests, *options):
        pytester.makepyfile(f"MODEL = {model_text!r}\n" + tests)
        return pytester.runpytest(*plugin, *options)

    return run


def test_goldens_of_one_name_do_not_overwrite_each_other(run, pytester):
    tests = """
def test_first(golden_model):
    golden_model(MODEL, "net")
def test_second(golden_model):
    golden_model(MODEL.replace("Relu", "Tanh"), "net")
def test_third(golden_model):
    golden_model(MODEL, "net")
"""
    result = run(tests, "--update-golden-models")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*test_first has a golden model 'net', too, and it is another one*"])
    assert "Relu" in (pytester.path / "golden" / "net.onnxtxt").read_text()


def test_another_plugin_may_have_an_option_of_that_name(run, pytester):
    """pytest-golden defines --update-goldens."""
    if importlib.util.find_spec("pytest_golden") is None:
        pytester.makeconftest("def pytest_addoption(parser): parser.addoption('--update-goldens', action='store_true')")
    tests = "def test(golden_model): golden_model(MODEL, 'net')"
    missing = run(tests)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["there is no golden/net.onnxtxt; `pytest --update-golden-models` writes it"])
    missing.stdout.no_fnmatch_line("*another exception*")
    run(tests, "--update-goldens").assert_outcomes(passed=1)
    run(tests).assert_outcomes(passed=1)


def test_comparisons_show_what_differs(run, onnx):
    tests = """
import onnxc
def test_models():
    assert onnxc.parse_model(MODEL) == onnxc.parse_model(MODEL.replace("Relu", "Tanh"))
def test_nodes():
    assert onnxc.parse_model(MODEL).graph.node == list(onnxc.parse_model(MODEL.replace("Relu", "Abs")).graph.node)
def test_numbers_of_nodes():
    assert list(onnxc.parse_model(MODEL).graph.node) == []
def test_others():
    assert 1 == 2
    assert [1] == [2]
"""
    result = run(tests)
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["*the messages differ*", "*graph.node?1?*Relu*Tanh*"])
    result.stdout.fnmatch_lines(["*the messages differ*", "*the first pair that differs is ?1?:", "*Relu*Abs*"])
    result.stdout.fnmatch_lines(["*the messages differ*", "*2 messages and 0"])
    result.stdout.no_fnmatch_line("*ir_version: 10*")


class Plain(unittest.TestCase):
    def test_golden(self):
        import pathlib
        import tempfile

        model = onnxc.parse_model('<ir_version: 10, opset_import: ["" : 21]> g (float[N] x) => (float[N] y) { y = Relu (x) }')
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "golden" / "net.onnxtxt"
            with self.assertRaisesRegex(AssertionError, "ONNXC_UPDATE_GOLDENS=1"):
                golden.assert_golden(model, path)
            golden.assert_golden(model, path, update=True)
            golden.assert_golden(model, path)
            path.write_text(path.read_text().replace("Relu", "Tanh"))
            with self.assertRaisesRegex(AssertionError, "Tanh.*Relu"):
                golden.assert_golden(model, path)

    def test_an_update_writes_only_what_differs(self):
        import pathlib
        import tempfile

        text = """# Why this model exists.
<ir_version: 10, opset_import: ["" : 21]> g (float[N] x) => (float[N] y) <float[2] w = {1, 2}> { y = Mul (x, w) }  # the point
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "net.onnxtxt"
            for options in ({}, {"elide_weights_of": 1}):
                golden.assert_golden(text, path, update=True, **options)
                commented = "# a comment\n" + path.read_text()
                path.write_text(commented)
                golden.assert_golden(text, path, update=True, **options)
                self.assertEqual(path.read_text(), commented)
                path.write_text("not a model")
            path.write_text(text)
            golden.assert_golden(text.replace("{1, 2}", "{1, 3}"), path, update=True, tolerance=1.0)
            self.assertEqual(path.read_text(), text)
            golden.assert_golden(text.replace("{1, 2}", "{1, 3}"), path, update=True)
            self.assertNotEqual(path.read_text(), text)
            golden.assert_golden(text.replace("{1, 2}", "{1, 3}"), path)

    def test_golden_without_large_weights(self):
        import pathlib
        import tempfile

        text = """<ir_version: 10, opset_import: ["" : 21]>
            g (float[N, 4] x) => (float[N, 4] y) <float[4] large = {1, 2, 3, 4}, float[1] small = {5}> {
               h = Mul (x, large)
               y = Mul (h, small)
            }"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "net.onnxtxt"
            golden.assert_golden(text, path, elide_weights_of=16, update=True)
            self.assertIn('large = ["elided": "sha256:', path.read_text())
            self.assertIn("small = {5}", path.read_text())
            golden.assert_golden(text, path, elide_weights_of=16)
            with self.assertRaisesRegex(AssertionError, "large"):
                golden.assert_golden(text.replace("{1, 2, 3, 4}", "{1, 2, 3, 5}"), path, elide_weights_of=16)
