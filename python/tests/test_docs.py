"""The examples of docs/python.md run, one behind the other."""

import os
import pathlib
import re

import pytest

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples_run(tmp_path, monkeypatch, onnx):
    if not DOCUMENT.exists():
        pytest.skip("the documents are not here")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 7
    names: dict = {}
    for block in blocks:
        exec(compile(block, os.fspath(DOCUMENT), "exec"), names)
