"""Lets ``onnx.load`` and ``onnx.save`` read and write ``.onnxtxt`` files."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from onnxc import _core
from onnxc._inputs import MODEL, encode, message_type, read, suffixes
from onnxc.findings import value_of

__all__ = ["TextSerializer", "install"]


class TextSerializer:
    """A serializer for ``onnx.serialization.registry``. Its text is lossless."""

    supported_format = "onnxtxt"
    file_extensions: Collection[str] = frozenset(suffix for suffix, format in suffixes().items() if format == "onnxtxt")

    def serialize_proto(self, proto: Any) -> bytes:
        return encode(value_of(_core.print(read(proto).input, False, False, False)))

    def deserialize_proto(self, serialized: bytes | str, proto: Any) -> Any:
        data = encode(serialized) if isinstance(serialized, str) else serialized
        proto.ParseFromString(value_of(_core.compile((message_type(proto) or MODEL, data, "<text>", False)), data))
        return proto


def install() -> None:
    """Registers the format ``onnxtxt`` with the ``onnx`` package, in place of the package's own serializer.

    ``onnx.load("model.onnxtxt")`` and ``onnx.save(model, "model.onnxtxt")`` then use onnxc without other changes.
    """
    import onnx.serialization

    onnx.serialization.registry.register(TextSerializer())
