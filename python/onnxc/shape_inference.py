"""A replacement for ``onnx.shape_inference``: ``infer_shapes`` and ``infer_shapes_path``, and findings with places.

``InferenceError`` is ``onnx.shape_inference.InferenceError``. The functions raise a subclass of it with ``findings``. The last
line of the exception's message is the message of the original. The functions that infer a single node or function need the
original's operator schemas, so this module contains the original functions. The original also infers the types of models with
operators that were registered with ``onnx.defs.register_schema``.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onnxc import _core
from onnxc._inputs import Source, message_type, model_input, read, write
from onnxc._phrases import is_ours_alone, phrase_of
from onnxc._registry import foreign_operators, registered
from onnxc.findings import Finding, Findings, OnnxcError, read_findings

if TYPE_CHECKING:
    import onnx

try:
    from onnx.shape_inference import (  # noqa: F401
        GraphInferencer,
        InferenceContext,
        InferenceError,
        infer_function_output_types,
        infer_node_outputs,
    )
except ImportError:

    class InferenceError(Exception):  # type: ignore[no-redef]
        """Types or shapes that contradict each other."""


__all__ = ["InferenceError", "infer_shapes", "infer_shapes_path"]


class FoundInferenceError(OnnxcError, InferenceError):
    """Types or shapes contradict each other. ``findings`` contains each contradiction with its place."""


class UnreadableError(FoundInferenceError, ValueError):
    """The bytes are not a message. In this case, the original raises a ValueError."""


def infer_shapes(
    model: onnx.ModelProto | bytes, check_type: bool = False, strict_mode: bool = False, data_prop: bool = False
) -> onnx.ModelProto:
    """Returns the model with the types and shapes of its values.

    Args:
        model: a message, or its bytes.
        check_type, strict_mode: raise an InferenceError if inferred and declared types contradict each other. If both options are
            False, the values with contradictions keep their declared types.
        data_prop: also compute the values of shapes and other small constants.
    """
    if not isinstance(model, bytes) and message_type(model) != "ModelProto":
        if isinstance(model, (str, os.PathLike)):
            raise TypeError(
                "infer_shapes only accepts ModelProto or bytes,"
                " For Model paths (str or os.PathLike), use infer_shapes_path()."
            )
        raise TypeError(f"infer_shapes only accepts ModelProto or bytes, incorrect type: {type(model)}")
    data = model if isinstance(model, bytes) else model.SerializeToString()
    inferred: onnx.ModelProto = write("ModelProto", _infer(model_input(data), check_type, strict_mode, data_prop))
    return inferred


def infer_shapes_path(
    model_path: str | os.PathLike[str],
    output_path: str | os.PathLike[str] = "",
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
) -> None:
    """Like ``infer_shapes``, but reads and writes files in any format. Without ``output_path``, the input file is replaced."""
    if message_type(model_path) is not None:
        raise TypeError("infer_shapes_path only accepts model Path (String), you can use infer_shapes for the ModelProto.")
    source, target = _path(model_path, "model"), _path(output_path, "output")
    try:
        model = read(Path(source))
    except OSError as error:
        from onnxc.checker import missing_file

        raise missing_file(source, error) from error
    inferred = _infer(model.input, check_type, strict_mode, data_prop)
    save_input = Source(inferred, source, is_binary=True).input
    ok, _, findings, rendered = _core.save(save_input, target or source, True)
    if not ok:
        raise OnnxcError(read_findings(ok, findings, rendered))


def _infer(input: _core.Input, check_type: bool, strict: bool, data_propagation: bool) -> bytes:
    """Returns the bytes of the model with its types."""
    is_strict = check_type or strict
    ok, inferred, findings, rendered, foreign = _core.infer(input, False, data_propagation, False, True)
    if inferred is not None and findings is None and foreign is None and not is_strict:
        return inferred
    found = read_findings(ok, findings, rendered)
    if not ok or inferred is None:
        raise UnreadableError(found)
    if any(error.kind == "recursion" for error in found.errors):
        from onnxc.checker import FoundValidationError

        raise FoundValidationError(found, phrase_of(found.errors))
    errors = [error for error in found.errors if not is_ours_alone(error)]
    is_original = not errors and bool(found.errors)
    if is_strict and not errors:
        found, errors = _refused(input)
    if errors and (is_strict or any(error.kind == "call-outputs" for error in errors)):
        raise FoundInferenceError(found, phrase_of(errors, inference=True))
    if is_original or registered(foreign_operators(foreign)):
        from onnx.onnx_cpp2py_export.shape_inference import infer_shapes as infer_originally

        inferred = infer_originally(inferred, check_type, strict, data_propagation)
    return inferred


# The kinds of errors of the checker for which the original's strict inference raises an exception.
_REFUSED = frozenset({
    "domain-not-imported",
    "duplicate-function",
    "element-type-unknown",
    "input-count",
    "opset-import-missing",
    "output-count",
    "tensor-data",
    "tensor-field",
    "tensor-type-missing",
    "type-missing",
})  # fmt: skip
# Errors at these paths do not matter: inference completes the types, and may never reach the nodes of functions.
_HARMLESS = re.compile(r"graph\.(?:output|value_info)|functions\[.*\.node\[")


def _refused(input: _core.Input) -> tuple[Findings, list[Finding]]:
    """Checks the model, without inference. Returns all findings, and those errors with which the original refuses to infer
    types."""
    answer = _core.check(input, "", False, False, False, False, 0, {}, sys.maxsize)
    found = read_findings(answer[0], *answer[2:4])
    return found, [error for error in found if error.kind in _REFUSED and not _HARMLESS.match(error.path or "")]


def _path(path: Any, which: str) -> str:
    try:
        return os.fsdecode(os.fspath(path))
    except TypeError as error:
        raise TypeError(
            f"infer_shapes_path only accepts {which} path as a string or PathLike, "
            f"incorrect {which} path type: {type(path)}"
        ) from error
