"""A replacement for ``onnx.parser``: the same names, and errors with positions.

``ParseError`` is ``onnx.parser.ParseError``. The functions raise a subclass of it, whose message is text, and which has
``findings``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onnxc import _core
from onnxc._inputs import encode, write
from onnxc.findings import OnnxcError, read_findings

if TYPE_CHECKING:
    import onnx

try:
    from onnx.parser import ParseError
except ImportError:

    class ParseError(Exception):  # type: ignore[no-redef]
        """A text that cannot be parsed."""


__all__ = ["ParseError", "parse_function", "parse_graph", "parse_model", "parse_node"]


class FoundParseError(OnnxcError, ParseError):
    """A text cannot be parsed. ``findings`` contains each error with its position."""


def _parse(type: str, text: str) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"the text must be a str, not {text.__class__.__name__}")
    ok, data, findings, rendered = _core.compile((type, encode(text), "<text>", False))
    if not ok or data is None:
        raise FoundParseError(read_findings(ok, findings, rendered, encode(text)))
    return write(type, data)


def parse_model(model_text: str) -> onnx.ModelProto:
    """Parses a text to a ModelProto."""
    message: onnx.ModelProto = _parse("ModelProto", model_text)
    return message


def parse_graph(graph_text: str) -> onnx.GraphProto:
    """Parses a text to a GraphProto."""
    message: onnx.GraphProto = _parse("GraphProto", graph_text)
    return message


def parse_function(function_text: str) -> onnx.FunctionProto:
    """Parses a text to a FunctionProto."""
    message: onnx.FunctionProto = _parse("FunctionProto", function_text)
    return message


def parse_node(node_text: str) -> onnx.NodeProto:
    """Parses a text to a NodeProto."""
    message: onnx.NodeProto = _parse("NodeProto", node_text)
    return message
