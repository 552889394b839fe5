"""The functions of the package. They take messages, bytes, paths, files or texts, and return messages, texts or findings."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from onnxc import _core
from onnxc._inputs import MODEL, Input, MessageName, Text, directory_of, message_class, only, read, read_file, text_of, write
from onnxc.findings import Findings, OnnxcError, Severity, read_findings, to_html, value_of, without_colors

if TYPE_CHECKING:
    import onnx

_LIMIT = 100


def parse_bytes(text: Text, type: MessageName = MODEL, name: str | None = None) -> bytes:
    """Compiles a text to the bytes of a message. ``type`` is the type of the message: ``"ModelProto"``, ``"NodeProto"``, ..."""
    data, name = text_of(text, name)
    return value_of(_core.compile((type, data, name, False)), data)


def parse_model(text: Text, name: str | None = None) -> onnx.ModelProto:
    """Parses a model in the ONNX text syntax.

    Args:
        text: the text as a str or as bytes in UTF-8, or the path of its file (an ``os.PathLike``).
        name: the name of the text in findings.
    Returns:
        an ``onnx.ModelProto``, or its bytes if the ``onnx`` package is not installed. The functions for parts of models return a
        message of another type, or its bytes.
    Raises:
        OnnxcError: with a finding for each error.
    """
    message: onnx.ModelProto = write("ModelProto", parse_bytes(text, "ModelProto", name))
    return message


def parse_graph(text: Text, name: str | None = None) -> onnx.GraphProto:
    """Parses a graph in the ONNX text syntax; see ``parse_model``."""
    message: onnx.GraphProto = write("GraphProto", parse_bytes(text, "GraphProto", name))
    return message


def parse_function(text: Text, name: str | None = None) -> onnx.FunctionProto:
    """Parses a function in the ONNX text syntax; see ``parse_model``."""
    message: onnx.FunctionProto = write("FunctionProto", parse_bytes(text, "FunctionProto", name))
    return message


def parse_node(text: Text, name: str | None = None) -> onnx.NodeProto:
    """Parses a node in the ONNX text syntax; see ``parse_model``."""
    message: onnx.NodeProto = write("NodeProto", parse_bytes(text, "NodeProto", name))
    return message


def parse_attribute(text: Text, name: str | None = None) -> onnx.AttributeProto:
    """Parses an attribute in the ONNX text syntax; see ``parse_model``."""
    message: onnx.AttributeProto = write("AttributeProto", parse_bytes(text, "AttributeProto", name))
    return message


def parse_type(text: Text, name: str | None = None) -> onnx.TypeProto:
    """Parses a type in the ONNX text syntax; see ``parse_model``."""
    message: onnx.TypeProto = write("TypeProto", parse_bytes(text, "TypeProto", name))
    return message


def parse_tensor(text: Text, name: str | None = None) -> onnx.TensorProto:
    """Parses a tensor in the ONNX text syntax; see ``parse_model``."""
    message: onnx.TensorProto = write("TensorProto", parse_bytes(text, "TensorProto", name))
    return message


def parse_shape(text: Text, name: str | None = None) -> onnx.TensorShapeProto:
    """Parses a shape in the ONNX text syntax; see ``parse_model``."""
    message: onnx.TensorShapeProto = write("TensorShapeProto", parse_bytes(text, "TensorShapeProto", name))
    return message


def to_text(
    proto: Input,
    dialect: Literal["onnxc", "reference"] = "onnxc",
    *,
    allow_loss: bool = False,
    small_floats: Literal["bits", "values"] = "bits",
    type: MessageName = MODEL,
) -> str:
    """Prints a message as text.

    Args:
        proto: any input that ``check`` accepts; ``type`` is the message type if the input is bytes or a text.
        dialect: ``"onnxc"`` is lossless; ``"reference"`` is the output format of the printer of the ``onnx`` package.
        allow_loss: leave out anything that the reference dialect cannot represent, instead of raising an exception.
        small_floats: how elements of float16 and smaller types are written: as ``"bits"`` or as ``"values"``.
    Raises:
        OnnxcError: if the dialect cannot represent a field, or if messages are nested too deeply.
    """
    if dialect not in ("onnxc", "reference"):
        raise ValueError(f"dialect is 'onnxc' or 'reference', not {dialect!r}")
    if small_floats not in ("bits", "values"):
        raise ValueError(f"small_floats is 'bits' or 'values', not {small_floats!r}")
    source = read(proto, type)
    return value_of(_core.print(source.input, dialect == "reference", allow_loss, small_floats == "values"))


def check(
    model: Input,
    *,
    type: MessageName = MODEL,
    name: str | None = None,
    strict: bool = False,
    infer: bool = True,
    optional_rules: bool = False,
    directory: str | os.PathLike[str] | None = None,
    external_files: bool = True,
    ir_version: int = 0,
    opset_imports: Mapping[str, int] | None = None,
    limit: int = _LIMIT,
) -> Findings:
    """Returns all findings about a model, or about a part of a model.

    Args:
        model: a message, bytes in any format, a path, an open file, or a text.
        type: the message type if the model is bytes or a text.
        name: the name of the input in findings.
        strict: warnings count as errors.
        infer: infer types and shapes, and report contradictions.
        optional_rules: also check the rules that are off by default, such as ``domain-name``.
        directory: the folder with the files of external data (default: the folder of the path).
        external_files: check the files of external data.
        ir_version, opset_imports: the versions against which a part of a model is checked. A complete model specifies its own
            versions.
        limit: the maximum number of findings that are stored. Further findings are only counted.
    Returns:
        the findings. ``findings.ok`` is true if none of them is an error.
    """
    if limit < 0:
        raise ValueError(f"limit is a number of findings, not {limit}")
    if ir_version < 0:
        raise ValueError(f"ir_version is a version, or 0 for the newest one, not {ir_version}")
    source = read(model, type, name)
    where = directory_of(directory, source.directory)
    ok, _, findings, rendered, _ = _core.check(
        source.input, where, strict, external_files, infer, optional_rules, ir_version, dict(opset_imports or {}), limit
    )
    return read_findings(ok, findings, rendered, source.data)


def infer(
    model: Input, *, name: str | None = None, strict: bool = False, data_propagation: bool = True, overwrite: bool = False
) -> onnx.ModelProto:
    """Infers the types and shapes of values. Returns the model with a ``value_info`` for each value. Incomplete declared types
    are completed.

    Args:
        model: any input that ``check`` accepts.
        name: the name of the input in findings.
        strict: raise an exception if inferred and declared types contradict each other. Otherwise, the values with contradictions
            keep their declared types.
        data_propagation: also compute the values of shapes and other small constants.
        overwrite: replace declared types by inferred ones.
    Returns:
        a new ``onnx.ModelProto``, or its bytes if the ``onnx`` package is not installed.
    Raises:
        OnnxcError: if the model cannot be read, or, with ``strict``, if there are contradictions.
    """
    source = only((MODEL,), "infer", read(model, MODEL, name))
    inferred = value_of(_core.infer(source.input, strict, data_propagation, overwrite, False)[:4], source.data)
    message: onnx.ModelProto = write(MODEL, inferred)
    return message


def format_text(text: Text, *, type: MessageName = MODEL, name: str | None = None, width: int = 100) -> str:
    """Returns the text in the layout of ``onnxc fmt``. Comments are kept, and the compiled message does not change."""
    if width < 1:
        raise ValueError(f"width is a number of characters, not {width}")
    data, name = text_of(text, name)
    return value_of(_core.format((type, data, name, False), width), data)


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


class Differences(tuple[Difference, ...]):
    """All differences between two messages; empty if the messages are the same.

    ``str()`` shows the first hundred differences, and the number of the others. ``rendered`` contains all differences, with ANSI
    colours.
    """

    rendered: str = ""

    def _shown(self) -> str:
        lines = self.rendered.splitlines()
        hidden = len(lines) - _LIMIT
        return "\n".join([*lines[:_LIMIT], f"... and {hidden} more lines"] if hidden > 1 else lines)

    def __str__(self) -> str:
        return without_colors(self._shown())

    def __repr__(self) -> str:
        lines = str(self).splitlines()
        more = f", and {len(self) - 1} more" if len(self) > 1 else ""
        return f"<Differences: {len(self)} ({lines[0]}{more})>" if lines else "<Differences: none>"

    def _repr_html_(self) -> str:
        return to_html(self._shown() or "no differences")


Aspect = Literal["names", "docs", "metadata", "storage"]


def diff(
    before: Input, after: Input, *, type: MessageName = MODEL, ignore: Iterable[Aspect] = (), tolerance: float = 0.0
) -> Differences:
    """Returns the differences between two models. The models are compared, not their bytes.

    Args:
        before, after: any inputs that ``check`` accepts.
        ignore: the kinds of differences that are ignored: any of ``"names"``, ``"docs"``, ``"metadata"`` and ``"storage"``.
        tolerance: elements of tensors count as equal if they differ by at most this number.
    """
    if math.isnan(tolerance) or tolerance < 0:
        raise ValueError(f"tolerance is a distance, not {tolerance}")
    if isinstance(ignore, (str, bytes)):
        raise TypeError(f"ignore is a list of words, not the one word {ignore!r}")
    ignored = list(ignore)
    unknown = set(ignored) - {"names", "docs", "metadata", "storage"}
    if unknown:
        raise ValueError(f"ignore takes 'names', 'docs', 'metadata' and 'storage', not {', '.join(map(repr, sorted(unknown)))}")
    first, second = read(before, type), read(after, type)
    if first.type != second.type:
        raise TypeError(f"a {first.type} and a {second.type} cannot be compared")
    ok, document, findings, rendered = _core.diff(first.input, second.input, ",".join(ignored), tolerance)
    if not ok or document is None:
        raise OnnxcError(read_findings(ok, findings, rendered))
    fields = Difference.__dataclass_fields__
    items = json.loads(document)["differences"]
    result = Differences(Difference(**{key: value for key, value in item.items() if key in fields}) for item in items)
    result.rendered = "".join(rendered or ())
    return result


@overload
def load(file: Input) -> onnx.ModelProto: ...
@overload
def load(file: Input, *, type: Literal["ModelProto"]) -> onnx.ModelProto: ...
@overload
def load(file: Input, *, type: Literal["GraphProto"]) -> onnx.GraphProto: ...
@overload
def load(file: Input, *, type: Literal["FunctionProto"]) -> onnx.FunctionProto: ...
@overload
def load(file: Input, *, type: Literal["NodeProto"]) -> onnx.NodeProto: ...
@overload
def load(file: Input, *, type: Literal["TensorProto"]) -> onnx.TensorProto: ...
@overload
def load(file: Input, *, type: MessageName) -> Any: ...
def load(file: Input, *, type: MessageName = MODEL) -> Any:
    """Reads a message from a file in any format: binary, text, protobuf's text format or JSON. The content determines the
    format.

    External data are not loaded.
    """
    source = read_file(file, type) if isinstance(file, str) else read(file, type)
    message = message_class(source.type)
    if message is not None and _core.is_binary(source.input):
        try:
            return message.FromString(source.data)
        except _decode_error():
            pass  # the findings say what is wrong
    return write(source.type, value_of(_core.convert(source.input), source.data))


def _decode_error() -> type[Exception]:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped,unused-ignore]

    error: type[Exception] = DecodeError
    return error


def save(proto: Input, path: str | bytes | os.PathLike[str], *, type: MessageName = MODEL) -> None:
    """Writes a message in the format that the suffix of the path names. Writes the complete file or nothing.

    If the path is a symbolic link, its target is replaced. The permissions of an existing file are kept.

    Args:
        proto: any input that ``check`` accepts; ``type`` is the message type if the input is bytes or a text.
        path: the file to write.
    Raises:
        OSError: if the file cannot be written. An existing file is then unchanged.
        OnnxcError: if the message cannot be read, if the format cannot represent it, or if the file to write contains weights of
            the message.
        ValueError: if the suffix names no format.
    """
    value_of(_core.save(read(proto, type).input, os.fspath(path), False))


def link(model: Input, *libraries: Input) -> onnx.ModelProto:
    """Returns the model with the functions of the libraries that the model calls directly or indirectly.

    Args:
        model: any input that ``check`` accepts.
        libraries: texts that contain only functions, or models that contain functions. Each is any input that ``check`` accepts.
    Returns:
        a new ``onnx.ModelProto``, or its bytes if the ``onnx`` package is not installed.
    Raises:
        OnnxcError: if a needed function is defined twice, or if such a function and the model import different versions of a
            domain.
    """
    source = only((MODEL,), "link", read(model))
    sources = [only((MODEL,), "link", read(library)) for library in libraries]
    # An input that is not a file gets a unique name, because the linker considers two inputs with the same name to be the same.
    named = [each if each.is_file else each._replace(name=f"<library {i}>") for i, each in enumerate(sources, 1)]
    linked: onnx.ModelProto = write(MODEL, value_of(_core.link(source.input, tuple(each.input for each in named)), source.data))
    return linked


def to_dot(proto: Input, *, type: MessageName = MODEL) -> str:
    """Returns a drawing of a model, graph or function, in the DOT language of Graphviz."""
    source = only((MODEL, "GraphProto", "FunctionProto"), "to_dot", read(proto, type))
    return value_of(_core.draw(source.input))


def info(model: Input) -> dict[str, Any]:
    """Returns a summary of a model: operators, weights, inputs and outputs, sizes."""
    source = only((MODEL,), "info", read(model))
    described: dict[str, Any] = json.loads(value_of(_core.describe(source.input)))["models"][0]
    return described


@dataclass(frozen=True)
class Rule:
    """A rule of the checker. ``source`` says where the rule comes from: ``"reference"``, ``"full check"``, ``"specification"``,
    ..."""

    name: str
    severity: Severity
    optional: bool
    source: str
    sentence: str


def rules() -> tuple[Rule, ...]:
    """Returns the rules of the checker."""
    return tuple(Rule(**{**rule, "severity": Severity(rule["severity"])}) for rule in json.loads(_core.rules()))


def explain(kind: str) -> str:
    """Explains a kind of finding in Markdown, with the reasons and examples: ``print(onnxc.explain(finding.kind))``.

    Raises:
        KeyError: if the kind does not exist.
    """
    page = _core.explain(kind)
    if page is None:
        raise KeyError(f"there is no kind of finding {kind!r}")
    return page
