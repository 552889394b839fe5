"""Turns an input (a message, bytes, a path, a file or a text) into bytes, and a name for findings."""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

MODEL = "ModelProto"


class Source(NamedTuple):
    """An input, and where it comes from."""

    data: bytes
    name: str
    type: str = MODEL
    directory: str = ""
    is_binary: bool = False  # the data are protobuf's wire format for sure

    @property
    def input(self) -> tuple:
        """As the extension module takes it."""
        return self.type, self.data, self.name, self.is_binary


def onnx_package() -> Any | None:
    """The ``onnx`` package, or None where it is not installed."""
    module = sys.modules.get("onnx")
    if module is None:
        try:
            import onnx as module
        except ImportError:
            return None
    return module if hasattr(module, "ModelProto") else None


def looks_like_text(text: str) -> bool:
    """Whether a str is a text in the ONNX text syntax and not the name of a file."""
    return any(mark in text for mark in ("\n", "=>", "{", "="))


def encode(text: str) -> bytes:
    """A text as bytes. Lone surrogates stand for bytes that are no UTF-8, as Python has them in the names of files."""
    return text.encode("utf-8", "surrogateescape")


def message_type(value: Any) -> str | None:
    """The name of the schema's message that an object is, such as ``GraphProto``."""
    descriptor = getattr(type(value), "DESCRIPTOR", None)
    return descriptor.name if descriptor is not None and hasattr(value, "SerializeToString") else None


def read(value: Any, type: str = MODEL, name: str | None = None) -> Source:
    """Any input as bytes or text.

    Args:
        value: a message of the ``onnx`` package; an ``onnx_ir`` model; bytes in any format; a path; an open file; or a str,
            which is a text where it holds a line break, ``{`` or ``=``, and a path otherwise.
        type: the message's type where the value does not tell.
        name: what findings call the input.
    """
    found = message_type(value)
    if found is not None:
        return Source(value.SerializeToString(), name or f"<{found}>", found, is_binary=True)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Source(bytes(value), name or "<bytes>", type)
    if isinstance(value, str) and looks_like_text(value):
        return Source(encode(value), name or "<text>", type)
    if isinstance(value, (str, os.PathLike)):
        path = os.fspath(value)
        with open(path, "rb") as file:
            return Source(file.read(), name or os.fsdecode(path), type, os.path.dirname(os.fsdecode(path)))
    if hasattr(value, "read"):
        content = value.read()
        return Source(encode(content) if isinstance(content, str) else content, name or str(getattr(value, "name", "<file>")), type)
    if type_module(value) == "onnx_ir":
        import onnx_ir

        return read(onnx_ir.to_proto(value), type, name)
    raise TypeError(f"onnxc takes a message, bytes, a path, a file or a text, not {value.__class__.__name__}")


def type_module(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def write(type: str, data: bytes) -> Any:
    """The bytes of a message as a message of the ``onnx`` package; the bytes themselves where that is not installed."""
    onnx = onnx_package()
    return getattr(onnx, type).FromString(data) if onnx is not None else data
