"""What the ``onnx`` package says where a rule is broken: the last line of the exceptions of the modules that stand in its place.

Tests of other projects look for these words with ``pytest.raises(..., match=...)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from onnxc.findings import Finding

# The kind of a finding and a pattern of its path and message to the original's words; the first row that fits counts.
_PHRASES: tuple[tuple[str, str, str], ...] = (
    ("not-sorted", "", "Nodes in a graph must be topologically sorted"),
    ("unknown-name", "", "Nodes in a graph must be topologically sorted, however an input is not output of any previous nodes."),
    ("cycle", "", "Nodes in a graph must be topologically sorted"),
    ("duplicate-name", "", "Graph must be in single static assignment (SSA) form"),
    ("duplicate-input", "", "Graph must be in single static assignment (SSA) form"),
    ("duplicate-function-output", "", "function should not have duplicate outputs specified."),
    ("duplicate-initializer", "", "initializer name is not unique"),
    ("initializer-not-input", "", "in initializer but not in graph input"),
    ("unknown-output", "", "is not an output of any node in graph."),
    ("name-missing", "", "Field 'name' of 'graph' is required to be non-empty."),
    ("op-type-missing", "", "Field 'op_type' of 'node' is required to be non-empty."),
    ("node-empty", "", "has zero input and zero output."),
    ("domain-not-imported", r"'([^']*)'", "No opset import for domain '{0}'"),
    ("duplicate-attribute", r"'([^']*)'", "Attribute '{0}' appeared multiple times."),
    ("unknown-operator", r"'([^']*)'", "No Op registered for {0} with domain_version of the model"),
    ("deprecated-operator", r"'([^']*)' is deprecated", "{0} is deprecated"),
    ("unknown-attribute", r"'([^']*)'", "Unrecognized attribute: {0}"),
    ("missing-attribute", r"'([^']*)'", "Required attribute '{0}' is missing."),
    ("attribute-kind", r"'([^']*)'", "Mismatched attribute type in '{0}'"),
    ("attribute-type-missing", "", "setting type field of an attribute is required"),
    ("attribute-field", "", "type field and data field mismatch in attribute"),
    ("attribute-values", "", "should not contain more than one value field."),
    ("input-count", "", "has input size not in range"),
    ("output-count", r"\b0\b", "The node must have at least one output"),
    ("dimension-value", r"SpaceToDepth is .* multiple of (?:[4-9]\d{9}|\d{11,})", "The product of blocksize with itself is an overflow"),
    ("output-count", "", "has output size not in range"),
    ("required-input", "", "is marked single but has an empty string in the graph"),
    ("required-output", "", "is marked single but has an empty string in the graph"),
    ("ir-version-missing", "", "The model does not have an ir_version set properly."),
    ("ir-version-too-new", "", "Your model ir_version is higher than the checker's"),
    ("opset-import-missing", "", "model with IR version >= 3 must specify opset_import for ONNX"),
    ("opset-import-too-early", "", "model with IR version < 3 cannot have opset_import specified"),
    ("opset-version-range", "", "is out of supported range"),
    ("duplicate-model-metadata", "", "Your model has duplicate keys in metadata_props field."),
    ("tensor-type-missing", "", "setting data_type field to UNDEFINED is not allowed"),
    ("tensor-type-unknown", "", "Unrecognized data_type"),
    ("tensor-elements", "", "has a shape too large to validate against its data type."),
    ("tensor-size", "", "has a shape too large to validate against its data type."),
    ("tensor-data", "", "should contain one and only one value field."),
    ("tensor-empty-with-data", "", "is 0-element but contains data!"),
    ("tensor-strings-raw", "", "should not be stored in raw_data field"),
    ("tensor-field", "", "should be stored in field"),
    ("tensor-too-few", "", "is too small for the declared shape and type"),
    ("tensor-padding", "^int32_data|int32_data\\[", "FLOAT6 int32_data values must use only bits 0-5."),
    ("tensor-padding", "", "has non-zero padding bits in its packed FLOAT6 raw_data."),
    ("external-with-data", "", "is stored externally and should not have data field."),
    ("external-location-missing", "", "is stored externally but doesn't have a location."),
    ("external-location", "", "should be a relative path in the model's directory: directory traversal"),
    ("external-file", "", "is stored externally but it doesn't exist or is not accessible."),
    ("sparse-order", "", "not in sorted order."),
    ("sparse-index", "", "out of range"),
    ("sparse-index-count", "", "does not equal NNZ."),
    ("sparse-values-shape", "", "must have rank 1."),
    ("sparse-dims", "", "must have a dense-rank > 0"),
    ("sparse-dim", "", "dimensions are not positive."),
    ("sparse-indices-type", "", "must have INT64 type."),
    ("sparse-indices-shape", "", "must have rank 1 or 2."),
    ("recursion", "", "Cycle detected in model-local function references. Model-local functions must not be recursive."),
    ("call-depth", "", "Function call chain depth exceeds limit. The model may be malformed or malicious."),
    ("function-opset", "", "is not compatible with the version imported by model."),
    ("loss", r"(\d+) bytes of data where (\d+) are", "Data size mismatch. Got {0} bytes, expected {1}"),
    ("dimension-value", "ConvTranspose .* multiple of 'group'", "Input channels C must be divisible by group for ConvTranspose"),
    ("rank-clash", "'W' of (?:Qlinear|Integer)?Conv", "weight tensor must have as many spatial dimensions as the input"),
    ("attribute-range", "'num_scan_inputs' of Scan", "num_scan_inputs leaves fewer outputs than there are loop state variables"),
    ("dimension-value", "is an overflow", "Dimension overflow: the size exceeds the range of int64"),
    (
        "attribute-range",
        r"not (\d+) of input (\d+) and (\d+) before",
        "Ellipsis for input {1} represents {0} dimensions, but ellipsis for input 0 represents {2} dimensions.",
    ),
    ("operand-value", "must be positive", "must be greater than zero"),
    ("declared-type", "the element type", "Inferred elem type differs from existing elem type"),
    ("declared-type", "", "Inferred shape and existing shape differ in dimension"),
)  # fmt: skip

# What the original does not look at, and its drop-in does not raise: ``onnxc.check`` tells it.
_OURS_ALONE: tuple[tuple[str, str], ...] = (
    ("attributes-clash", "a pad must be smaller than the window"),
)

_TYPE_KINDS = frozenset({"operand-type", "operand-types-differ", "operand-kind", "subgraph-type", "branches-differ"})


def is_ours_alone(error: Finding) -> bool:
    """Whether the original knows no such mistake."""
    return any(kind == error.kind and words in error.message for kind, words in _OURS_ALONE)


def phrase_of(errors: Iterable[Finding], *, inference: bool = False) -> str:
    """The original's words for the first error that it has words for; "" where there is none."""
    for error in errors:
        words = _words_of(error)
        if inference:
            label = "TypeInferenceError" if error.kind in _TYPE_KINDS else "ShapeInferenceError"
            return f"[{label}] {words or error.message}"
        if words:
            return words
    return ""


def _words_of(error: Finding) -> str:
    subject = f"{error.path or ''}: {error.message}"
    for kind, pattern, words in _PHRASES:
        if kind == error.kind and (found := re.search(pattern, subject)):
            return words.format(*found.groups())
    return ""
