"""The type annotations of the package, checked by mypy --strict and pyright in a program that uses the package."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import typing

import pytest

FOLDER = pathlib.Path(__file__).parent / "typing"


def mypy(name):
    """Returns the lines with errors."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", FOLDER / name]
    output = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER).stdout
    return {int(line) for line in re.findall(rf"(?m)^{re.escape(name)}:(\d+): error:", output)}, output


def pyright(name):
    done = subprocess.run([sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, FOLDER / name], capture_output=True, text=True)
    try:
        findings = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip("pyright could not get its program from npm")
    errors = [finding for finding in findings if finding["severity"] == "error"]
    return {finding["range"]["start"]["line"] + 1 for finding in errors}, done.stdout


@pytest.mark.parametrize("check", [mypy, pyright], ids=lambda check: check.__name__)
def test_right_and_wrong_lines(onnx, check):
    if importlib.util.find_spec(check.__name__) is None:
        pytest.skip(f"{check.__name__} is not installed")
    found, output = check("right.py")
    assert not found, output
    lines = (FOLDER / "wrong.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if "# wrong: " in line}
    found, output = check("wrong.py")
    assert len(wrong) >= 9 and found == wrong, output


def test_the_package_itself():
    """mypy --strict finds nothing in the package."""
    pytest.importorskip("mypy")
    pytest.importorskip("onnx")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", "-p", "onnxc"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_names_of_messages_are_those_of_the_schema(onnx):
    from onnxc._inputs import MessageName

    assert sorted(typing.get_args(MessageName)) == sorted(onnx.onnx_ml_pb2.DESCRIPTOR.message_types_by_name)
