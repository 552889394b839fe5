"""A replacement for ``onnx.parser``: the same names, and errors with positions.

``ParseError`` is ``onnx.parser.ParseError``. The functions raise a subclass of it with ``findings``. The message of the exception
is a str.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onnxc import _core
from onnxc._inputs import encode, write
from onnxc.findings import Findings, OnnxcError, read_findings

if TYPE_CHECKING:
    import onnx

try:
    from onnx.parser import ParseError
except ImportError:

    class ParseError(Exception):  # type: ignore[no-redef]
        """A text cannot be parsed."""


__all__ = ["ParseError", "parse_function", "parse_graph", "parse_model", "parse_node"]


class FoundParseError(OnnxcError, ParseError):
    """A text cannot be parsed. ``findings`` contains each error with its position.

    The findings and the message are computed when they are first used: to find all errors and their corrections takes much longer
    than to find out that there is an error.
    """

    _text: tuple[str, bytes] | None = None  # the message type and the text; None after the findings were computed

    @classmethod
    def _of(cls, type: str, text: bytes) -> FoundParseError:
        error = cls.__new__(cls)  # _look() calls __init__
        error._text = type, text
        return error

    def _look(self) -> None:
        """Computes the findings, unless that was done before."""
        if (wanted := self._text) is None:
            return
        type, text = wanted
        ok, _, findings, rendered = _core.compile((type, text, "<text>", False))
        OnnxcError.__init__(self, read_findings(ok, findings, rendered, text))
        self._text = None  # last, so that an exception above, such as KeyboardInterrupt, loses nothing

    @property
    def findings(self) -> Findings:
        self._look()
        return self._findings

    @findings.setter
    def findings(self, findings: Findings) -> None:
        self._findings = findings

    @property
    def args(self) -> tuple[Any, ...]:
        self._look()
        return super().args

    @args.setter
    def args(self, args: tuple[Any, ...]) -> None:
        self._look()
        ParseError.args.__set__(self, args)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        self._look()
        return super().__str__()

    def __repr__(self) -> str:
        self._look()
        return super().__repr__()


def _parse(type: str, text: str) -> Any:
    if not isinstance(text, str):
        raise TypeError(f"the text must be a str, not {text.__class__.__name__}")
    data = _core.parse((type, text if text.isascii() else encode(text), "<text>", False))  # a str in ASCII needs no encoding
    if data is None:
        raise FoundParseError._of(type, encode(text))
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
