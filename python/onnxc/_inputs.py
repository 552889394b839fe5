"""Converts an input (a message, bytes, a path, a file or a text) to bytes, and gives it a name for findings."""

from __future__ import annotations

import functools
import json
import os
import sys
from typing import Any, Literal, NamedTuple, Protocol, Union

from onnxc import _core

MODEL: Literal["ModelProto"] = "ModelProto"

MessageName = Literal[
    "AttributeProto",
    "DeviceConfigurationProto",
    "FunctionProto",
    "GraphProto",
    "IntIntListEntryProto",
    "ModelProto",
    "NodeDeviceConfigurationProto",
    "NodeProto",
    "OperatorSetIdProto",
    "ShardedDimProto",
    "ShardingSpecProto",
    "SimpleShardedDimProto",
    "SparseTensorProto",
    "StringStringEntryProto",
    "TensorAnnotation",
    "TensorProto",
    "TensorShapeProto",
    "TrainingInfoProto",
    "TypeProto",
    "ValueInfoProto",
]
"""The messages of the schema."""


class Message(Protocol):
    """A message of the ``onnx`` package."""

    def SerializeToString(self) -> bytes: ...


class Readable(Protocol):
    """An open file."""

    def read(self) -> bytes | str: ...


class IrObject(Protocol):
    """A model, graph, function or node of ``onnx_ir``."""

    @property
    def metadata_props(self) -> Any: ...
    @property
    def meta(self) -> Any: ...


class ScriptFunction(Protocol):
    """A function of ``onnxscript``."""

    def to_model_proto(self) -> Any: ...


Text = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]"]
"""A text, or the path of its file; a ``str`` is a text."""
Input = Union[Message, Readable, IrObject, ScriptFunction, bytes, bytearray, memoryview, str, "os.PathLike[str]", "os.PathLike[bytes]"]
"""The inputs that most functions accept."""


class Source(NamedTuple):
    """An input and its origin."""

    data: bytes
    name: str
    type: str = MODEL
    directory: str = ""
    is_binary: bool = False  # the data are protobuf's wire format for sure
    is_file: bool = False

    @property
    def input(self) -> _core.Input:
        """Returns the input in the form that the extension module accepts."""
        return self.type, self.data, encode(self.name), self.is_binary


def model_input(data: bytes) -> _core.Input:
    """Returns the bytes of a ``ModelProto`` in the form of ``Source.input``. This is faster than making a Source."""
    return MODEL, data, b"<ModelProto>", True


def onnx_package() -> Any | None:
    """Returns the ``onnx`` package, or None if it is not installed."""
    module = sys.modules.get("onnx")
    if module is None:
        try:
            import onnx as module
        except ImportError:
            return None
    return module if hasattr(module, "ModelProto") else None


@functools.cache
def suffixes() -> dict[str, str]:
    """Returns the suffixes of files, each with its format."""
    found: dict[str, str] = json.loads(_core.suffixes())
    return found


def looks_like_text(text: str) -> bool:
    """Returns whether a str is a text in the ONNX text syntax rather than the name of a file.

    A str is the name of a file if it has no line break, and ends in a known suffix or is the name of an existing file.
    Otherwise it is a text if it contains a punctuation mark of the syntax.
    """
    if "\n" in text:
        return True
    if text.lower().endswith(tuple(suffixes())) or os.path.exists(text):
        return False
    return any(mark in text for mark in ("{", "="))


def encode(text: str) -> bytes:
    """Returns a text as bytes. As in Python's file names, lone surrogates stand for bytes that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def text_of(value: Any, name: str | None = None) -> tuple[bytes, str]:
    """Returns the bytes of a text, and its name in findings."""
    if isinstance(value, str):
        return encode(value), name or "<text>"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value), name or "<text>"
    if isinstance(value, os.PathLike):
        source = read(value, MODEL, name)
        return source.data, source.name
    raise TypeError(f"a text is a str, bytes or a path, not {value.__class__.__name__}")


def message_type(value: Any) -> str | None:
    """Returns the name of the message type of an object, such as ``GraphProto``, or None if the object is not a message."""
    return name_of_class(type(value))  # type: ignore[arg-type]  # mypy takes no class for hashable


@functools.lru_cache(maxsize=64)
def name_of_class(kind: type) -> str | None:
    """Returns the name of the message type of a class, or None if its objects are not messages."""
    descriptor = getattr(kind, "DESCRIPTOR", None)
    return descriptor.name if descriptor is not None and hasattr(kind, "SerializeToString") else None


def read(value: Any, type: str = MODEL, name: str | None = None) -> Source:
    """Reads any input as bytes or text.

    Args:
        value: a message of the ``onnx`` package; an ``onnx_ir`` model; bytes in any format; a path; an open file; a function of
            ``onnxscript``; or a str, which is a path if it ends in a known suffix or is the name of an existing file, and
            otherwise a text if it contains a line break, ``{`` or ``=``.
        type: the type of the message, if the value does not determine it.
        name: the name of the input in findings.
    """
    found = message_type(value)
    if found is not None:
        return Source(value.SerializeToString(), name or f"<{found}>", found, is_binary=True)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Source(bytes(value), name or "<bytes>", type)
    if isinstance(value, str) and looks_like_text(value):
        return Source(encode(value), name or "<text>", type)
    if isinstance(value, (str, os.PathLike)):
        return read_file(os.fspath(value), type, name)
    if hasattr(value, "read"):
        content = value.read()
        if not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"read() of a file gives a str or bytes, not {content.__class__.__name__}")
        data = encode(content) if isinstance(content, str) else bytes(content)
        return Source(data, name or str(getattr(value, "name", "<file>")), type)
    if type_module(value) == "onnx_ir":
        import onnx_ir

        return read(onnx_ir.to_proto(value), type, name)
    if hasattr(value, "to_model_proto"):  # of onnxscript
        return read(value.to_function_proto() if type == "FunctionProto" else value.to_model_proto(), type, name)
    raise TypeError(f"onnxc takes a message, bytes, a path, a file or a text, not {value.__class__.__name__}")


def read_file(path: str | bytes, type: str = MODEL, name: str | None = None) -> Source:
    """Returns the file of this path, in the form of ``read``."""
    with open(path, "rb", buffering=0) as file:  # all of it is read at once
        data = file.readall()
    decoded = path if isinstance(path, str) else os.fsdecode(path)
    return Source(data, name or decoded, type, os.path.dirname(decoded), is_file=True)


def only(types: tuple[str, ...], function: str, source: Source) -> Source:
    """Returns the source. Raises an exception if its message has none of the types."""
    if source.type not in types:
        raise TypeError(f"onnxc.{function} takes {' or '.join(types)}, not {source.type}")
    return source


def directory_of(directory: str | os.PathLike[str] | None, default: str) -> bytes:
    """Converts a folder to the form that the extension module accepts."""
    return encode(default if directory is None else os.fsdecode(directory))


def type_module(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def write(type: str, data: bytes) -> Any:
    """Returns the bytes of a message as a message of the ``onnx`` package, or the bytes if that package is not installed."""
    message = message_class(type)
    return data if message is None else message.FromString(data)


@functools.cache
def message_class(type: str) -> Any | None:
    """Returns the class of the ``onnx`` package for this message, or None if that package is not installed."""
    onnx = onnx_package()
    return None if onnx is None else getattr(onnx, type)
