// Lowers any field of any message, by its name: in annotations, header keys and records. It uses only the descriptor.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// The name of the field for bytes that are not in the schema. It is written like a field of any message.
inline constexpr std::string_view kUnknownFields = "unknown_fields";

/// Sets the field `name` of a message, or adds to it. Reports an unknown field, a field that is already set, and a
/// value that does not fit.
void BuildField(const SyntaxToken& name, const Grammar::FieldValueContext* value, Lowering& lowering,
                google::protobuf::Message* message);

/// Sets all fields of a record. `record` is the context of the rule `record` or `inPlace`.
void BuildRecord(const Context* record, Lowering& lowering, google::protobuf::Message* message);

/// Returns the record that is written instead of the element `tree`, or null if the element has its dedicated syntax.
[[nodiscard]] inline const Grammar::InPlaceContext* InPlace(const Context* tree) {
  if (!BeginsWith(tree, {Grammar::AT_BRACE, Grammar::AT, Grammar::PRAGMA})) return nullptr;
  return ChildOf<Grammar::InPlaceContext>(tree, Grammar::RuleInPlace);
}

}  // namespace onnxc::lower
