"""Lets ``onnx.load`` and ``onnx.save`` read and write ``.onnxtxt`` files."""

from __future__ import annotations

import json
from typing import Any

from onnxc import _core
from onnxc._inputs import encode, message_type, read
from onnxc.findings import OnnxcError, read_findings

__all__ = ["TextSerializer", "install"]


class TextSerializer:
    """A serializer for ``onnx.serialization.registry``: nothing of a message is lost in its text."""

    supported_format = "onnxtxt"
    file_extensions = frozenset(suffix for suffix, format in json.loads(_core.suffixes()).items() if format == "onnxtxt")

    def serialize_proto(self, proto: Any) -> bytes:
        ok, text, findings, rendered = _core.print(read(proto).input, False, False, False)
        if not ok:
            raise OnnxcError(read_findings(ok, findings, rendered))
        return text.encode("utf-8", "surrogateescape")

    def deserialize_proto(self, serialized: bytes | str, proto: Any) -> Any:
        data = encode(serialized) if isinstance(serialized, str) else serialized
        ok, data, findings, rendered = _core.compile((message_type(proto), data, "<text>", False))
        if not ok:
            raise OnnxcError(read_findings(ok, findings, rendered))
        proto.ParseFromString(data)
        return proto


def install() -> None:
    """Registers the format ``onnxtxt`` with the ``onnx`` package, in the place of its own.

    ``onnx.load("model.onnxtxt")`` and ``onnx.save(model, "model.onnxtxt")`` then use onnxc without a further change.
    """
    import onnx.serialization

    onnx.serialization.registry.register(TextSerializer())
