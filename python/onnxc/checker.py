"""In the place of ``onnx.checker``: the same names, signatures and exceptions, and findings that say where.

``ValidationError`` is a subclass of ``onnx.checker.ValidationError``. A function raises where the original raises; rules that
the original does not have, and warnings, raise nothing here: ``onnxc.check`` has them. The exception's ``findings`` are all.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onnxc import _core
from onnxc._inputs import Source, message_type, onnx_package, read
from onnxc._rules import errors_by, is_unreadable
from onnxc.findings import Finding, Findings, OnnxcError, read_findings
from onnxc.shape_inference import InferenceError

if TYPE_CHECKING:
    import onnx

try:
    from onnx.checker import DEFAULT_CONTEXT, LEXICAL_SCOPE_CONTEXT, C
    from onnx.checker import ValidationError as _OriginalError
except ImportError:  # parts of models are then judged by the newest versions
    DEFAULT_CONTEXT = LEXICAL_SCOPE_CONTEXT = C = None
    _OriginalError = Exception

__all__ = [
    "C",
    "DEFAULT_CONTEXT",
    "LEXICAL_SCOPE_CONTEXT",
    "MAXIMUM_PROTOBUF",
    "ValidationError",
    "check_attribute",
    "check_function",
    "check_graph",
    "check_model",
    "check_node",
    "check_sparse_tensor",
    "check_tensor",
    "check_value_info",
]

MAXIMUM_PROTOBUF = 2147483647
"""The largest protobuf message, in bytes."""

_LIMIT = sys.maxsize  # what the original refuses may come after any number of other findings
_BUILT_IN_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview", "ai.onnx.preview.training")


class ValidationError(OnnxcError, _OriginalError):
    """A message that breaks a rule. ``findings`` has each violation with its place."""


class UnreadableError(ValidationError, ValueError):
    """Bytes that are no message: the original raises a ValueError then."""


def _find(input: tuple, directory: str = "", *, infer: bool = False, context: Any = None) -> Findings:
    version = getattr(context, "ir_version", 0)
    imports = dict(getattr(context, "opset_imports", {}))
    answer = _core.check(input, directory, False, True, infer, False, version, imports, _LIMIT)
    ok, _, findings, rendered = answer
    return read_findings(ok, findings, rendered)


def _check(proto: Any, type: str, context: Any) -> None:
    if message_type(proto) != type:
        raise TypeError(f"The proto message needs to be of type '{type}'")
    found = _find((type, proto.SerializeToString(), f"<{type}>", True), context=context)
    if errors_by("reference", found):
        raise ValidationError(found)


def check_value_info(value_info: onnx.ValueInfoProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a ValueInfoProto."""
    _check(value_info, "ValueInfoProto", ctx)


def check_tensor(tensor: onnx.TensorProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a TensorProto."""
    _check(tensor, "TensorProto", ctx)


def check_attribute(attr: onnx.AttributeProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks an AttributeProto."""
    _check(attr, "AttributeProto", ctx)


def check_node(node: onnx.NodeProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a NodeProto. Its inputs may be any names."""
    _check(node, "NodeProto", ctx)


def check_function(function: onnx.FunctionProto, ctx: Any = None, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a FunctionProto by its own imports."""
    _check(function, "FunctionProto", ctx)


def check_graph(graph: onnx.GraphProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a GraphProto."""
    _check(graph, "GraphProto", ctx)


def check_sparse_tensor(sparse: onnx.SparseTensorProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a SparseTensorProto."""
    _check(sparse, "SparseTensorProto", ctx)


def check_model(
    model: onnx.ModelProto | str | bytes | os.PathLike,
    full_check: bool = False,
    skip_opset_compatibility_check: bool = False,
    check_custom_domain: bool = False,
) -> None:
    """Checks a model: a message, its bytes, or the path of its file in any format.

    Args:
        full_check: also infer types and shapes, and raise an InferenceError where something contradicts them.
        skip_opset_compatibility_check: a function may import another version than the model of a domain whose operators
            have changed between the two.
        check_custom_domain: each node has an operator that the ``onnx`` package knows or a function of the model, in all
            domains.
    """
    source = _read_model(model)
    found = _find(source.input, source.directory, infer=full_check)
    if is_unreadable(found):
        raise (UnreadableError if source.is_binary else ValidationError)(found)
    skipped = ("function-opset",) if skip_opset_compatibility_check else ()
    if any(finding.kind not in skipped for finding in errors_by("reference", found)):
        raise ValidationError(found)
    if check_custom_domain:
        _check_custom_domains(source)
    if full_check:
        _check_types(found, source)


def _read_model(model: Any) -> Source:
    if isinstance(model, (str, os.PathLike)):
        try:
            return read(Path(os.fsdecode(model)))
        except OSError as error:
            raise ValidationError(_one("cannot-read-file", error.strerror or str(error), os.fsdecode(model))) from error
    data = model if isinstance(model, bytes) else model.SerializeToString()
    if len(data) > MAXIMUM_PROTOBUF:
        raise ValueError("This protobuf of onnx model is too large (>2GiB). Call check_model with model path instead.")
    return Source(data, "<ModelProto>", is_binary=True)


def _check_types(found: Findings, source: Source) -> None:
    """Raises what is wrong with types and shapes, also in models that break rules which the original does not have."""
    if found.ok:
        return
    if not errors_by("full check", found):
        ok, _, findings, rendered = _core.infer(source.input, True, True, False)
        found = read_findings(ok, findings, rendered)
    if errors_by("full check", found):
        raise InferenceError(found)


def _check_custom_domains(source: Source) -> None:
    """Raises where a node of a domain that is not built in has neither an operator nor a function."""
    onnx = onnx_package()
    model = onnx.ModelProto.FromString(_core.convert(source.input)[1])
    functions = {(function.domain, function.name) for function in model.functions}
    for nodes in [model.graph.node, *(function.node for function in model.functions)]:
        for node in _all_nodes(nodes):
            is_known = node.domain in _BUILT_IN_DOMAINS or (node.domain, node.op_type) in functions
            if not is_known and not onnx.defs.has(node.op_type, domain=node.domain):
                message = f"No Op registered for {node.op_type} in domain {node.domain}"
                raise ValidationError(_one("unknown-operator", message, source.name))


def _all_nodes(nodes: Any) -> Any:
    """The nodes, and those of the graphs in their attributes."""
    for node in nodes:
        yield node
        for attribute in node.attribute:
            for graph in (attribute.g, *attribute.graphs):
                yield from _all_nodes(graph.node)


def _one(kind: str, message: str, file: str) -> Findings:
    finding = Finding(kind, "error", message, file)
    return Findings((finding,), 0, False, f"{finding}\n")
