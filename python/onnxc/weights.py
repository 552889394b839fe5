"""Weights of models: in the model, in a file beside it, or left out of a text that is to be read and edited.

    weights.extract("net.onnx", "small.onnx")                  # small.onnx, and small.onnx.data beside it
    text = onnxc.to_text(weights.skeleton("net.onnx"))         # the structure alone
    model = weights.attach(text, "net.onnx")                   # and back

No data are dropped. Weights are read from the model's folder only: that of its path, or ``directory``; and not through links,
unless ``allow_links`` says so.
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
    """The model without its weights, for ``attach`` to bring back.

    Args:
        model: what ``onnxc.check`` takes.
        checksums: leave the checksum of each tensor, so that it finds its data after any edit; else names decide.
        size_threshold: tensors of fewer bytes stay: 1024 with checksums, else 1. Lists of up to 16 int64 stay without them, which
            are shapes, axes and indices.
    Returns:
        a new ``onnx.ModelProto``; its bytes where the ``onnx`` package is not installed.
        The other functions return the same.
    """
    source = _read(model, "skeleton")
    least = size_threshold if size_threshold is not None else _THRESHOLD if checksums else 1
    answer = _core.elide(source.input, source.directory, False, _threshold(least), checksums)
    result: onnx.ModelProto = write(MODEL, value_of(answer, source.data))
    return result


def attach(model: Input, weights: Folder, *, directory: Folder | None = None, allow_links: bool = False) -> onnx.ModelProto:
    """The model with the data of its elided tensors.

    Args:
        model: what ``skeleton`` gives, or a text of it.
        weights: the path of the file that holds them: a model in any format, from which they are copied; ``*.safetensors``, or
            what ``extract`` has written: these stand in ``directory``, and the result refers to them.
        directory: the folder in which the result will be; by default that of the model's path, or else that of ``weights``.
    Raises:
        OnnxcError: where the data of a tensor are not found for sure, or their checksum is another.
    """
    source = _read(model, "attach")
    file = os.fspath(weights)
    default = source.directory if source.is_file else os.path.dirname(file)
    answer = _core.attach(source.input, directory_of(directory, default), allow_links, file)
    result: onnx.ModelProto = write(MODEL, value_of(answer, source.data))
    return result


def inline(model: Input, *, directory: Folder | None = None, allow_links: bool = False) -> onnx.ModelProto:
    """The model with all data that are in files beside it.

    Args:
        directory: the folder of these files; that of the model's path by default.
    Raises:
        OnnxcError: where a file cannot be read, or the model would be larger than a protobuf message can be.
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
    """Writes the model to ``path``, and its weights to one file beside it.

    Args:
        path: the model's file; its suffix names the format.
        weights: the name of the other file; one that ends in ``.safetensors`` has that format. By default it is that of ``path``
            with ``.data``, which must not exist.
        size_threshold: tensors of fewer bytes stay in the model.
        directory: the folder of data that are in files already; that of the model's path by default.
    Raises:
        OSError: where a file cannot be written.
        OnnxcError: where the model or its weights cannot be read, or a file would replace them. No file is changed then.
        ValueError: where the suffix names no format, or ``weights`` has a folder.
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
