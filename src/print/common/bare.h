// Tests fast whether a message has fields for which the base grammar has no syntax. Few messages have such a field, and
// a search by reflection takes longer than printing the message.
#pragma once

#include <onnxc/proto.h>

#include "print/common/forms.h"

namespace onnxc::print {

/// Returns whether the schema's messages have only the fields that IsBare() knows. If the schema is newer, the fast
/// test cannot be used.
[[nodiscard]] inline bool IsKnownSchema() {
  return onnx::NodeProto::descriptor()->field_count() == 10 &&
         onnx::AttributeProto::descriptor()->field_count() == 18 &&
         onnx::ValueInfoProto::descriptor()->field_count() == 4 && onnx::TypeProto::descriptor()->field_count() == 7 &&
         onnx::TypeProto::Tensor::descriptor()->field_count() == 2 &&
         onnx::TensorShapeProto::descriptor()->field_count() == 1 &&
         onnx::TensorShapeProto::Dimension::descriptor()->field_count() == 3 &&
         onnx::GraphProto::descriptor()->field_count() == 10;
}

// Returns true only if the message has no fields except those in kCarried and, for an attribute or a tensor, its value.
// Call it only if IsKnownSchema() is true.

[[nodiscard]] inline bool IsBare(const onnx::NodeProto& node) {
  return !node.has_doc_string() && node.metadata_props().empty() && node.device_configurations().empty() &&
         node.unknown_fields().empty();
}

[[nodiscard]] inline bool IsBare(const onnx::AttributeProto& attribute, const AttributeForm& form) {
  const bool has_own = form.kind == AttributeForm::Kind::kValue && HasValue(attribute, *form.type);
  return CountValues(attribute) == int{has_own} && !attribute.has_doc_string() && attribute.unknown_fields().empty();
}

[[nodiscard]] inline bool IsBare(const onnx::ValueInfoProto& value) {
  return !value.has_doc_string() && value.metadata_props().empty() && value.unknown_fields().empty();
}

[[nodiscard]] inline bool IsBare(const onnx::TypeProto& type) {
  return !type.has_denotation() && type.unknown_fields().empty();
}

[[nodiscard]] inline bool IsBare(const onnx::TypeProto::Tensor& type) { return type.unknown_fields().empty(); }

[[nodiscard]] inline bool IsBare(const onnx::TensorShapeProto& shape) { return shape.unknown_fields().empty(); }

[[nodiscard]] inline bool IsBare(const onnx::TensorShapeProto::Dimension& dim) {
  return !dim.has_denotation() && dim.unknown_fields().empty();
}

[[nodiscard]] inline bool IsBare(const onnx::GraphProto& graph) {
  return graph.sparse_initializer().empty() && !graph.has_doc_string() && graph.quantization_annotation().empty() &&
         graph.metadata_props().empty() && graph.unknown_fields().empty();
}

/// Other types of messages have no fast test, so the result is false.
template <typename... Other>
[[nodiscard]] constexpr bool IsBare(const Other&...) {
  return false;
}

}  // namespace onnxc::print
