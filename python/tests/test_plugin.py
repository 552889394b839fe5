"""The plugin of pytest, and the same for other frameworks."""

import importlib.metadata
import importlib.util
import unittest

import onnxc
import pytest
from onnxc import golden


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
    run(tests).assert_outcomes(failed=1)
    run(tests, "--update-goldens").assert_outcomes(passed=1)
    run(tests).assert_outcomes(passed=1)


def test_comparisons_show_what_differs(run, onnx):
    tests = """
import onnxc
def test_models():
    assert onnxc.parse_model(MODEL) == onnxc.parse_model(MODEL.replace("Relu", "Tanh"))
def test_others():
    assert 1 == 2
"""
    result = run(tests)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*the messages differ*", "*graph.node?1?*Relu*Tanh*"])
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
