// Corrections of findings in a model that has a text.
#pragma once

#include <string_view>
#include <vector>

#include "check/context.h"

namespace onnxc::check {

/// Where the text of a field, or of its element at `index`, is; null where there is no text, or the field has none of
/// its own.
[[nodiscard]] const SourceRange* FindText(const Run& run, const google::protobuf::Message& message, int field,
                                          int index = 0);

/// Adds a correction, and what it is in words; the finding may be null.
void Correct(Diagnostic* finding, std::string_view words, std::vector<FixIt> fix_its);

/// The same where the correction replaces the blamed word, if that stands in the text as it is.
void CorrectWord(Diagnostic* finding, std::string_view word, std::string_view words, std::string_view replacement);

/// A number as a literal of the text: with a dot, an exponent, inf or nan.
[[nodiscard]] std::string FloatLiteral(float value);

/// The word for an attribute's type.
[[nodiscard]] std::string_view KeywordOf(int type);

/// Adds how the attribute's value is written as one of type `wanted`, where that is sure.
void CorrectKind(const onnx::AttributeProto& attribute, int wanted, const Run& run, Diagnostic* finding);

/// The operator's input that has replaced the attribute of this name; null if there is none.
[[nodiscard]] const Parameter* FindInput(const Operator& op, std::string_view attribute);

/// Where attributes of the node are inputs of its operator now: adds the correction to the finding about the first one.
void CorrectMoved(const onnx::NodeProto& node, const Operator& op, std::string_view name, const Place& place,
                  Context& context, Diagnostic* finding);

/// `name = "x"` among the attributes: the name of a node is its label, `[x]`.
void CorrectLabel(const onnx::NodeProto& node, const onnx::AttributeProto& attribute, Context& context,
                  Diagnostic* finding);

/// Names with dots between them, which need no quotes before the name of an operator.
[[nodiscard]] bool IsDottedName(std::string_view domain);

/// An import as a header lists it.
[[nodiscard]] std::string ImportText(std::string_view domain, std::int64_t version);

/// The version to propose for a domain that is not imported: the newest known one, or 1.
[[nodiscard]] int VersionToImport(std::string_view domain);
/// The same for a function: the version that the model around it imports.
[[nodiscard]] int VersionToImport(std::string_view domain, const Place& place, Run& run);

/// The import at that position in the header of the model or function around, or the last one; null where there is none
/// in a text.
[[nodiscard]] const SourceRange* FindImportText(const Place& place, int index, const Run& run);
inline constexpr int kLastImport = -1;

}  // namespace onnxc::check
