// Lowers any field of any message, by its name: in annotations, header keys and records. This code uses only the
// message's descriptor.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// Every message has a field of this name in texts. It contains the bytes of fields that are not in the schema.
inline constexpr std::string_view kUnknownFields = "unknown_fields";

/// Sets the field of this name in a message, or adds to the field if it is a list. Reports an unknown field, a field
/// that is already set, and a value that does not fit.
void BuildField(const SyntaxToken& name, const Grammar::FieldValueContext* value, Lowering& lowering,
                google::protobuf::Message* message);

/// Sets all fields of a record. `record` is the context of the rule `record` or `inPlace`.
void BuildRecord(const Context* record, Lowering& lowering, google::protobuf::Message* message);

/// Returns the record if the element `tree` is written as a record. Returns null if it is written in its dedicated
/// syntax.
[[nodiscard]] inline const Grammar::InPlaceContext* InPlace(const Context* tree) {
  if (!BeginsWith(tree, {Grammar::AT_BRACE, Grammar::AT, Grammar::PRAGMA})) return nullptr;
  return ChildOf<Grammar::InPlaceContext>(tree, Grammar::RuleInPlace);
}

}  // namespace onnxc::lower
