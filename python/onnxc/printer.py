"""A replacement for ``onnx.printer``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onnxc import _core
from onnxc._inputs import message_type
from onnxc._phrases import phrase_of
from onnxc.findings import read_findings
from onnxc.shape_inference import FoundInferenceError

if TYPE_CHECKING:
    import onnx

__all__ = ["to_text"]

_PRINTED = ("ModelProto", "FunctionProto", "GraphProto", "NodeProto")


def to_text(proto: onnx.ModelProto | onnx.FunctionProto | onnx.GraphProto | onnx.NodeProto) -> str:
    """Prints a message as text that the parser of the ``onnx`` package can read.

    Like the original, this function leaves out anything that this parser cannot read. ``onnxc.to_text`` is lossless.

    Raises:
        InferenceError: like the original, if the size of a tensor's data does not match its shape and type.
    """
    type = message_type(proto)
    if type not in _PRINTED:
        raise TypeError("Unsupported argument type.")
    ok, text, findings, rendered = _core.print((type, proto.SerializeToString(), f"<{type}>", True), True, True, False)
    if not ok or text is None:
        found = read_findings(ok, findings, rendered)
        raise FoundInferenceError(found, phrase_of(found.errors))
    return text
