// The clauses of pragma comments, which specify the parts of a message's encoding that its text does not show. See
// docs/syntax.md.
#pragma once

#include <onnxc/proto.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "print/common/forms.h"

namespace onnxc::print {

/// A clause at the top of a text can specify, for the whole text, whether each of these fields is present.
enum class Row : std::uint8_t {
  kNodeName,
  kNodeDomain,
  kNodeOverload,
  kNodeDoc,
  kAttributeName,
  kAttributeType,
  kAttributeReference,
  kAttributeF,
  kAttributeI,
  kAttributeS,
  kAttributeDoc,
  kTensorName,
  kTensorDoc,
  kTensorLocation,
  kTensorRaw,
  kValueName,
  kValueDoc,
  kGraphName,
  kGraphDoc,
  kFunctionName,
  kOpsetDomain,
};
inline constexpr std::size_t kRows = 21;

struct RowName {
  std::string_view message;
  std::string_view field;
};
[[nodiscard]] const RowName& NameOf(Row row);

enum class Presence : std::uint8_t { kByText, kSet, kUnset };

/// The clauses in force at a place.
struct ClauseScope {
  std::array<Presence, kRows> presence{};
  bool raw = false;

  [[nodiscard]] Presence operator[](Row row) const { return presence[static_cast<std::size_t>(row)]; }
  Presence& operator[](Row row) { return presence[static_cast<std::size_t>(row)]; }

  /// Puts the clauses of a pragma in force.
  void Enter(std::string_view pragma);

  [[nodiscard]] friend bool operator==(const ClauseScope&, const ClauseScope&) = default;

  /// Returns whether a field will be present after reading. `written` says whether the text writes the field.
  /// `is_default` says whether the field then has its default value.
  [[nodiscard]] bool Expects(Row row, bool written, bool is_default) const {
    if (!written) return (*this)[row] == Presence::kSet;
    return (*this)[row] != Presence::kUnset || !(is_default || row == Row::kAttributeType);
  }
};

// Calls visit(row, written, present, is_default) for each row of a message type: whether the text writes the field,
// whether the field is present, and whether the field has its default value.
template <typename Visit>
void VisitRows(const onnx::NodeProto& node, Visit visit) {
  visit(Row::kNodeName, !node.name().empty(), node.has_name(), false);
  visit(Row::kNodeDomain, !node.domain().empty(), node.has_domain(), false);
  visit(Row::kNodeOverload, !node.overload().empty(), node.has_overload(), false);
  visit(Row::kNodeDoc, !node.doc_string().empty(), node.has_doc_string(), false);
}

template <typename Visit>
void VisitRows(const onnx::AttributeProto& attribute, const AttributeForm& form, Visit visit) {
  const bool is_reference = form.kind == AttributeForm::Kind::kReference;
  const int type = is_reference || form.type == nullptr ? 0 : form.type->code;
  visit(Row::kAttributeName, true, attribute.has_name(), attribute.name().empty());
  visit(Row::kAttributeType, form.type != nullptr, attribute.has_type(), true);
  visit(Row::kAttributeReference, is_reference, attribute.has_ref_attr_name(), attribute.ref_attr_name().empty());
  visit(Row::kAttributeDoc, !attribute.doc_string().empty(), attribute.has_doc_string(), false);
  if (type == onnx::AttributeProto::INT) visit(Row::kAttributeI, true, attribute.has_i(), attribute.i() == 0);
  if (type == onnx::AttributeProto::STRING) visit(Row::kAttributeS, true, attribute.has_s(), attribute.s().empty());
  if (type == onnx::AttributeProto::FLOAT) {
    visit(Row::kAttributeF, true, attribute.has_f(), std::bit_cast<std::uint32_t>(attribute.f()) == 0);
  }
}

template <typename Visit>
void VisitRows(const onnx::TensorProto& tensor, const TensorForm& form, TensorRole place, Visit visit) {
  const bool is_initializer = place == TensorRole::kInitializer;
  const bool names_location = form.is_external || tensor.data_location() != onnx::TensorProto::DEFAULT;
  visit(Row::kTensorName, is_initializer || !tensor.name().empty(), tensor.has_name(), tensor.name().empty());
  visit(Row::kTensorDoc, !tensor.doc_string().empty(), tensor.has_doc_string(), false);
  visit(Row::kTensorLocation, names_location, tensor.has_data_location(), false);
  visit(Row::kTensorRaw, !tensor.raw_data().empty(), tensor.has_raw_data(), false);
}

template <typename Visit>
void VisitRows(const onnx::ValueInfoProto& value, Visit visit) {
  visit(Row::kValueName, true, value.has_name(), value.name().empty());
  visit(Row::kValueDoc, !value.doc_string().empty(), value.has_doc_string(), false);
}

template <typename Visit>
void VisitRows(const onnx::GraphProto& graph, Visit visit) {
  visit(Row::kGraphName, true, graph.has_name(), graph.name().empty());
  visit(Row::kGraphDoc, !graph.doc_string().empty(), graph.has_doc_string(), false);
}

template <typename Visit>
void VisitRows(const onnx::FunctionProto& function, Visit visit) {
  visit(Row::kFunctionName, true, function.has_name(), function.name().empty());
}

template <typename Visit>
void VisitRows(const onnx::OperatorSetIdProto& import, Visit visit) {
  visit(Row::kOpsetDomain, true, import.has_domain(), import.domain().empty());
}

}  // namespace onnxc::print
