"""Runs the examples of docs/python.md in order. Each must print the output that follows it in the document.

With ``ONNXC_BLESS=1``, the current outputs are written to the document.
"""

import contextlib
import io
import os
import pathlib
import re

import pytest

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_run(tmp_path, monkeypatch, onnx):
    if not DOCUMENT.exists():
        pytest.skip("the documents are not here")
    monkeypatch.chdir(tmp_path)
    document = DOCUMENT.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text output\n(.*?)```)?", document, re.DOTALL)
    assert len(blocks) >= 9
    names: dict = {}
    for block, output in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, os.fspath(DOCUMENT), "exec"), names)
        if output and os.environ.get("ONNXC_BLESS"):
            document = document.replace(f"```text output\n{output}```", f"```text output\n{printed.getvalue()}```", 1)
        elif output:
            assert printed.getvalue() == output, block
    if os.environ.get("ONNXC_BLESS"):
        DOCUMENT.write_text(document, encoding="utf-8")
