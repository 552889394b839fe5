// Finds the values that a node reads, including values that its subgraphs read from enclosing graphs.
#pragma once

#include <onnxc/proto.h>

#include <string>

#include "source/names.h"

namespace onnxc {

/// Returns whether the node is the operator Gradient. The strings of its attributes are names of values.
[[nodiscard]] inline bool IsGradient(const onnx::NodeProto& node) {
  return node.op_type() == "Gradient" && node.domain() == "ai.onnx.preview.training";
}

/// Calls `visit(name, reader, field, index)` for each name that a node or its subgraphs read, except for names that the
/// subgraphs define. The reader is the message that contains the name: the node, an attribute of the operator Gradient,
/// or a node, an output or a quantization annotation of a subgraph. `field` and `index` are the place of the name in
/// the reader. Graphs that are nested deeper than any file can contain are skipped.
template <typename Visit>
class FreeNames {
 public:
  explicit FreeNames(const Visit& visit) : visit_(visit) {}

  void Read(const onnx::NodeProto& node, int most_nested = 100) {
    for (int i = 0; i < node.input_size(); ++i) Read(node.input(i), node, onnx::NodeProto::kInputFieldNumber, i);
    if (most_nested == 0) return;
    const bool is_gradient = IsGradient(node);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (is_gradient) ReadNames(attribute);
      if (attribute.has_g()) Read(attribute.g(), most_nested - 1);
      for (const onnx::GraphProto& graph : attribute.graphs()) Read(graph, most_nested - 1);
    }
  }

 private:
  void Read(const std::string& name, const google::protobuf::Message& reader, int field, int index) {
    if (name.empty()) return;
    const auto hidden = hidden_.find(name);
    if (hidden == hidden_.end() || hidden->second == 0) visit_(name, reader, field, index);
  }

  void Read(const onnx::GraphProto& graph, int most_nested) {
    Hide(graph, 1);
    for (const onnx::NodeProto& node : graph.node()) Read(node, most_nested);
    for (const onnx::ValueInfoProto& output : graph.output()) {
      Read(output.name(), output, onnx::ValueInfoProto::kNameFieldNumber, 0);
    }
    for (const onnx::TensorAnnotation& annotation : graph.quantization_annotation()) {
      Read(annotation.tensor_name(), annotation, onnx::TensorAnnotation::kTensorNameFieldNumber, 0);
      for (const onnx::StringStringEntryProto& entry : annotation.quant_parameter_tensor_names()) {
        Read(entry.value(), entry, onnx::StringStringEntryProto::kValueFieldNumber, 0);
      }
    }
    Hide(graph, -1);
  }

  void ReadNames(const onnx::AttributeProto& attribute) {
    Read(attribute.s(), attribute, onnx::AttributeProto::kSFieldNumber, 0);
    for (int i = 0; i < attribute.strings_size(); ++i) {
      Read(attribute.strings(i), attribute, onnx::AttributeProto::kStringsFieldNumber, i);
    }
  }

  /// For each name that the graph defines, adds `by` to the number of visible definitions. `by` is 1 when the graph
  /// begins, and -1 when it ends.
  void Hide(const onnx::GraphProto& graph, int by) {
    for (const onnx::ValueInfoProto& input : graph.input()) hidden_[input.name()] += by;
    for (const onnx::TensorProto& tensor : graph.initializer()) hidden_[tensor.name()] += by;
    for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) hidden_[tensor.values().name()] += by;
    for (const onnx::NodeProto& node : graph.node()) {
      for (const std::string& output : node.output()) hidden_[output] += by;
    }
  }

  const Visit& visit_;
  NameMap<int> hidden_;
};

template <typename Visit>
void ForEachFreeName(const onnx::NodeProto& node, const Visit& visit) {
  FreeNames<Visit>(visit).Read(node);
}

/// Returns whether a reader is a part of a quantization annotation. It may name a value that does not exist: the
/// checker only warns about it.
[[nodiscard]] inline bool IsAnnotation(const google::protobuf::Message& reader) {
  const auto* const type = reader.GetDescriptor();
  return type == onnx::TensorAnnotation::descriptor() || type == onnx::StringStringEntryProto::descriptor();
}

/// Like ForEachFreeName(), without the names in quantization annotations.
template <typename Visit>
void ForEachNeededName(const onnx::NodeProto& node, const Visit& visit) {
  ForEachFreeName(node, [&](const std::string& name, const google::protobuf::Message& reader, int field, int index) {
    if (!IsAnnotation(reader)) visit(name, reader, field, index);
  });
}

}  // namespace onnxc
