// Infers the types of a new version of a model in which only a few nodes have changed.
#pragma once

#include <onnxc/infer.h>

#include <optional>
#include <span>
#include <vector>

namespace onnxc::infer {

/// Infers the outputs of some nodes of the model's graph. `read` contains the values that these nodes take from other
/// nodes. `known` is the inference of another version of the model; the values in `read` must come from it. Returns
/// nothing if there is a finding about the nodes, or if the budget is used up. The result uses the memory of `known`,
/// so only one thread may call this function at a time.
[[nodiscard]] std::optional<std::vector<InferredValue>> InferAgain(const onnx::ModelProto& model,
                                                                   std::span<const onnx::NodeProto* const> nodes,
                                                                   std::span<const InferredValue> read,
                                                                   const Inference& known, const Operators& operators);

/// Returns whether nodes that read `a` and nodes that read `b` get the same types. Both must use the same memory.
[[nodiscard]] bool AreSame(const InferredValue& a, const InferredValue& b);

}  // namespace onnxc::infer
