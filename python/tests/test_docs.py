"""Runs the Python examples of the documents in order. Each must print the output that follows it in the document.

With ``ONNXC_BLESS=1``, the current outputs are written to the document.
"""

import contextlib
import io
import os
import pathlib
import re

import onnxc
import pytest

ROOT = pathlib.Path(__file__).parents[2]


def run_examples(name, least):
    """Runs the examples of a document in the current folder; there must be at least so many."""
    path = ROOT / "docs" / name
    document = path.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text output\n(.*?)```)?", document, re.DOTALL)
    assert len(blocks) >= least
    names: dict = {}
    for block, output in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, os.fspath(path), "exec"), names)
        if output and os.environ.get("ONNXC_BLESS"):
            document = document.replace(f"```text output\n{output}```", f"```text output\n{printed.getvalue()}```", 1)
        elif output:
            assert printed.getvalue() == output, block
    if os.environ.get("ONNXC_BLESS"):
        path.write_text(document, encoding="utf-8")


pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="the documents are not here")


def test_examples_of_the_package_run(tmp_path, monkeypatch, onnx):
    monkeypatch.chdir(tmp_path)
    run_examples("python.md", 9)


def test_examples_of_other_packages_do_what_the_comparison_says(tmp_path, monkeypatch, onnx):
    pytest.importorskip("onnx_ir")
    monkeypatch.chdir(tmp_path)
    for name in ("exported", "scale"):  # the files that the sessions of the document write
        onnxc.save(onnxc.load(ROOT / "testdata" / "docs" / f"{name}.onnxtxt"), f"{name}.onnx")
    run_examples("compare.md", 4)
