"""Stores weights in the model or in a separate file, or removes them from a text that people read and edit.

    weights.extract("net.onnx", "small.onnx")                  # small.onnx, and small.onnx.data beside it
    text = onnxc.to_text(weights.skeleton("net.onnx"))         # the structure alone
    model = weights.attach(text, "net.onnx")                   # and back

The functions move, copy or leave out the data of weights, but never change the data. Weights are read only from the folder of
the model (the folder of its path, or ``directory``). Links are followed only with ``allow_links``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from onnxc import _core
from onnxc._inputs import MODEL, Input, Source, directory_of, only, read, suffixes, write
from onnxc.findings import value_of

if TYPE_CHECKING:
    import onnx

__all__ = ["attach", "extract", "inline", "skeleton"]

Folder = str | os.PathLike[str]
_THRESHOLD = 1024


def _read(model: Input, function: str) -> Source:
    return only((MODEL,), f"weights.{function}", read(model))


def _threshold(size: int) -> int:
    if not 0 <= size < 1 << 63:
        raise ValueError(f"size_threshold is a number of bytes, not {size}")
    return size


def skeleton(model: Input, *, checksums: bool = False, size_threshold: int | None = None) -> onnx.ModelProto:
    """Returns the model without the data of its weights. ``attach`` can add the data again.

    Args:
        model: any input that ``onnxc.check`` accepts.
        checksums: keep the checksum of each tensor, so that ``attach`` finds the data of a tensor even after the tensor was
            renamed. Without checksums, ``attach`` finds data by names.
        size_threshold: tensors of fewer bytes keep their data (default: 1024 with checksums, 1 without). Without checksums,
            lists of up to 16 int64 also keep their data, because they are shapes, axes and indices.
    Returns:
        a new ``onnx.ModelProto``, or its bytes if the ``onnx`` package is not installed.
        ``attach`` and ``inline`` return the same.
    """
    source = _read(model, "skeleton")
    least = size_threshold if size_threshold is not None else _THRESHOLD if checksums else 1
    answer = _core.elide(source.input, source.directory, False, _threshold(least), checksums)
    result: onnx.ModelProto = write(MODEL, value_of(answer, source.data))
    return result


def attach(model: Input, weights: Folder, *, directory: Folder | None = None, allow_links: bool = False) -> onnx.ModelProto:
    """Returns the model with the data of its elided tensors.

    Args:
        model: the result of ``skeleton``, or its text.
        weights: the path of the file with the data. If the file is a model in any format, its data are copied. If it is a
            ``*.safetensors`` file, or a file that ``extract`` has written, the result refers to the file, and the file must be in
            ``directory``.
        directory: the folder in which the result will be stored (default: the folder of the model's path; if the model has no
            path, the folder of ``weights``).
    Raises:
        OnnxcError: if the data of a tensor are not found or are ambiguous, or if their checksum differs.
    """
    source = _read(model, "attach")
    file = os.fspath(weights)
    default = source.directory if source.is_file else os.path.dirname(file)
    answer = _core.attach(source.input, directory_of(directory, default), allow_links, file)
    result: onnx.ModelProto = write(MODEL, value_of(answer, source.data))
    return result


def inline(model: Input, *, directory: Folder | None = None, allow_links: bool = False) -> onnx.ModelProto:
    """Returns the model with the data of separate files copied into it.

    Args:
        directory: the folder of these files (default: the folder of the model's path).
    Raises:
        OnnxcError: if a file cannot be read, or if the model would be too large for a protobuf message.
    """
    source = _read(model, "inline")
    answer = _core.inline(source.input, directory_of(directory, source.directory), allow_links)
    result: onnx.ModelProto = write(MODEL, value_of(answer, source.data))
    return result


def extract(
    model: Input,
    path: Folder,
    weights: str | None = None,
    *,
    size_threshold: int = _THRESHOLD,
    directory: Folder | None = None,
    allow_links: bool = False,
) -> None:
    """Writes the model to ``path``, and its weights to another file in the same folder.

    Args:
        path: the file of the model; its suffix names the format.
        weights: the name of the other file. If the name ends in ``.safetensors``, the file has the safetensors format. The
            default is the name of ``path`` followed by ``.data``; a file with the default name must not exist.
        size_threshold: tensors of fewer bytes stay in the model.
        directory: the folder of the files that contain data of ``model`` now (default: the folder of the model's path).
    Raises:
        OSError: if a file cannot be written.
        OnnxcError: if the model or its weights cannot be read, or if an output would replace the model or its weights. No file is
            changed then.
        ValueError: if the suffix names no format, or if ``weights`` contains a folder.
    """
    source = _read(model, "extract")
    target = os.fsdecode(path)
    if not target.lower().endswith(tuple(suffixes())):
        raise ValueError(f"no format has the suffix of {target!r}; there are {', '.join(suffixes())}")
    name = os.path.basename(target) + ".data" if weights is None else weights
    if name != os.path.basename(name) or name in ("", ".", ".."):
        raise ValueError(f"weights is the name of a file beside the model, without a folder, not {name!r}")
    where = directory_of(directory, source.directory)
    value_of(_core.extract(source.input, where, allow_links, _threshold(size_threshold), target, name, weights is not None))
