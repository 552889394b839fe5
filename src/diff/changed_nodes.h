// Which nodes of a model are not as in another one: for pictures.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <unordered_map>

namespace onnxc {

enum class NodeChange : std::uint8_t { kChanged, kAdded };
using ChangedNodes = std::unordered_map<const onnx::NodeProto*, NodeChange>;

/// The nodes of `after` that `before` does not have, or has with other inputs, attributes or weights. Names, comments,
/// metadata and the storage of weights do not count. Nodes are matched as by Diff() of onnxc/differ.h.
[[nodiscard]] ChangedNodes FindChangedNodes(const onnx::ModelProto& before, const onnx::ModelProto& after);

}  // namespace onnxc
