// Adds corrections to findings in a model that has a text.
#pragma once

#include <string_view>
#include <vector>

#include "check/context.h"

namespace onnxc::check {

/// Returns the range of a field in the text, or of its element at `index`. Returns null if the model has no text or the
/// field has no range.
[[nodiscard]] const SourceRange* FindText(const Run& run, const google::protobuf::Message& message, int field,
                                          int index = 0);

/// Adds a correction to the finding, which may be null. `words` describes the correction in the message.
void Correct(Diagnostic* finding, std::string_view words, std::vector<FixIt> fix_its);

/// Like Correct(), for a correction that replaces the reported word. The fix-it is added only if the text contains the
/// word unchanged.
void CorrectWord(Diagnostic* finding, std::string_view word, std::string_view words, std::string_view replacement);

/// Tells which of two similar names is misspelt: the name of a definition that is not used, or the name that is used
/// but not defined.
enum class Suspect : std::uint8_t { kEither, kDefinition, kUse };

/// Decides which of the two names is misspelt. If only one of the differing words is a word of the documentation, the
/// name with this word is right. Otherwise, if one name is the other name without one of its letters, the longer name
/// is right. In all other cases, either name may be wrong.
[[nodiscard]] Suspect SuspectOf(std::string_view used, std::string_view defined);

/// How a name is used, such as "reads" and "read".
struct Use {
  std::string_view verb;
  std::string_view participle;
};

/// Moves a finding about the undefined name `used` to the definition of the misspelt name `defined`, which nothing
/// uses. `range` is the range of the definition; it may be null.
void BlameName(const SourceRange* range, std::string_view defined, std::string_view used, Use use, Diagnostic* finding);

/// The finding reports that a node refers to the attribute `used`, which the enclosing function does not declare. If
/// the function declares a similar attribute to which nothing refers, moves the finding to that declaration and returns
/// true; otherwise returns false. `is_given` means that a call also gives the attribute the name `used`.
bool BlameParameter(int function, std::string_view used, bool is_given, Context& context, Diagnostic* finding);

/// Returns a number as a float literal of the text: with a dot or an exponent, or as inf or nan.
[[nodiscard]] std::string FloatLiteral(float value);

/// Returns the keyword for an attribute type.
[[nodiscard]] std::string_view KeywordOf(int type);

/// Returns the text of the attribute's value converted to the type `wanted`, or "" if the conversion is not certain.
[[nodiscard]] std::string ValueAs(const onnx::AttributeProto& attribute, int wanted);

/// Adds a correction that converts the attribute's value to the type `wanted`, if the conversion is certain.
void CorrectKind(const onnx::AttributeProto& attribute, int wanted, const Run& run, Diagnostic* finding);

/// Returns the attribute of the operator that has this name, or null if there is none.
[[nodiscard]] const OperatorAttribute* FindAttribute(const Operator& op, std::string_view name);

/// Returns the input of the operator that has replaced the attribute of this name, or null if there is none.
[[nodiscard]] const Parameter* FindInput(const Operator& op, std::string_view attribute);

/// Returns the attribute or input of the operator that other frameworks call `name`, or "" if there is none.
[[nodiscard]] std::string_view MeantAttribute(const Operator& op, std::string_view name);

/// Returns the name of the input that has replaced the attribute in this version of the operator, as it was named as an
/// attribute. Returns "" if the attribute is not an input.
[[nodiscard]] std::string_view NameAsInput(const Operator& op, std::string_view attribute);

/// Adds the correction for all attributes of the node that are inputs in the imported version of the operator. The time
/// is linear in the number of attributes, so call it only once for each node.
void CorrectMoved(const onnx::NodeProto& node, const Operator& op, const Place& place, Context& context,
                  Diagnostic* finding);

/// Corrects an attribute `name = "x"`: the text syntax writes the name of a node as a label, `[x]`.
void CorrectLabel(const onnx::NodeProto& node, const onnx::AttributeProto& attribute, Context& context,
                  Diagnostic* finding);

/// Returns whether the domain consists of identifiers with dots between them. Such a domain needs no quotes before an
/// operator.
[[nodiscard]] bool IsDottedName(std::string_view domain);

/// Returns an import as a header lists it.
[[nodiscard]] std::string ImportText(std::string_view domain, std::int64_t version);

/// Returns the version to suggest for a domain that is not imported. If the model imports the domain, as is possible
/// for a node in a function, this is the model's version. Otherwise, for the standard operators, it is the result of
/// OpsetFor(); for other domains, it is the newest known version, or 1 if no version is known.
[[nodiscard]] int VersionToImport(std::string_view domain, const Place& place, Run& run);

/// Returns the import at this index in the header of the enclosing model or function, or the last import for
/// kLastImport. Returns null if there is no such import or no text.
[[nodiscard]] const SourceRange* FindImportText(const Place& place, int index, const Run& run);
inline constexpr int kLastImport = -1;

}  // namespace onnxc::check
