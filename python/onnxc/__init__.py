"""onnxc compiles, prints, checks and compares models in the ONNX text syntax, and reports every error with its position.

>>> import onnxc
>>> model = onnxc.parse_model('<ir_version: 10, opset_import: ["": 21]> g (float[N] x) => (float[N] y) { y = Relu(x) }')
>>> print(onnxc.to_text(model))

The modules ``onnxc.parser``, ``onnxc.printer``, ``onnxc.checker`` and ``onnxc.shape_inference`` have the same names, signatures
and exceptions as the modules of the ``onnx`` package, and can replace them.
"""

import importlib
from types import ModuleType

from onnxc import _load  # noqa: F401  (the first: it loads the extension module)
from onnxc._api import (
    Difference,
    Differences,
    Rule,
    check,
    diff,
    explain,
    format_text,
    infer,
    info,
    link,
    load,
    parse_attribute,
    parse_bytes,
    parse_function,
    parse_graph,
    parse_model,
    parse_node,
    parse_shape,
    parse_tensor,
    parse_type,
    rules,
    save,
    to_dot,
    to_text,
)
from onnxc._core import version as __version__
from onnxc.editing import extract, inline_functions, remove_nodes, rename, set_model, sort_nodes, strip, strip_weights
from onnxc.findings import Finding, Findings, FixIt, Note, OnnxcError, Position, Range, Severity
from onnxc.notebook import show
from onnxc.serialization import install

__all__ = [
    "Difference",
    "Differences",
    "Finding",
    "Findings",
    "FixIt",
    "Note",
    "OnnxcError",
    "Position",
    "Range",
    "Rule",
    "Severity",
    "__version__",
    "check",
    "diff",
    "explain",
    "extract",
    "format_text",
    "infer",
    "info",
    "inline_functions",
    "install",
    "link",
    "load",
    "parse_attribute",
    "parse_bytes",
    "parse_function",
    "parse_graph",
    "parse_model",
    "parse_node",
    "parse_shape",
    "parse_tensor",
    "parse_type",
    "remove_nodes",
    "rename",
    "rules",
    "save",
    "set_model",
    "show",
    "sort_nodes",
    "strip",
    "strip_weights",
    "to_dot",
    "to_text",
]

_MODULES = ("batch", "checker", "golden", "parser", "printer", "shape_inference", "weights")


def __getattr__(name: str) -> ModuleType:
    """Imports a module of this package when it is first used. Some modules import the ``onnx`` package, and that takes long."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
