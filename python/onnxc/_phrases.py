"""The messages of the ``onnx`` package for broken rules. The modules that replace modules of ``onnx`` put such a message into the
last line of their exceptions.

Tests of other projects search for these words with ``pytest.raises(..., match=...)``. For each row, test_phrases.py breaks the
rule and checks that the message of the original contains the words of the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from onnxc.findings import Finding

# Matches a quoted name in a message.
_NAME = r"'([^']*)'"

# Each row contains a kind of finding, a pattern, and the words of the original. The pattern is searched for in a text made of the
# finding's message, " @ " and the finding's path. The first row that matches is used.
PHRASES: tuple[tuple[str, str, str], ...] = (
    ("not-sorted", _NAME, "Nodes in a graph must be topologically sorted, however input '{0}' of node"),
    ("unknown-name", _NAME, "Nodes in a graph must be topologically sorted, however input '{0}' of node"),
    ("cycle", "", "Nodes in a graph must be topologically sorted"),
    ("duplicate-name", _NAME, "Graph must be in single static assignment (SSA) form, however '{0}' has been used"),
    ("duplicate-input", _NAME, "Graph must be in single static assignment (SSA) form, however '{0}' has been used"),
    ("duplicate-function", _NAME, "Model contains multiple local functions with the same implementation id '{0}'."),
    ("duplicate-function-output", "", "should not have duplicate outputs specified."),
    ("duplicate-function-attribute", "", "should not have duplicate attributes specified."),
    ("duplicate-initializer", "", "initializer name is not unique"),
    ("initializer-not-input", _NAME, "{0} in initializer but not in graph input"),
    ("unknown-output", "", "is not an output of any node in graph."),
    ("name-missing", "", "Field 'name' of 'graph' is required to be non-empty."),
    ("op-type-missing", "", "Field 'op_type' of 'node' is required to be non-empty."),
    ("node-empty", "", "has zero input and zero output."),
    ("type-missing", "", "Field 'type' of 'value_info' is required but missing."),
    ("type-incomplete", "lacks a shape", "Field 'shape' of 'type' is required but missing."),
    ("domain-not-imported", _NAME, "No opset import for domain '{0}'"),
    ("duplicate-attribute", _NAME, "Attribute '{0}' appeared multiple times."),
    ("unknown-operator", _NAME, "No Op registered for {0} with domain_version of"),
    ("deprecated-operator", r"'([^']*)' is deprecated", "{0} is deprecated"),
    ("unknown-attribute", _NAME, "Unrecognized attribute: {0}"),
    ("missing-attribute", _NAME, "Required attribute '{0}' is missing."),
    ("attribute-kind", "", "Mismatched attribute type in '"),
    ("attribute-type-missing", "", "Field 'type' of 'attr' is required but missing."),
    ("attribute-field", _NAME, "type field and data field mismatch in attribute {0}"),
    ("input-count", r"has (\d+) @", "has input size {0} not in range"),
    ("output-count", "Split produces .*lists 0 @", "must have at least one output"),
    ("output-count", r"lists (\d+) @", "has output size {0} not in range"),
    ("required-input", "", "is marked single but has an empty string in the graph"),
    ("required-output", "", "is marked single but has an empty string in the graph"),
    ("ir-version-missing", "", "The model does not have an ir_version set properly."),
    ("ir-version-too-new", "", "is higher than the checker's"),
    ("opset-import-missing", "", "model with IR version >= 3 must specify opset_import for ONNX"),
    ("opset-import-too-early", "", "model with IR version < 3 cannot have opset_import specified"),
    ("opset-version-range", "", "is out of supported range"),
    ("duplicate-model-metadata", "", "Your model has duplicate keys in metadata_props"),
    ("tensor-type-missing", "", "to UNDEFINED is not allowed"),
    ("tensor-type-unknown", "", "Unrecognized data_type"),
    ("tensor-elements", "", "Tensor dimension product overflow"),
    ("tensor-size", "", "has a shape too large to validate against its data type."),
    ("tensor-data", "", "should contain one and only one value field."),
    ("tensor-empty-with-data", "", "is 0-element but contains data!"),
    ("tensor-strings-raw", "", "should not be stored in raw_data field"),
    ("tensor-field", "", "should be stored in field"),
    ("tensor-too-few", r"@ .*raw_data", "is too small for the declared shape and type"),
    ("tensor-too-few", "", "is too small for the declared shape"),
    ("tensor-padding", "@ .*int32_data", "FLOAT6 int32_data values must use only bits 0-5."),
    ("tensor-padding", "", "has non-zero padding bits in its packed FLOAT6 raw_data."),
    ("external-with-data", "", "is stored externally and should not have data field."),
    ("external-location-missing", "", "is stored externally but doesn't have a location."),
    ("external-elided", "", "is stored externally but doesn't have a location."),
    ("external-location", "leaves", "points outside the directory."),
    ("external-file", "not exist", "but it is not regular file."),
    ("sparse-order", "", "not in sorted order."),
    ("sparse-index", "", "out of range"),
    ("sparse-index-count", r"has (\d+) values, but (\d+) indices", "has {1} values, but NNZ is {0}"),
    ("sparse-index-rank", "", "second dimension size does not match rank of tensor."),
    ("sparse-values-shape", "", "must have rank 1."),
    ("sparse-dims", "", "must have a dense-rank > 0"),
    ("sparse-dim", "", "dimensions are not positive."),
    ("sparse-indices-type", "", "must have INT64 type."),
    ("sparse-indices-shape", "", "must have rank 1 or 2."),
    ("recursion", "", "Cycle detected in model-local function references: "),
    ("call-depth", "", "Function call chain depth exceeds limit"),
    ("function-opset", "", "is not compatible with the version imported by model."),
    ("loss", r"bytes of data where \d+ are", "Data size mismatch."),
    ("declared-type", r"as ([^\[,]*)[\[,].* type is (?!\1[\[ ])", "Inferred elem type differs from existing elem type"),
    ("declared-type", "", "Inferred shape and existing shape differ in"),
    ("broadcast-clash", "", "Incompatible dimensions"),
    ("dimension-clash", " in (?:QLinear)?MatMul(?:Integer)? ", "Incompatible dimensions for matrix multiplication"),
    ("operand-type", "", "has unsupported type"),
    ("operand-types-differ", "", "has inconsistent type"),
    ("axis-range", "", "axis must be in [-rank, rank-1]."),
    ("call-outputs", "", "is out of bounds."),
    ("subgraph-inputs", r"have (\d+) .*it has (\d+) @", "Graph has {1} inputs but {0} were provided"),
    ("attribute-length", _NAME, "Attribute {0} has incorrect size"),
    ("dimension-value", "Squeeze is (.*); it must be 1", "must be 1 instead of {0}"),
    ("dimension-value", "is an overflow", "Integer overflow"),
    ("dimension-value", r"multiple of (?:[4-9]\d{9}|\d{11,}) @", "Integer overflow"),
    ("dimension-value", "ConvTranspose .* multiple of 'group'", "Input channels C must be divisible by group for ConvTranspose"),
    ("rank-clash", r" of (?:Conv|ConvInteger|ConvTranspose|QLinearConv) .*input\[[13]\]",
     "Number of spatial dimensions in the weight tensor"),
    ("attribute-range", "'num_scan_inputs' of Scan .* state variables", "loop state variables"),
    ("attribute-range", "'num_scan_inputs' of Scan", "num_scan_inputs"),
    ("attribute-range", r"input (\d+) has (\d+), an earlier input (\d+)",
     "Ellipsis for input {0} represents {1} dimensions, but ellipsis for input 0 represents {2} dimensions."),
    ("operand-value", "Tile .* must be at least 0", "'Repeats' input must not contain negative values"),
    ("operand-value", "must be at least 0", "must be non-negative"),
    ("operand-value", "must be positive", "must be greater than zero"),
)  # fmt: skip

# Kinds of findings for which the original's strict inference reports an input without a type.
_WITHOUT_TYPE = ("type-missing", "element-type-unknown")

# Errors that only ``onnxc.check`` reports. The original does not report them, so its replacement raises no exception for them.
# The types of a model with such an error are those that the original infers.
OURS_ALONE: tuple[tuple[str, str], ...] = (
    ("attributes-clash", "a pad must be smaller than the window"),
    ("dimension-value", "the number of directions"),
    ("operand-value", "it must be a shape of"),
)

_TYPE_KINDS = frozenset({"operand-type", "operand-types-differ", "operand-kind", "subgraph-type", "branches-differ"})


def is_ours_alone(error: Finding) -> bool:
    """Returns whether onnxc reports this error but the original does not."""
    return any(kind == error.kind and words in error.message for kind, words in OURS_ALONE)


def phrase_of(errors: Iterable[Finding], *, inference: bool = False) -> str:
    """Returns the original's message for the first error that the original also reports, or "" if there is none."""
    for error in errors:
        words = words_of(error)
        if inference:
            if error.kind in _WITHOUT_TYPE:
                words = "expected to have type but instead is null"
            is_of_type = error.kind in (*_TYPE_KINDS, *_WITHOUT_TYPE) or words.startswith("Inferred elem type")
            label = "TypeInferenceError" if is_of_type else "ShapeInferenceError"
            return f"[ShapeInferenceError] Inference error(s): [{label}] {words or error.message}"
        if words:
            return words
    return ""


def row_of(error: Finding) -> tuple[int, re.Match[str]] | None:
    """Returns the index of the first row of PHRASES that matches the error, and the match. Returns None if no row matches."""
    subject = f"{error.message} @ {error.path or ''}"
    for index, (kind, pattern, _) in enumerate(PHRASES):
        if kind == error.kind and (found := re.search(pattern, subject)):
            return index, found
    return None


def words_of(error: Finding) -> str:
    row = row_of(error)
    return PHRASES[row[0]][2].format(*row[1].groups()) if row else ""
