// Infers types, and adds them to a model, for callers that write the model's bytes themselves.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace onnxc::infer {

/// Like InferTypes(), for a model whose file has `size` bytes, of which the message may lack some. If `size` is 0, the
/// size of the message is used.
[[nodiscard]] Inference InferTypesOf(const onnx::ModelProto& model, std::size_t size, const InferOptions& options);

/// Like AddTypes(), but passes the value_info entries that the model's graph lacks to `add`, in order. (Entries that
/// subgraphs lack are added to them.) Returns the indices of the graph's nodes that contain graphs. These nodes may
/// have changed, and so may all value_info, the outputs, the training information and, with `overwrite`, the functions.
/// `size` is the size of the model in bytes.
[[nodiscard]] std::vector<int> AddTypesBut(const std::function<void(const InferredValue&)>& add, std::size_t size,
                                           onnx::ModelProto* model, const Inference& inference, bool overwrite,
                                           Diagnostics* found);

}  // namespace onnxc::infer
