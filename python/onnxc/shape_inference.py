"""In the place of ``onnx.shape_inference``: ``infer_shapes`` and ``infer_shapes_path``, with findings that say where.

``InferenceError`` is a subclass of ``onnx.shape_inference.InferenceError``. The original's functions about a single node or
function, which need its operator schemas, are its own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from onnxc import _core
from onnxc._api import load, save
from onnxc._inputs import message_type, write
from onnxc._rules import is_unreadable
from onnxc.findings import OnnxcError, read_findings

if TYPE_CHECKING:
    import onnx

try:
    from onnx.shape_inference import InferenceError as _OriginalError
    from onnx.shape_inference import (  # noqa: F401
        GraphInferencer,
        InferenceContext,
        infer_function_output_types,
        infer_node_outputs,
    )
except ImportError:
    _OriginalError = Exception

__all__ = ["InferenceError", "infer_shapes", "infer_shapes_path"]


class InferenceError(OnnxcError, _OriginalError):
    """Types or shapes that contradict each other. ``findings`` has each contradiction with its place."""


class UnreadableError(InferenceError, ValueError):
    """Bytes that are no message: the original raises a ValueError then."""


def infer_shapes(
    model: onnx.ModelProto | bytes, check_type: bool = False, strict_mode: bool = False, data_prop: bool = False
) -> onnx.ModelProto:
    """A model with the types and shapes of its values.

    Args:
        model: a message, or its bytes.
        check_type, strict_mode: raise an InferenceError where something contradicts the types; without both of them, such
            values keep the types that they have.
        data_prop: compute the contents of shapes and other small constants.
    """
    if isinstance(model, (str, os.PathLike)):
        raise TypeError(
            "infer_shapes only accepts ModelProto or bytes,"
            " For Model paths (str or os.PathLike), use infer_shapes_path()."
        )
    if not isinstance(model, bytes) and message_type(model) != "ModelProto":
        raise TypeError(f"infer_shapes only accepts ModelProto or bytes, incorrect type: {type(model)}")
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return write("ModelProto", _infer(data, "<ModelProto>", check_type or strict_mode, data_prop))


def infer_shapes_path(
    model_path: str | os.PathLike,
    output_path: str | os.PathLike = "",
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
) -> None:
    """The same from file to file, in any format; the file itself is replaced where there is no ``output_path``."""
    if message_type(model_path) is not None:
        raise TypeError("infer_shapes_path only accepts model Path (String), you can use infer_shapes for the ModelProto.")
    source, target = _path(model_path, "model"), _path(output_path, "output")
    model: Any = load(source)
    data = model if isinstance(model, bytes) else model.SerializeToString()
    save(_infer(data, source, check_type or strict_mode, data_prop), target or source)


def _infer(data: bytes, name: str, strict: bool, data_propagation: bool) -> bytes:
    ok, inferred, findings, rendered = _core.infer(("ModelProto", data, name, True), strict, data_propagation, False)
    if not ok:
        found = read_findings(ok, findings, rendered)
        raise (UnreadableError if is_unreadable(found) else InferenceError)(found)
    return inferred


def _path(path: Any, which: str) -> str:
    try:
        return os.fsdecode(os.fspath(path))
    except TypeError as error:
        raise TypeError(
            f"infer_shapes_path only accepts {which} path as a string or PathLike, "
            f"incorrect {which} path type: {type(path)}"
        ) from error
