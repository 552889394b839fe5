// The rows that tests/conformance/operator_rows.py recorded in testdata/inference/rows.gz: models of one node or a few,
// and what ONNX Runtime computed for them.
#pragma once

#include <onnxc/proto.h>

#include <filesystem>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace onnxc::testing {

struct RecordedRow {
  onnx::ModelProto model;
  onnx::GraphProto computed;  ///< the outputs with their types, and as initializers the values of constants
};

[[nodiscard]] std::filesystem::path RecordedFolder();
[[nodiscard]] std::vector<RecordedRow> ReadRecordedRows();

/// Returns the name of the operator that the model is about: the last node that contains a graph, or the first node.
[[nodiscard]] std::string RecordedOperator(const onnx::ModelProto& model);

/// Returns the same with its version, such as "Slice in version 13".
[[nodiscard]] std::string RecordedTitle(const onnx::ModelProto& model);

/// Replaces each size of an input by a symbol: 3 by `d3`.
void ReplaceSizesBySymbols(onnx::GraphProto* graph);

/// Changes one part of the model at random, so that it is probably wrong: a size, a rank, an element type, an element
/// of a constant, an attribute, an input, an output, or an input or output of a graph in an attribute. Some changes
/// take an attribute or a type of `other`, which is best a model of the same operator.
void BreakAtRandom(const onnx::ModelProto& other, onnx::ModelProto* model, std::mt19937* random);

/// Calls the function with broken copies of all rows: `broken(row, model)`. The copies are the same in each run.
void ForEachBrokenRow(std::span<const RecordedRow> rows,
                      const std::function<void(const RecordedRow& row, const onnx::ModelProto& model)>& broken);

}  // namespace onnxc::testing
