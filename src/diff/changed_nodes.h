// Finds the nodes that a model adds or changes compared with another model, for drawings.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <unordered_map>

namespace onnxc {

enum class NodeChange : std::uint8_t { kChanged, kAdded };
using ChangedNodes = std::unordered_map<const onnx::NodeProto*, NodeChange>;

/// Returns the nodes of `after` that `before` does not have, or has with different inputs, attributes or weights.
/// Names, comments, metadata and the storage of weights are ignored. Nodes are matched as in Diff() of onnxc/differ.h.
[[nodiscard]] ChangedNodes FindChangedNodes(const onnx::ModelProto& before, const onnx::ModelProto& after);

}  // namespace onnxc
