// Nodes without messages in their attributes, which are most nodes of a model. Code that walks all messages by
// protobuf's reflection can skip them. IsPlainNode() takes a fifth of the time of reflection.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>

namespace onnxc {

/// Returns whether nodes and attributes have only the fields that the functions below and source/clean.cc know. A newer
/// schema may have more. If you add a field, first extend these functions, then change the numbers.
[[nodiscard]] inline bool KnowsNodes() {
  static const bool knows =
      onnx::NodeProto::descriptor()->field_count() == 10 && onnx::AttributeProto::descriptor()->field_count() == 18;
  return knows;
}

[[nodiscard]] inline bool HoldsGraphs(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || !attribute.graphs().empty();
}

[[nodiscard]] inline bool HoldsMessages(const onnx::AttributeProto& attribute) {
  return HoldsGraphs(attribute) || attribute.has_t() || attribute.has_sparse_tensor() || attribute.has_tp() ||
         !attribute.tensors().empty() || !attribute.sparse_tensors().empty() || !attribute.type_protos().empty();
}

/// Returns true only if no attribute of the node contains a message. `message` must be a NodeProto.
[[nodiscard]] inline bool IsPlainNode(const google::protobuf::Message& message) {
  const auto& node = static_cast<const onnx::NodeProto&>(message);
  return KnowsNodes() && std::ranges::none_of(node.attribute(), HoldsMessages);
}

/// Returns the nodes of a graph or function; only these two message types have nodes.
[[nodiscard]] inline const google::protobuf::RepeatedPtrField<onnx::NodeProto>& NodesIn(
    const google::protobuf::Message& owner) {
  const bool is_graph = owner.GetDescriptor() == onnx::GraphProto::descriptor();
  return is_graph ? static_cast<const onnx::GraphProto&>(owner).node()
                  : static_cast<const onnx::FunctionProto&>(owner).node();
}

}  // namespace onnxc
