// Infers types, and adds them to a model, for callers that write the model's bytes themselves.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "infer/budget.h"

namespace onnxc::infer {

/// Fills in what the declared type lacks: the element type, the shape, or the sizes of some dimensions.
void FillIn(onnx::TypeProto* declared, const onnx::TypeProto& inferred);

/// Replaces the element types and shapes in the declared type by the inferred ones. The rest of it stays, such as its
/// denotations. If `keep_symbols` is set, a dimension that was not inferred keeps its symbol.
void Replace(onnx::TypeProto* declared, const onnx::TypeProto& inferred, bool keep_symbols = false);

/// The budget for written types, in bytes of memory. It is needed because many values can share a shape in memory, but
/// each written type repeats that shape.
inline constexpr Allowance kWrittenTypes = {.some = std::size_t{4} << 20, .for_each_byte = 64};

/// Returns an upper bound of the memory in bytes that the message of a type needs.
[[nodiscard]] std::size_t SizeOfProto(const ValueType& type);

/// Like InferTypes(). `size` is the size of the model's file in bytes, on which the limits of inference depend. (The
/// message may contain only a part of the file.) If `size` is 0, the size of the message is used.
[[nodiscard]] Inference InferTypesOf(const onnx::ModelProto& model, std::size_t size, const InferOptions& options);

/// Like AddTypes(), but adds no value_info entries to the model's graph: it passes the missing entries to `add`, in
/// order. (Missing entries of subgraphs are added to the subgraphs.) Returns the indices of the graph's nodes that
/// contain graphs. AddTypesBut() may change these nodes, all existing value_info entries, the outputs, the training
/// information and, if `overwrite` is set, the functions. `size` is the size of the model in bytes.
[[nodiscard]] std::vector<int> AddTypesBut(const std::function<void(const InferredValue&)>& add, std::size_t size,
                                           onnx::ModelProto* model, const Inference& inference, bool overwrite,
                                           Diagnostics* found);

}  // namespace onnxc::infer
