"""Shows a model in a notebook: a drawing, and its text in colours, without the data of large tensors."""

from __future__ import annotations

import html
import re
import shutil
import subprocess

from onnxc import _core
from onnxc._inputs import MODEL, Input, MessageName, read
from onnxc.findings import PAPER, value_of

__all__ = ["Shown", "show"]

_TOKENS = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<string>b?"(?:\\.|[^"\\])*")|(?P<number>(?<![\w.])-?\d[\w.+-]*)'
    r"|(?P<operator>\b[A-Z][\w.]*(?=\s*[<(]))|(?P<type>\b(?:seq|map|optional|sparse_tensor|opaque|bool|string|b?float\d*\w*"
    r"|double|u?int\d+|complex\d+)\b)|(?P<data>\{[^{}=]{200,}\})|(?P<other>[^\"#\w{-]+|.)",
    re.DOTALL,
)
_COLORS = {"comment": "#707070", "string": "#1e8449", "number": "#7d3c98", "operator": "#2471a3", "type": "#8a5a00"}


class Shown:
    """The result of ``show``: notebooks display it, and ``str()`` returns the text."""

    def __init__(self, text: str, picture: str | None):
        self.text = text
        self.picture = picture

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        picture = f"<div style='overflow:auto;{PAPER}'>{self.picture}</div>" if self.picture else ""
        return f"{picture}<pre style='line-height:1.3;{PAPER}'>{colored(self.text)}</pre>"


def colored(text: str) -> str:
    """Converts a text to HTML, in colours, and with long lists of numbers folded."""
    parts = []
    for match in _TOKENS.finditer(text):
        kind, token = match.lastgroup, html.escape(match[0])
        if kind == "data":
            token = f"<details style='display:inline'><summary style='display:inline'>{{…}}</summary>{token}</details>"
        elif kind in _COLORS:
            token = f"<span style='color:{_COLORS[kind]}'>{token}</span>"
        parts.append(token)
    return "".join(parts)


def show(model: Input, *, picture: bool = True, type: MessageName = MODEL) -> Shown:
    """Shows a model in a notebook.

    Args:
        model: any input that ``onnxc.check`` accepts.
        picture: also draw the graph, if Graphviz is installed (its command ``dot``).
    """
    source = read(model, type)
    drawn = None
    if picture and source.type in (MODEL, "GraphProto", "FunctionProto") and shutil.which("dot"):
        dot = value_of(_core.draw(source.input))
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot.encode(), capture_output=True, check=True).stdout.decode()
        drawn = drawn[drawn.index("<svg") :]
    return Shown(value_of(_core.print(source.input, False, False, False)), drawn)
