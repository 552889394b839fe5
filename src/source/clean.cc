#include "source/clean.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>

#include "source/plain_node.h"
#include "source/unicode.h"

namespace onnxc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::OperatorSetIdProto;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;
using onnx::ValueInfoProto;

bool AreUtf8(const google::protobuf::RepeatedPtrField<std::string>& texts) {
  return std::ranges::all_of(texts, [](const std::string& text) { return IsUtf8(text); });
}

bool IsCleanAttribute(const AttributeProto& attribute) {
  return attribute.unknown_fields().empty() && IsUtf8(attribute.name()) && IsUtf8(attribute.ref_attr_name()) &&
         IsUtf8(attribute.doc_string()) && IsUtf8(attribute.s()) && AreUtf8(attribute.strings());
}

bool IsCleanNode(const Message& message) {
  const auto& node = static_cast<const NodeProto&>(message);
  return IsPlainNode(node) && node.metadata_props().empty() && node.device_configurations().empty() &&
         node.unknown_fields().empty() && AreUtf8(node.input()) && AreUtf8(node.output()) && IsUtf8(node.name()) &&
         IsUtf8(node.op_type()) && IsUtf8(node.domain()) && IsUtf8(node.overload()) && IsUtf8(node.doc_string()) &&
         std::ranges::all_of(node.attribute(), IsCleanAttribute);
}

bool IsCleanTensor(const Message& message) {
  const auto& tensor = static_cast<const TensorProto&>(message);
  return tensor.unknown_fields().empty() && tensor.external_data().empty() && tensor.metadata_props().empty() &&
         !tensor.has_segment() && IsUtf8(tensor.name()) && IsUtf8(tensor.doc_string()) && AreUtf8(tensor.string_data());
}

bool IsCleanDimension(const TensorShapeProto::Dimension& dim) {
  return dim.unknown_fields().empty() && IsUtf8(dim.dim_param()) && IsUtf8(dim.denotation());
}

/// Returns true for the type of a tensor and for an empty type.
bool IsCleanType(const TypeProto& type) {
  const TypeProto::Tensor& tensor = type.tensor_type();
  const bool has_other = type.value_case() != TypeProto::kTensorType && type.value_case() != TypeProto::VALUE_NOT_SET;
  return !has_other && type.unknown_fields().empty() && IsUtf8(type.denotation()) && tensor.unknown_fields().empty() &&
         tensor.shape().unknown_fields().empty() && std::ranges::all_of(tensor.shape().dim(), IsCleanDimension);
}

bool IsCleanValueInfo(const Message& message) {
  const auto& value = static_cast<const ValueInfoProto&>(message);
  return value.unknown_fields().empty() && value.metadata_props().empty() && IsUtf8(value.name()) &&
         IsUtf8(value.doc_string()) && IsCleanType(value.type());
}

bool IsCleanBeside(const GraphProto& graph) {
  return graph.unknown_fields().empty() && graph.sparse_initializer().empty() &&
         graph.quantization_annotation().empty() && graph.metadata_props().empty() && IsUtf8(graph.name()) &&
         IsUtf8(graph.doc_string()) && std::ranges::all_of(graph.initializer(), IsCleanTensor) &&
         std::ranges::all_of(graph.input(), IsCleanValueInfo) &&
         std::ranges::all_of(graph.output(), IsCleanValueInfo) &&
         std::ranges::all_of(graph.value_info(), IsCleanValueInfo);
}

bool IsCleanImport(const OperatorSetIdProto& import) {
  return import.unknown_fields().empty() && IsUtf8(import.domain());
}

/// Returns whether the message types have only the fields that are tested here; a newer schema may have more. If you
/// add a field, first extend the functions above, then change the numbers.
bool KnowsFields() {
  static const bool knows =
      KnowsNodes() && TensorProto::descriptor()->field_count() == 15 &&
      ValueInfoProto::descriptor()->field_count() == 4 && TypeProto::descriptor()->field_count() == 7 &&
      TypeProto::Tensor::descriptor()->field_count() == 2 && TensorShapeProto::descriptor()->field_count() == 1 &&
      TensorShapeProto::Dimension::descriptor()->field_count() == 3 && ModelProto::descriptor()->field_count() == 12 &&
      GraphProto::descriptor()->field_count() == 10 && OperatorSetIdProto::descriptor()->field_count() == 2;
  return knows;
}

}  // namespace

IsClean IsCleanOf(const Descriptor& type) {
  if (!KnowsFields()) return nullptr;
  if (&type == NodeProto::descriptor()) return IsCleanNode;
  if (&type == TensorProto::descriptor()) return IsCleanTensor;
  return &type == ValueInfoProto::descriptor() ? IsCleanValueInfo : nullptr;
}

bool IsCleanBesideNodes(const ModelProto& model) {
  return KnowsFields() && model.unknown_fields().empty() && model.metadata_props().empty() &&
         model.training_info().empty() && model.functions().empty() && model.configuration().empty() &&
         IsUtf8(model.producer_name()) && IsUtf8(model.producer_version()) && IsUtf8(model.domain()) &&
         IsUtf8(model.doc_string()) && std::ranges::all_of(model.opset_import(), IsCleanImport) &&
         IsCleanBeside(model.graph());
}

bool IsCleanBesideNodes(const GraphProto& graph) { return KnowsFields() && IsCleanBeside(graph); }

}  // namespace onnxc
