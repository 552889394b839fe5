// Infers the types of a new version of a model in which only a few nodes have changed.
#pragma once

#include <onnxc/infer.h>

#include <optional>
#include <span>
#include <vector>

namespace onnxc::infer {

/// The result of InferAgain().
struct InferredNodes {
  std::vector<InferredValue> values = {};  ///< the values that the nodes read, then the outputs of the nodes
  bool has_findings = false;
};

/// Infers the outputs of some nodes of the model's graph. `read` contains the values that these nodes take from other
/// nodes; the values belong to `known`, the inference of another version of the model. Returns nothing if the budget is
/// used up. The result uses the memory of `known`, so only one thread at a time may call this function.
[[nodiscard]] std::optional<InferredNodes> InferAgain(const onnx::ModelProto& model,
                                                      std::span<const onnx::NodeProto* const> nodes,
                                                      std::span<const InferredValue> read, const Inference& known,
                                                      const Operators& operators);

/// Returns whether a node that reads `a` would get the same types if it read `b`. Both values must use the same memory.
/// Returns false if the contents of a value are known.
[[nodiscard]] bool AreSame(const InferredValue& a, const InferredValue& b);

}  // namespace onnxc::infer
