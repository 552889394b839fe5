"""Runs the cells of docs/python-tour.ipynb, the tour of the package. Their outputs must be those in the file.

With ``ONNXC_BLESS=1``, the current outputs are written to the file. Pictures are not compared, because Graphviz may be missing
or have another version.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import re

import pytest

TOUR = pathlib.Path(__file__).parents[2] / "docs" / "python-tour.ipynb"


def run(source, names):
    """Returns the outputs of a cell, as a notebook has them."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines(value._repr_html_())
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines(text):
    return text.splitlines(keepends=True)


def without_pictures(outputs):
    return re.sub(r"<div [^>]*>(?:(?!</div>).)*<svg.*?</svg>.*?</div>", "", json.dumps(outputs))


def test_the_tour_shows_what_it_says(onnx, tmp_path, monkeypatch):
    if not TOUR.exists():
        pytest.skip("the documents are not here")
    tour = json.loads(TOUR.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    cells = [cell for cell in tour["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for cell in cells:
        outputs = run("".join(cell["source"]), names)
        if os.environ.get("ONNXC_BLESS"):
            cell["outputs"] = outputs
        else:
            assert without_pictures(cell["outputs"]) == without_pictures(outputs), "".join(cell["source"])
    if os.environ.get("ONNXC_BLESS"):
        TOUR.write_text(json.dumps(tour, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
