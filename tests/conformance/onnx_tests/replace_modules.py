"""A plugin of pytest that runs the unchanged tests of the onnx project with onnxc's modules in place of the modules of onnx.

exceptions.txt lists the tests that fail with onnxc's modules, each with the reason. A listed test must fail.
"""

import importlib
import pathlib
import sys

import onnx.checker
import onnx.parser
import onnx.printer
import onnx.shape_inference
import pytest

for name in ("parser", "printer", "shape_inference", "checker"):
    module = importlib.import_module(f"onnxc.{name}")
    sys.modules[f"onnx.{name}"] = module
    setattr(onnx, name, module)


def read_exceptions():
    """Returns the reason of each test in the list: a line `# reason` stands for the tests below it."""
    reason, reasons = "", {}
    for line in pathlib.Path(__file__).with_name("exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            reasons[line] = reason
    return reasons


def pytest_collection_modifyitems(items):
    reasons = read_exceptions()
    files = {item.path.name for item in items}
    for item in items:
        test = f"{item.path.name}::{item.nodeid.partition('::')[2]}"
        if test in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons.pop(test), strict=True))
    unknown = [test for test in reasons if test.partition("::")[0] in files]
    if unknown:
        raise pytest.UsageError(f"exceptions.txt lists tests that there are not: {unknown}")
