"""The functions of the package. They take messages, bytes, paths, files or texts, and return messages, texts or findings."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from onnxc import _core
from onnxc._inputs import MODEL, Source, encode, onnx_package, read, write
from onnxc.findings import Findings, OnnxcError, ansi_to_html, read_findings, without_colors

_LIMIT = 100


def _value(answer: tuple) -> Any:
    """The value of an answer, or the exception that its findings are."""
    ok, value, findings, rendered = answer
    if not ok:
        raise OnnxcError(read_findings(ok, findings, rendered))
    return value


def parse_bytes(text: str | bytes, type: str = MODEL, name: str = "<text>") -> bytes:
    """Compiles a text to the bytes of a message of that type (``"ModelProto"``, ``"NodeProto"``, ...)."""
    return _value(_core.compile((type, encode(text) if isinstance(text, str) else text, name, False)))


def _parser(type: str):
    def parse(text: str | bytes, name: str = "<text>"):
        return write(type, parse_bytes(text, type, name))

    parse.__doc__ = f"""Parses a text in the ONNX text syntax.

    Args:
        text: the text; bytes are taken as UTF-8.
        name: what findings call the text.
    Returns:
        an ``onnx.{type}``; its bytes where the ``onnx`` package is not installed.
    Raises:
        OnnxcError: with a finding for each mistake.
    """
    return parse


parse_model = _parser("ModelProto")
parse_graph = _parser("GraphProto")
parse_function = _parser("FunctionProto")
parse_node = _parser("NodeProto")
parse_attribute = _parser("AttributeProto")
parse_type = _parser("TypeProto")
parse_tensor = _parser("TensorProto")
parse_shape = _parser("TensorShapeProto")
for _name in ("model", "graph", "function", "node", "attribute", "type", "tensor", "shape"):
    globals()[f"parse_{_name}"].__name__ = globals()[f"parse_{_name}"].__qualname__ = f"parse_{_name}"


def to_text(
    proto: Any, dialect: str = "onnxc", *, allow_loss: bool = False, small_floats: str = "bits", type: str = MODEL
) -> str:
    """Prints a message as text.

    Args:
        proto: a message, or what ``check`` takes; ``type`` names the message that bytes hold.
        dialect: ``"onnxc"`` loses nothing; ``"reference"`` is what the printer of the ``onnx`` package writes.
        allow_loss: leave out what the reference dialect cannot carry, instead of raising.
        small_floats: ``"bits"`` or ``"values"``: how elements of float16 and smaller types are written.
    Raises:
        OnnxcError: where the dialect cannot carry a field, or messages are nested too deep.
    """
    if dialect not in ("onnxc", "reference"):
        raise ValueError(f"dialect is 'onnxc' or 'reference', not {dialect!r}")
    if small_floats not in ("bits", "values"):
        raise ValueError(f"small_floats is 'bits' or 'values', not {small_floats!r}")
    source = read(proto, type)
    return _value(_core.print(source.input, dialect == "reference", allow_loss, small_floats == "values"))


def check(
    model: Any,
    *,
    type: str = MODEL,
    name: str | None = None,
    strict: bool = False,
    infer: bool = True,
    optional_rules: bool = False,
    directory: str | os.PathLike | None = None,
    external_files: bool = True,
    ir_version: int = 0,
    opset_imports: Mapping[str, int] | None = None,
    limit: int = _LIMIT,
) -> Findings:
    """All findings about a model, or about a part of one.

    Args:
        model: a message, bytes in any format, a path, an open file, or a text.
        type: the type of what bytes or a text hold.
        name: what findings call the input.
        strict: warnings count as errors.
        infer: infer types and shapes, and report what clashes.
        optional_rules: look at the rules that are off otherwise, such as ``domain-name``.
        directory: where the files of external data are; that of the path by default.
        external_files: look at the files of external data.
        ir_version, opset_imports: what a part of a model is judged by; a model tells this itself.
        limit: findings that are kept; the rest are counted.
    Returns:
        the findings. ``findings.ok`` is true where none is an error.
    """
    source = read(model, type, name)
    where = source.directory if directory is None else os.fspath(directory)
    ok, _, findings, rendered = _core.check(
        source.input, where, strict, external_files, infer, optional_rules, ir_version, dict(opset_imports or {}), limit
    )
    return read_findings(ok, findings, rendered)


def _only(types: tuple[str, ...], function: str, source: Source) -> Source:
    if source.type not in types:
        raise TypeError(f"onnxc.{function} takes {' or '.join(types)}, not {source.type}")
    return source


def infer(
    model: Any, *, name: str | None = None, strict: bool = False, data_propagation: bool = True, overwrite: bool = False
) -> Any:
    """A model with the types and shapes of its values: a ``value_info`` for each, and declared types with what they lacked.

    Args:
        model: what ``check`` takes.
        name: what findings call the input.
        strict: raise where something contradicts the types; else such values keep the types that they have.
        data_propagation: compute the contents of shapes and other small constants.
        overwrite: replace declared types by inferred ones.
    Returns:
        a new ``onnx.ModelProto``; its bytes where the ``onnx`` package is not installed.
    Raises:
        OnnxcError: where the model cannot be read, and with ``strict`` for each contradiction.
    """
    source = _only((MODEL,), "infer", read(model, MODEL, name))
    return write(MODEL, _value(_core.infer(source.input, strict, data_propagation, overwrite)))


def format_text(text: str, *, type: str = MODEL, name: str = "<text>", width: int = 100) -> str:
    """A text in the layout of ``onnxc fmt``: comments stay, and what it compiles to is the same."""
    return _value(_core.format((type, encode(text), name, False), width))


@dataclass(frozen=True)
class Difference:
    """One difference between two messages."""

    kind: str
    aspect: str
    path: str
    before: str = ""
    after: str = ""
    detail: str = ""
    subject: str = ""


class Differences(tuple):
    """All differences; none where the messages are the same. ``str()`` is a line for each."""

    rendered: str = ""

    def __str__(self) -> str:
        return without_colors(self.rendered).rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{ansi_to_html(self.rendered or 'no differences')}</pre>"


def diff(before: Any, after: Any, *, type: str = MODEL, ignore: Iterable[str] = (), tolerance: float = 0.0) -> Differences:
    """What differs in two models, not in their bytes.

    Args:
        before, after: each what ``check`` takes.
        ignore: any of ``"names"``, ``"docs"``, ``"metadata"`` and ``"storage"``.
        tolerance: elements of tensors that are no further apart than this are equal.
    """
    ignored = list(ignore)
    unknown = set(ignored) - {"names", "docs", "metadata", "storage"}
    if unknown:
        raise ValueError(f"ignore takes 'names', 'docs', 'metadata' and 'storage', not {', '.join(map(repr, sorted(unknown)))}")
    first, second = read(before, type), read(after, type)
    if first.type != second.type:
        raise TypeError(f"a {first.type} and a {second.type} cannot be compared")
    ok, document, findings, rendered = _core.diff(first.input, second.input, ",".join(ignored), tolerance)
    if not ok:
        raise OnnxcError(read_findings(ok, findings, rendered))
    fields = Difference.__dataclass_fields__
    items = json.loads(document)["differences"]
    result = Differences(Difference(**{key: value for key, value in item.items() if key in fields}) for item in items)
    result.rendered = rendered or ""
    return result


def load(file: Any, *, type: str = MODEL) -> Any:
    """Reads a message from a file in any format: binary, text, protobuf's text format or JSON. Its content tells which.

    External data stay where they are.
    """
    source = read(pathlib.Path(file) if isinstance(file, str) else file, type)
    onnx = onnx_package()
    if onnx is not None and _core.is_binary(source.input):
        from google.protobuf.message import DecodeError

        with contextlib.suppress(DecodeError):  # the findings say what is wrong
            return getattr(onnx, source.type).FromString(source.data)
    return write(source.type, _value(_core.convert(source.input)))


def save(proto: Any, path: str | os.PathLike, *, type: str = MODEL) -> None:
    """Writes a message in the format that the path's suffix names, as the command does: whole or not at all.

    A symbolic link stays one, and so do the permissions of a file that is there already.

    Args:
        proto: a message, or what ``check`` takes; ``type`` names the message that bytes hold.
        path: the file to write.
    Raises:
        OSError: where the file cannot be written. What was there before is as it was.
        OnnxcError: where the message cannot be read, or the format cannot carry it.
        ValueError: where the suffix names no format.
    """
    _value(_core.save(read(proto, type).input, os.fspath(path)))


def to_dot(proto: Any, *, type: str = MODEL) -> str:
    """The picture of a model, graph or function, in the language of Graphviz."""
    source = _only((MODEL, "GraphProto", "FunctionProto"), "to_dot", read(proto, type))
    return _value(_core.draw(source.input))


def info(model: Any) -> dict:
    """What is in a model: operators, weights, inputs and outputs, sizes."""
    source = _only((MODEL,), "info", read(model))
    return json.loads(_value(_core.describe(source.input)))["models"][0]
