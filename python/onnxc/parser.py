"""In the place of ``onnx.parser``: the same names, and errors that say where.

``ParseError`` is a subclass of ``onnx.parser.ParseError``; its message is text, and it has ``findings``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxc import _core
from onnxc._inputs import encode, write
from onnxc.findings import OnnxcError, read_findings

if TYPE_CHECKING:
    import onnx

try:
    from onnx.parser import ParseError as _OriginalError
except ImportError:
    _OriginalError = Exception

__all__ = ["ParseError", "parse_function", "parse_graph", "parse_model", "parse_node"]


class ParseError(OnnxcError, _OriginalError):
    """A text that cannot be parsed. ``findings`` has each mistake with its place."""


def _parse(type: str, text: str):
    if not isinstance(text, str):
        raise TypeError(f"the text must be a str, not {text.__class__.__name__}")
    ok, data, findings, rendered = _core.compile((type, encode(text), "<text>", False))
    if not ok:
        raise ParseError(read_findings(ok, findings, rendered))
    return write(type, data)


def parse_model(model_text: str) -> onnx.ModelProto:
    """Parses a text to a ModelProto."""
    return _parse("ModelProto", model_text)


def parse_graph(graph_text: str) -> onnx.GraphProto:
    """Parses a text to a GraphProto."""
    return _parse("GraphProto", graph_text)


def parse_function(function_text: str) -> onnx.FunctionProto:
    """Parses a text to a FunctionProto."""
    return _parse("FunctionProto", function_text)


def parse_node(node_text: str) -> onnx.NodeProto:
    """Parses a text to a NodeProto."""
    return _parse("NodeProto", node_text)
