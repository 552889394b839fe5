// Visits the nodes of a model, graph or function, and the nodes of their subgraphs.
#pragma once

#include <onnxc/proto.h>

namespace onnxc {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

template <typename Visit>
void ForEachNode(const onnx::NodeProto& node, const Visit& visit, int most_nested = 100);
template <typename Visit>
void ForEachNode(const onnx::AttributeProto& attribute, const Visit& visit, int most_nested = 100);

/// Calls `visit(node)` for each node and the nodes of its subgraphs. Subgraphs that are nested deeper than any file can
/// contain, as in messages that a program built, are skipped.
template <typename Visit>
void ForEachNode(const Nodes& nodes, const Visit& visit, int most_nested = 100) {
  for (const onnx::NodeProto& node : nodes) ForEachNode(node, visit, most_nested);
}

/// Like ForEachNode() above, for a single node.
template <typename Visit>
void ForEachNode(const onnx::NodeProto& node, const Visit& visit, int most_nested) {
  visit(node);
  if (most_nested == 0) return;
  for (const onnx::AttributeProto& attribute : node.attribute()) ForEachNode(attribute, visit, most_nested - 1);
}

/// Like ForEachNode() above, for the nodes of an attribute's graphs.
template <typename Visit>
void ForEachNode(const onnx::AttributeProto& attribute, const Visit& visit, int most_nested) {
  ForEachNode(attribute.g().node(), visit, most_nested);
  for (const onnx::GraphProto& graph : attribute.graphs()) ForEachNode(graph.node(), visit, most_nested);
}

/// Like ForEachNode() above, for all nodes of a function: those of its body, and of graphs that are default values.
template <typename Visit>
void ForEachNode(const onnx::FunctionProto& function, const Visit& visit) {
  ForEachNode(function.node(), visit);
  for (const onnx::AttributeProto& attribute : function.attribute_proto()) ForEachNode(attribute, visit);
}

/// Like ForEachNode() above, for all nodes of a model: those of its graph, its training graphs and its functions.
template <typename Visit>
void ForEachNode(const onnx::ModelProto& model, const Visit& visit) {
  ForEachNode(model.graph().node(), visit);
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    ForEachNode(training.initialization().node(), visit);
    ForEachNode(training.algorithm().node(), visit);
  }
  for (const onnx::FunctionProto& function : model.functions()) ForEachNode(function, visit);
}

}  // namespace onnxc
