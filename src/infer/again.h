// Infers the types of a new version of a model in which only a few nodes have changed.
#pragma once

#include <onnxc/infer.h>

#include <optional>
#include <span>
#include <vector>

namespace onnxc::infer {

/// What was inferred of some nodes.
struct InferredNodes {
  std::vector<InferredValue> values = {};  ///< those that they read, and their outputs
  bool has_findings = false;
};

/// Infers the outputs of some nodes of the model's graph. `read` are the values that they read from other nodes;
/// `known` is the inference of another version of the model, which has these values. Returns nothing if the budget is
/// used up. The result uses the memory of `known`, so only one thread may call this at a time.
[[nodiscard]] std::optional<InferredNodes> InferAgain(const onnx::ModelProto& model,
                                                      std::span<const onnx::NodeProto* const> nodes,
                                                      std::span<const InferredValue> read, const Inference& known,
                                                      const Operators& operators);

/// Returns whether nodes that read `a` and nodes that read `b` get the same types. Both must use the same memory.
[[nodiscard]] bool AreSame(const InferredValue& a, const InferredValue& b);

}  // namespace onnxc::infer
