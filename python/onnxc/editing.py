"""Changes of models: what ``onnxc extract``, ``rename``, ``set`` and ``convert --strip-weights`` do."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from onnxc import _core
from onnxc._api import parse_bytes, to_text
from onnxc._inputs import MODEL, Input, read, write
from onnxc.findings import value_of

if TYPE_CHECKING:
    import onnx

NameKind = Literal["values", "nodes", "functions", "dimensions", "domains"]
"""What a name is the name of."""


def _edit(model: Input, name: str | None, verb: str, **arguments: Any) -> onnx.ModelProto:
    source = read(model, MODEL, name)
    if source.type != MODEL:
        raise TypeError(f"onnxc.{verb} takes a {MODEL}, not {source.type}")
    changed: onnx.ModelProto = write(
        MODEL, value_of(_core.edit(source.input, json.dumps({"verb": verb, **arguments}, ensure_ascii=False)), source.data)
    )
    return changed


def _names(names: Iterable[str], argument: str) -> list[str]:
    if isinstance(names, str):
        raise TypeError(f"{argument} is a list of names, not a str")
    return list(names)


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool):
        raise TypeError(f"{what} is an int, not a bool")
    return operator.index(value)


def _type_text(name: str, type: str | onnx.TypeProto) -> str:
    """The text of an input's type. What is wrong in it is reported at its place in it, not in the model."""
    text = type if isinstance(type, str) else to_text(type, type="TypeProto")
    parse_bytes(text, "TypeProto", name=f"inputs[{name!r}]")
    return text


def extract(
    model: Input, inputs: Iterable[str] = (), outputs: Iterable[str] = (), *, name: str | None = None
) -> onnx.ModelProto:
    """The part of a model between some of its values, with what it needs.

    Args:
        model: what ``check`` takes.
        inputs: the values that become the inputs of the part; without any, the inputs of the graph that are needed.
        outputs: the values that become its outputs; without any, the outputs of the graph.
        name: what findings call the input.
    Returns:
        a new ``onnx.ModelProto``; its bytes where the ``onnx`` package is not installed.
        The other functions here return the same.
    Raises:
        OnnxcError: if a value does not exist, or if the part needs an input that ``inputs`` lacks.
    """
    return _edit(model, name, "extract", inputs=_names(inputs, "inputs"), outputs=_names(outputs, "outputs"))


def rename(
    model: Input,
    names: Mapping[str, str],
    *,
    regex: bool = False,
    only: Iterable[NameKind] = (),
    name: str | None = None,
) -> onnx.ModelProto:
    """A model with other names. A name changes wherever it is used.

    Args:
        model: what ``check`` takes.
        names: from each name to its new one.
        regex: the names are regular expressions as of ``sed -E``, and the new ones take the place of each match.
        only: the kinds of names that are looked at; without any, all.
        name: what findings call the input.
    Raises:
        OnnxcError: if there is no such name, or if the new name would mean something else.
    """
    kinds = _names(only, "only")
    unknown = sorted(set(kinds) - set(get_args(NameKind)))
    if unknown:
        raise ValueError(f"only takes {', '.join(map(repr, get_args(NameKind)))}, not {', '.join(map(repr, unknown))}")
    return _edit(model, name, "rename", names=list(names.items()), regex=regex, only=kinds)


def set_model(
    model: Input,
    *,
    inputs: Mapping[str, str | onnx.TypeProto] | None = None,
    dimensions: Mapping[str, int | str] | None = None,
    opsets: Mapping[str, int] | int | None = None,
    allow_other_meaning: bool = False,
    name: str | None = None,
) -> onnx.ModelProto:
    """A model with other types of inputs, sizes and operator sets. The types of other values follow by inference.

    Args:
        model: what ``check`` takes.
        inputs: from the name of an input to its type, such as ``"float[8, 3]"``.
        dimensions: from a symbol in declared shapes to the number or symbol that takes its place.
        opsets: from a domain to its version; a number is that of the standard operators.
        allow_other_meaning: change a version also if operators of the model have another meaning in it.
        name: what findings call the input.
    Raises:
        OnnxcError: if there is no such input, symbol or domain, or if what is computed contradicts the new sizes.
    """
    types = {key: _type_text(key, type) for key, type in (inputs or {}).items()}
    given = opsets if isinstance(opsets, Mapping) else {} if opsets is None else {"": opsets}
    versions = {domain: _whole(version, "a version") for domain, version in given.items()}
    sizes = {
        symbol: size if isinstance(size, str) else _whole(size, "a size") for symbol, size in (dimensions or {}).items()
    }
    for domain, version in versions.items():
        if not 1 <= version < 2**63:
            raise ValueError(f"the version of {domain!r} is a positive number of 63 bits, not {version}")
    for symbol, size in sizes.items():
        if isinstance(size, int) and not 0 <= size < 2**63:
            raise ValueError(f"the size of {symbol!r} is a number of 63 bits, not {size}")
    return _edit(
        model,
        name,
        "set_model",
        inputs=list(types.items()),
        dimensions=list(sizes.items()),
        opsets=list(versions.items()),
        allow_other_meaning=allow_other_meaning,
    )


def strip_weights(model: Input, *, name: str | None = None) -> onnx.ModelProto:
    """A valid model with the structure and the shapes of this one, whose weights are inputs: for reports of bugs."""
    return _edit(model, name, "strip_weights")
