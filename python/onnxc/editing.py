"""Changes models like the commands ``onnxc extract``, ``inline``, ``remove``, ``rename``, ``set``, ``sort`` and ``strip``."""

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
"""The kinds of things that have names."""


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
    """Returns the type of an input as text. Errors in the type are reported with positions in this text, not in the model."""
    text = type if isinstance(type, str) else to_text(type, type="TypeProto")
    parse_bytes(text, "TypeProto", name=f"inputs[{name!r}]")
    return text


def extract(
    model: Input, inputs: Iterable[str] = (), outputs: Iterable[str] = (), *, name: str | None = None
) -> onnx.ModelProto:
    """Returns the part of a model between given values, as a complete model.

    Args:
        model: any input that ``check`` accepts.
        inputs: the values that become the inputs of the part (default: the inputs of the graph that the part needs).
        outputs: the values that become the outputs of the part (default: the outputs of the graph). The part contains only the
            nodes that compute them.
        name: the name of the input in findings.
    Returns:
        a new ``onnx.ModelProto``, or its bytes if the ``onnx`` package is not installed.
        The other functions of this module return the same.
    Raises:
        OnnxcError: if a value does not exist, or if the part needs an input that is not in ``inputs``.
    """
    return _edit(model, name, "extract", inputs=_names(inputs, "inputs"), outputs=_names(outputs, "outputs"))


def inline_functions(
    model: Input,
    *,
    functions: Iterable[str] = (),
    keep: Iterable[str] = (),
    name: str | None = None,
) -> onnx.ModelProto:
    """Returns the model with the nodes of its functions instead of the calls, and without these functions.

    Args:
        model: any input that ``check`` accepts.
        functions: the functions whose calls are replaced (default: all), such as ``"gelu"`` or ``"act.gelu"``.
        keep: functions whose calls stay.
        name: the name of the input in findings.
    Raises:
        OnnxcError: if a function does not exist, or if a call cannot be replaced by nodes that compute the same.
    """
    lists = {"functions": _names(functions, "functions"), "except": _names(keep, "keep")}
    return _edit(model, name, "inline_functions", **lists)


def rename(
    model: Input,
    names: Mapping[str, str],
    *,
    regex: bool = False,
    only: Iterable[NameKind] = (),
    name: str | None = None,
) -> onnx.ModelProto:
    """Returns the model with other names. A name is changed wherever it is used.

    Args:
        model: any input that ``check`` accepts.
        names: a mapping from old names to new names.
        regex: the old names are regular expressions as in ``sed -E``. Each match in a name is replaced by the new name.
        only: the kinds of names that are changed (default: all kinds).
        name: the name of the input in findings.
    Raises:
        OnnxcError: if an old name does not exist, or if a new name already has another meaning.
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
    number_only: bool = False,
    allow_other_meaning: bool = False,
    add_outputs: Iterable[str] = (),
    all_outputs: bool = False,
    remove_outputs: Iterable[str] = (),
    ir_version: int | None = None,
    name: str | None = None,
) -> onnx.ModelProto:
    """Returns the model with other types of inputs, sizes of dimensions, operator sets or outputs, or with another IR version. The
    types of other values are inferred again if they may change.

    Args:
        model: any input that ``check`` accepts.
        inputs: a mapping from names of inputs to their types, such as ``"float[8, 3]"``.
        dimensions: a mapping from symbols in declared shapes to the numbers or symbols that replace them;
            ``"?"`` is an unknown size. A symbol that is not an identifier is written in quotation marks: ``'"2*M"'``.
        opsets: a mapping from domains to versions; a single number is the version of the standard operators. The nodes
            are converted.
        number_only: change only the numbers of ``opsets``; an operator that has a different meaning is an error.
        allow_other_meaning: like ``number_only``, but change a version even if operators of the model have a different meaning in the new version.
        add_outputs: values of the main graph that become outputs, after the outputs that the model has.
        all_outputs: all values that nodes of the main graph compute become outputs, except for those of unknown type.
        remove_outputs: outputs that are removed; their nodes stay (``extract`` removes nodes). At least one output must be left.
        ir_version: the IR version (default: it stays, or is raised if the new ``opsets`` need a newer one).
        name: the name of the input in findings.
    Raises:
        OnnxcError: if an input, output, value, symbol or domain does not exist, if a text in ``dimensions`` is no dimension, if a
            node contradicts the new sizes, if a node has no equal form in the version, if the type of a new output is unknown, or
            if something in the model needs a newer IR version.
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
    ir = 0 if ir_version is None else _whole(ir_version, "an IR version")
    if ir_version is not None and not 1 <= ir < 2**63:
        raise ValueError(f"the IR version is a positive number of 63 bits, not {ir}")
    return _edit(
        model,
        name,
        "set_model",
        inputs=list(types.items()),
        dimensions=list(sizes.items()),
        opsets=list(versions.items()),
        number_only=number_only,
        allow_other_meaning=allow_other_meaning,
        add_outputs=_names(add_outputs, "add_outputs"),
        all_outputs=all_outputs,
        remove_outputs=_names(remove_outputs, "remove_outputs"),
        ir_version=ir,
    )


def remove_nodes(
    model: Input,
    nodes: Iterable[str] = (),
    operators: Iterable[str] = (),
    *,
    replacement: str | None = None,
    name: str | None = None,
) -> onnx.ModelProto:
    """Returns the model without some nodes. The readers of the output of such a node get its input instead.

    Args:
        model: any input that ``check`` accepts.
        nodes: names of nodes, in any graph or function; for a node without a name, one of its outputs.
        operators: operators all of whose nodes are removed, such as ``"Dropout"`` or ``"com.microsoft.Gelu"``.
        replacement: the value that the readers get instead of the node's input.
        name: the name of the input in findings.
    Raises:
        OnnxcError: if it is uncertain which value takes the place of the output, or if its type differs.
    """
    arguments = {"nodes": _names(nodes, "nodes"), "operators": _names(operators, "operators"), "with": replacement or ""}
    return _edit(model, name, "remove_nodes", **arguments)


def sort_nodes(model: Input, *, name: str | None = None) -> onnx.ModelProto:
    """Returns the model with the nodes of all graphs and functions in topological order. A sorted model stays as it is.

    Args:
        model: any input that ``check`` accepts.
        name: the name of the input in findings.
    Raises:
        OnnxcError: if nodes form a cycle.
    """
    return _edit(model, name, "sort_nodes")


Part = Literal["docs", "metadata", "names", "weights", "value_info", "unused", "training"]
"""The parts of a model that ``strip`` can remove."""


def strip(model: Input, *parts: Part, name: str | None = None) -> onnx.ModelProto:
    """Returns the model without some parts, in all graphs, subgraphs and functions. The inputs and outputs stay.

    Args:
        model: any input that ``check`` accepts.
        parts: what is removed: ``docs`` (documentation strings), ``metadata``, ``names`` (of nodes), ``weights`` (they become
            inputs), ``value_info`` (declared types), ``unused`` (nodes, initializers, functions and imports that nothing uses),
            ``training``. Default: all of these.
        name: the name of the input in findings.
    """
    unknown = [part for part in parts if part not in get_args(Part)]
    if unknown:
        raise ValueError(f"there is no part {unknown[0]!r}; the parts are {', '.join(get_args(Part))}")
    return _edit(model, name, "strip", parts=list(parts or get_args(Part)))


def strip_weights(model: Input, *, name: str | None = None) -> onnx.ModelProto:
    """Returns a valid model with the same structure and shapes, in which inputs replace the weights. Useful for bug reports."""
    return _edit(model, name, "strip_weights")
