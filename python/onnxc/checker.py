"""A replacement for ``onnx.checker``: the same names, signatures and exceptions, and findings with places.

``ValidationError`` is ``onnx.checker.ValidationError``. The functions raise an exception in the same cases as the original. The
class of the exception is a subclass of ``ValidationError`` that has ``findings``. The last line of its message is the message of
the original. Warnings raise no exception, and neither do errors by rules that the original does not have. ``onnxc.check`` reports
both, and if there is an exception, its ``findings`` contain both. Operators that were registered with
``onnx.defs.register_schema`` are checked by the original.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from onnxc import _core
from onnxc._inputs import MODEL, MessageName, Source, message_type, model_input, name_of_class, read
from onnxc._phrases import is_ours_alone, phrase_of
from onnxc._registry import foreign_operators, registered
from onnxc._rules import errors_by, is_unreadable
from onnxc.findings import Finding, Findings, OnnxcError, Severity, read_findings
from onnxc.shape_inference import FoundInferenceError

if TYPE_CHECKING:
    import onnx

try:
    from onnx.checker import DEFAULT_CONTEXT, LEXICAL_SCOPE_CONTEXT, C, ValidationError
except ImportError:  # parts of models are then checked against the newest versions
    DEFAULT_CONTEXT = LEXICAL_SCOPE_CONTEXT = C = None  # type: ignore[assignment]

    class ValidationError(Exception):  # type: ignore[no-redef]
        """A message that breaks a rule."""


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

_NO_IMPORTS: dict[str, int] = {}
_NAMES = {name: f"<{name}>" for name in get_args(MessageName)}  # what findings call a message; made once, which is faster
_BUILT_IN_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview", "ai.onnx.preview.training")


class FoundValidationError(OnnxcError, ValidationError):
    """A message breaks a rule. ``findings`` contains each violation with its place."""


class UnreadableError(FoundValidationError, ValueError):
    """The bytes are not a message. In this case, the original raises a ValueError."""


class _Verdict(NamedTuple):
    found: Findings
    foreign: list[tuple[str, str]]  # operators (domain, name) that neither onnxc nor the model defines

    def refused(self, skipped: tuple[str, ...] = ()) -> list[Finding]:
        """Returns the errors for which the original raises an exception, except for the kinds in ``skipped``."""
        return [finding for finding in errors_by("reference", self.found) if finding.kind not in skipped]


def _verdict(answer: _core.CheckAnswer) -> _Verdict:
    ok, _, findings, rendered, foreign = answer
    return _Verdict(read_findings(ok, findings, rendered), foreign_operators(foreign))


def _raise(found: Findings, refused: list[Finding]) -> None:
    if refused:
        raise FoundValidationError(found, phrase_of(refused))


def _check(proto: Any, name: MessageName, context: Any, check: str, *scope: Any) -> None:
    if name_of_class(type(proto)) != name:  # type: ignore[arg-type]  # mypy takes no class for hashable
        raise TypeError(f"The proto message needs to be of type '{name}'")
    data = proto.SerializeToString()
    version, imports = (0, _NO_IMPORTS) if context is None else (context.ir_version, context.opset_imports)
    if not isinstance(imports, dict):
        imports = dict(imports)
    answer = _core.find_errors((name, data, _NAMES[name], True), "", False, version, imports)
    if answer is None:  # no errors, as in most calls
        return None
    verdict = _verdict(answer)
    if not registered(verdict.foreign):
        return _raise(verdict.found, verdict.refused())
    _raise(verdict.found, verdict.refused(("unknown-operator",)))
    getattr(C, check)(data, context, *scope)


def check_value_info(value_info: onnx.ValueInfoProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a ValueInfoProto."""
    _check(value_info, "ValueInfoProto", ctx, "check_value_info")


