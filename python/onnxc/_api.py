"""The functions of the package. They take messages, bytes, paths, files or texts, and return messages, texts or findings."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from onnxc import _core
from onnxc._inputs import MODEL, Input, MessageName, Text, directory_of, onnx_package, only, read, text_of, write
from onnxc.findings import Findings, OnnxcError, Severity, read_findings, to_html, value_of, without_colors

if TYPE_CHECKING:
    import onnx

_LIMIT = 100


def parse_bytes(text: Text, type: MessageName = MODEL, name: str | None = None) -> bytes:
    """Compiles a text to the bytes of a message of that type (``"ModelProto"``, ``"NodeProto"``, ...)."""
    data, name = text_of(text, name)
    return value_of(_core.compile((type, data, name, False)), data)


def parse_model(text: Text, name: str | None = None) -> onnx.ModelProto:
    """Parses a model in the ONNX text syntax.

    Args:
        text: the text as a str or as bytes in UTF-8, or the path of its file (an ``os.PathLike``).
        name: what findings call the text.
    Returns:
        an ``onnx.ModelProto``; its bytes where the ``onnx`` package is not installed. So do the functions for parts of models.
    Raises:
        OnnxcError: with a finding for each mistake.
    """
    message: onnx.ModelProto = write("ModelProto", parse_bytes(text, "ModelProto", name))
    return message


def parse_graph(text: Text, name: str | None = None) -> onnx.GraphProto:
    """Parses a graph in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.GraphProto = write("GraphProto", parse_bytes(text, "GraphProto", name))
    return message


def parse_function(text: Text, name: str | None = None) -> onnx.FunctionProto:
    """Parses a function in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.FunctionProto = write("FunctionProto", parse_bytes(text, "FunctionProto", name))
    return message


def parse_node(text: Text, name: str | None = None) -> onnx.NodeProto:
    """Parses a node in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.NodeProto = write("NodeProto", parse_bytes(text, "NodeProto", name))
    return message


def parse_attribute(text: Text, name: str | None = None) -> onnx.AttributeProto:
    """Parses an attribute in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.AttributeProto = write("AttributeProto", parse_bytes(text, "AttributeProto", name))
    return message


def parse_type(text: Text, name: str | None = None) -> onnx.TypeProto:
    """Parses a type in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.TypeProto = write("TypeProto", parse_bytes(text, "TypeProto", name))
    return message


def parse_tensor(text: Text, name: str | None = None) -> onnx.TensorProto:
    """Parses a tensor in the ONNX text syntax: ``parse_model`` tells more."""
    message: onnx.TensorProto = write("TensorProto", parse_bytes(text, "TensorProto", name))
    return message


def parse_shape(text: Text, name: str | None = None) -> onnx.TensorShapeProto:
    """Parses a shape in the ONNX text syntax: ``parse_model`` tells more."""
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
        proto: a message, or what ``check`` takes; ``type`` names the message that bytes hold.
        dialect: ``"onnxc"`` loses nothing; ``"reference"`` is what the printer of the ``onnx`` package writes.
        allow_loss: leave out what the reference dialect cannot carry, instead of raising.
        small_floats: ``"bits"`` or ``"values"``: how elements of float16 and smaller types are written.
    Raises:
        OnnxcError: where the dialect cannot represent a field, or messages are nested too deep.
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
    source = only((MODEL,), "infer", read(model, MODEL, name))
    inferred = value_of(_core.infer(source.input, strict, data_propagation, overwrite, False)[:4], source.data)
    message: onnx.ModelProto = write(MODEL, inferred)
    return message


def format_text(text: Text, *, type: MessageName = MODEL, name: str | None = None, width: int = 100) -> str:
    """A text in the layout of ``onnxc fmt``: comments stay, and what it compiles to is the same."""
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
    """All differences; none where the messages are the same.

    ``str()`` shows the first hundred, and says how many there are besides; ``rendered`` has all, with ANSI colours.
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
    """What differs in two models, not in their bytes.

    Args:
        before, after: each what ``check`` takes.
        ignore: any of ``"names"``, ``"docs"``, ``"metadata"`` and ``"storage"``.
        tolerance: elements of tensors that are no further apart than this are equal.
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
    """Reads a message from a file in any format: binary, text, protobuf's text format or JSON. Its content tells which.

    External data stay where they are.
    """
    source = read(pathlib.Path(file) if isinstance(file, str) else file, type)
    onnx = onnx_package()
    if onnx is not None and _core.is_binary(source.input):
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped,unused-ignore]

        with contextlib.suppress(DecodeError):  # the findings say what is wrong
            return getattr(onnx, source.type).FromString(source.data)
    return write(source.type, value_of(_core.convert(source.input), source.data))


def save(proto: Input, path: str | bytes | os.PathLike[str], *, type: MessageName = MODEL) -> None:
    """Writes a message in the format that the path's suffix names, as the command does: whole or not at all.

    A symbolic link stays one, and so do the permissions of a file that is there already.

    Args:
        proto: a message, or what ``check`` takes; ``type`` names the message that bytes hold.
        path: the file to write.
    Raises:
        OSError: where the file cannot be written. What was there before is as it was.
        OnnxcError: where the message cannot be read, the format cannot represent it, or its weights are in that file.
        ValueError: where the suffix names no format.
    """
    value_of(_core.save(read(proto, type).input, os.fspath(path), False))


def link(model: Input, *libraries: Input) -> onnx.ModelProto:
    """A model with the functions of the libraries that it calls, and with those that these call in turn.

    Args:
        model: what ``check`` takes.
        libraries: the same; each is a text of functions, or a model whose functions are wanted.
    Returns:
        a new ``onnx.ModelProto``; its bytes where the ``onnx`` package is not installed.
    Raises:
        OnnxcError: where a function that is needed is defined twice, or imports another version of a domain than the model does.
    """
    source = only((MODEL,), "link", read(model))
    sources = [only((MODEL,), "link", read(library)) for library in libraries]
    # What has no name of its own gets one: the linker takes two inputs of one name for the same.
    named = [each if each.is_file else each._replace(name=f"<library {i}>") for i, each in enumerate(sources, 1)]
    linked: onnx.ModelProto = write(MODEL, value_of(_core.link(source.input, tuple(each.input for each in named)), source.data))
    return linked


def to_dot(proto: Input, *, type: MessageName = MODEL) -> str:
    """The picture of a model, graph or function, in the language of Graphviz."""
    source = only((MODEL, "GraphProto", "FunctionProto"), "to_dot", read(proto, type))
    return value_of(_core.draw(source.input))


def info(model: Input) -> dict[str, Any]:
    """What is in a model: operators, weights, inputs and outputs, sizes."""
    source = only((MODEL,), "info", read(model))
    described: dict[str, Any] = json.loads(value_of(_core.describe(source.input)))["models"][0]
    return described


@dataclass(frozen=True)
class Rule:
    """A rule of the checker. ``source`` is the authority behind it: ``"reference"``, ``"full check"``, ``"specification"``, ..."""

    name: str
    severity: Severity
    optional: bool
    source: str
    sentence: str


def rules() -> tuple[Rule, ...]:
    """The rules of the checker."""
    return tuple(Rule(**{**rule, "severity": Severity(rule["severity"])}) for rule in json.loads(_core.rules()))


def explain(kind: str) -> str:
    """What a kind of finding means, why it matters, and examples, in Markdown: ``print(onnxc.explain(finding.kind))``.

    Raises:
        KeyError: where there is no such kind.
    """
    page = _core.explain(kind)
    if page is None:
        raise KeyError(f"there is no kind of finding {kind!r}")
    return page
