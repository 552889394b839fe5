// Visits all nodes of a model together with their places.
#pragma once

#include <onnxc/proto.h>

#include "source/message_path.h"

namespace onnxc {

/// Calls `visit(node, place)` for each node of the model: those of its graphs, of its functions, and of the graphs in
/// attributes. A node comes before the nodes inside of it. Messages must not be nested too deeply (wire/nesting.h).
template <typename Visit>
class PlacedNodes {
 public:
  explicit PlacedNodes(const Visit& visit) : visit_(visit) {}

  void Read(const onnx::ModelProto& model) {
    using onnx::ModelProto;
    using Training = onnx::TrainingInfoProto;
    const Place root{model};
    Read(model.graph(), root.Child(model.graph(), ModelProto::kGraphFieldNumber));
    for (int i = 0; i < model.training_info_size(); ++i) {
      const Training& training = model.training_info(i);
      const Place at = root.Child(training, ModelProto::kTrainingInfoFieldNumber, i);
      Read(training.initialization(), at.Child(training.initialization(), Training::kInitializationFieldNumber));
      Read(training.algorithm(), at.Child(training.algorithm(), Training::kAlgorithmFieldNumber));
    }
    for (int i = 0; i < model.functions_size(); ++i) {
      const onnx::FunctionProto& function = model.functions(i);
      const Place at = root.Child(function, ModelProto::kFunctionsFieldNumber, i);
      ReadAttributes(function.attribute_proto(), at, onnx::FunctionProto::kAttributeProtoFieldNumber);
      ReadNodes(function.node(), at, onnx::FunctionProto::kNodeFieldNumber);
    }
  }

 private:
  template <typename Messages>
  void ReadNodes(const Messages& nodes, const Place& owner, int field) {
    for (int i = 0; i < nodes.size(); ++i) {
      const Place at = owner.Child(nodes[i], field, i);
      visit_(nodes[i], at);
      ReadAttributes(nodes[i].attribute(), at, onnx::NodeProto::kAttributeFieldNumber);
    }
  }

  template <typename Messages>
  void ReadAttributes(const Messages& attributes, const Place& owner, int field) {
    using onnx::AttributeProto;
    for (int i = 0; i < attributes.size(); ++i) {
      const AttributeProto& attribute = attributes[i];
      const Place in = owner.Child(attribute, field, i);
      if (attribute.has_g()) Read(attribute.g(), in.Child(attribute.g(), AttributeProto::kGFieldNumber));
      for (int k = 0; k < attribute.graphs_size(); ++k) {
        Read(attribute.graphs(k), in.Child(attribute.graphs(k), AttributeProto::kGraphsFieldNumber, k));
      }
    }
  }

  void Read(const onnx::GraphProto& graph, const Place& at) {
    ReadNodes(graph.node(), at, onnx::GraphProto::kNodeFieldNumber);
  }

  const Visit& visit_;
};

template <typename Visit>
void ForEachPlacedNode(const onnx::ModelProto& model, const Visit& visit) {
  PlacedNodes<Visit>(visit).Read(model);
}

}  // namespace onnxc
