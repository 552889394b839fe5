// Nodes without messages in their attributes: most of a model. What walks all messages by protobuf's reflection passes
// them without it, which takes a fifth of the time.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>

namespace onnxc {

/// Nodes and attributes have no fields but those that the functions below know, and those in check/clean.cc, as
/// they may in a newer schema. Who adds a field looks at these before the numbers are changed.
[[nodiscard]] inline bool KnowsNodes() {
  static const bool knows =
      onnx::NodeProto::descriptor()->field_count() == 10 && onnx::AttributeProto::descriptor()->field_count() == 18;
  return knows;
}

[[nodiscard]] inline bool HoldsMessages(const onnx::AttributeProto& attribute) {
  return attribute.has_t() || attribute.has_g() || attribute.has_sparse_tensor() || attribute.has_tp() ||
         !attribute.tensors().empty() || !attribute.graphs().empty() || !attribute.sparse_tensors().empty() ||
         !attribute.type_protos().empty();
}

/// For certain, no attribute of the node holds a message. `message` is a NodeProto.
[[nodiscard]] inline bool IsPlainNode(const google::protobuf::Message& message) {
  const auto& node = static_cast<const onnx::NodeProto&>(message);
  return KnowsNodes() && std::ranges::none_of(node.attribute(), HoldsMessages);
}

/// The nodes of a graph or function, which alone have any.
[[nodiscard]] inline const google::protobuf::RepeatedPtrField<onnx::NodeProto>& NodesIn(
    const google::protobuf::Message& owner) {
  const bool is_graph = owner.GetDescriptor() == onnx::GraphProto::descriptor();
  return is_graph ? static_cast<const onnx::GraphProto&>(owner).node()
                  : static_cast<const onnx::FunctionProto&>(owner).node();
}

}  // namespace onnxc