def check_tensor(tensor: onnx.TensorProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a TensorProto."""
    _check(tensor, "TensorProto", ctx, "check_tensor")


def check_attribute(attr: onnx.AttributeProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks an AttributeProto."""
    _check(attr, "AttributeProto", ctx, "check_attribute", lexical_scope_ctx)


def check_node(node: onnx.NodeProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a NodeProto. Its inputs may have any names."""
    _check(node, "NodeProto", ctx, "check_node", lexical_scope_ctx)


def check_function(function: onnx.FunctionProto, ctx: Any = None, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a FunctionProto against the versions that it imports."""
    _check(function, "FunctionProto", ctx, "check_function", lexical_scope_ctx)


def check_graph(graph: onnx.GraphProto, ctx: Any = DEFAULT_CONTEXT, lexical_scope_ctx: Any = LEXICAL_SCOPE_CONTEXT) -> None:
    """Checks a GraphProto."""
    _check(graph, "GraphProto", ctx, "check_graph", lexical_scope_ctx)


def check_sparse_tensor(sparse: onnx.SparseTensorProto, ctx: Any = DEFAULT_CONTEXT) -> None:
    """Checks a SparseTensorProto."""
    _check(sparse, "SparseTensorProto", ctx, "check_sparse_tensor")


def check_model(
    model: onnx.ModelProto | str | bytes | os.PathLike[str],
    full_check: bool = False,
    skip_opset_compatibility_check: bool = False,
    check_custom_domain: bool = False,
) -> None:
    """Checks a model: a message, its bytes, or the path of its file in any format.

    Args:
        full_check: also infer types and shapes, and raise an InferenceError if there is a contradiction.
        skip_opset_compatibility_check: allow a function and the model to import different versions of a domain, even if operators
            have changed between these versions.
        check_custom_domain: require that each node, in any domain, calls an operator of the ``onnx`` package or a function of the
            model.
    """
    data = _bytes_of_message(model)
    if data is None:
        source = _read_file(model)
        answer = _core.find_errors(source.input, source.directory, full_check, 0, _NO_IMPORTS)
    else:
        answer = _core.find_errors(model_input(data), "", full_check, 0, _NO_IMPORTS)
        if answer is None:  # no errors, as for most models
            return
        source = Source(data, "<ModelProto>", is_binary=True)
    if answer is None:
        return
    found, foreign = verdict = _verdict(answer)
    if is_unreadable(found):
        raise (UnreadableError if source.is_binary else FoundValidationError)(found)
    skipped = ("function-opset",) if skip_opset_compatibility_check else ()
    is_extended = bool(registered(foreign))
    _raise(found, verdict.refused((*skipped, "unknown-operator") if is_extended else skipped))
    if is_extended:
        C.check_model(_bytes_of(source), full_check, skip_opset_compatibility_check, check_custom_domain)
    if check_custom_domain:
        _check_custom_domains(foreign, source)
    if full_check:
        _check_types(found, source)


def _bytes_of(source: Source) -> bytes:
    return source.data if source.is_binary else _core.convert(source.input)[1] or b""


def _bytes_of_message(model: Any) -> bytes | None:
    """Returns the bytes of a message, or None if the model is the path of a file."""
    is_message = message_type(model) == MODEL  # tested first, because most are messages, and the test for a path is slow
    if not is_message and isinstance(model, (str, os.PathLike)):
        return None
    data: bytes = model if isinstance(model, bytes) else model.SerializeToString()
    if len(data) > MAXIMUM_PROTOBUF:
        raise ValueError("This protobuf of onnx model is too large (>2GiB). Call check_model with model path instead.")
    return data


def _read_file(path: Any) -> Source:
    try:
        return read(Path(os.fsdecode(path)))
    except OSError as error:
        raise missing_file(os.fsdecode(path), error) from error


def missing_file(path: str, error: OSError) -> FoundValidationError:
    """Returns the exception that the original raises if a file cannot be read."""
    found = _one("cannot-read-file", error.strerror or str(error), path)
    return FoundValidationError(found, f"Unable to open proto file: {path}. Please check if it is a valid proto.")


def _check_types(found: Findings, source: Source) -> None:
    """Raises an exception if types or shapes contradict each other. Rules that the original does not have are ignored."""
    if found.ok:
        return
    if not errors_by("full check", found):
        ok, _, findings, rendered, _ = _core.infer(source.input, True, True, False, False)
        found = read_findings(ok, findings, rendered)
    if errors := [error for error in errors_by("full check", found) if not is_ours_alone(error)]:
        raise FoundInferenceError(found, phrase_of(errors, inference=True))


def _check_custom_domains(foreign: list[tuple[str, str]], source: Source) -> None:
    """Raises an exception if a node in a domain that is not built in calls neither an operator of the ``onnx`` package nor a
    function of the model."""
    known = registered(foreign)
    for domain, name in foreign:
        if domain not in _BUILT_IN_DOMAINS and (domain, name) not in known:
            message = f"No Op registered for {name} in domain {domain}"
            raise FoundValidationError(_one("unknown-operator", message, source.name), message)


def _one(kind: str, message: str, file: str) -> Findings:
    finding = Finding(kind, Severity.ERROR, message, file)
    return Findings((finding,), 0, False, (f"{finding}\n",))
