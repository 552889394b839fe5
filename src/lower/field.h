// Any field of any message, by its name: annotations, header keys and records. Driven by the descriptor alone.
#pragma once

#include <onnxc/proto.h>

#include "lower/lowering.h"

namespace onnxc::lower {

/// The field that holds what the schema does not know; spelled like a field of every message.
inline constexpr std::string_view kUnknownFields = "unknown_fields";

/// Sets or adds to the field `name` of a message. Reported where there is no such field, where it is set already, and
/// where the value does not fit.
void BuildField(const SyntaxToken& name, const Grammar::FieldValueContext* value, Lowering& lowering,
                google::protobuf::Message* message);

/// All fields of a record: the context of rule `record` or `inPlace`.
void BuildRecord(const Context* record, Lowering& lowering, google::protobuf::Message* message);

/// The record that stands for the element `tree`, or null where it is written in its own form.
[[nodiscard]] inline const Grammar::InPlaceContext* InPlace(const Context* tree) {
  if (!BeginsWith(tree, {Grammar::AT_BRACE, Grammar::AT, Grammar::PRAGMA})) return nullptr;
  return ChildOf<Grammar::InPlaceContext>(tree, Grammar::RuleInPlace);
}

}  // namespace onnxc::lower
