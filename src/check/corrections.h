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

/// Adds a correction and its description to the finding, which may be null.
void Correct(Diagnostic* finding, std::string_view words, std::vector<FixIt> fix_its);

/// Like Correct(), for a correction that replaces the reported word. The fix-it is added only if the text contains the
/// word unchanged.
void CorrectWord(Diagnostic* finding, std::string_view word, std::string_view words, std::string_view replacement);

/// Tells which of two similar names is misspelt: the name of a definition that is not used, or the name that is used
/// but not defined.
enum class Suspect : std::uint8_t { kEither, kDefinition, kUse };

/// Decides which of the two names is misspelt. A documented word is right. Otherwise, if one name is the other name
/// without one of its letters, the longer name is right. In all other cases, either name may be wrong.
[[nodiscard]] Suspect SuspectOf(std::string_view used, std::string_view defined);

/// How a name is used, such as "reads" and "read".
struct Use {
  std::string_view verb;
  std::string_view participle;
};

/// Moves a finding about the name `used` to the definition of the misspelt name `defined`. `range` is the range of the
/// definition; it may be null.
void BlameName(const SourceRange* range, std::string_view defined, std::string_view used, Use use, Diagnostic* finding);

/// For a finding about the attribute `used`, to which a node of the function refers although the function does not
/// declare it. If the function declares a similar attribute to which nothing refers, moves the finding to that
/// declaration. `is_given` means that a call gives the attribute under the name `used`, too. Returns whether it moved
/// the finding.
bool BlameParameter(int function, std::string_view used, bool is_given, Context& context, Diagnostic* finding);

/// Returns a number as a float literal of the text: with a dot or an exponent, or as inf or nan.
[[nodiscard]] std::string FloatLiteral(float value);

/// Returns the keyword for an attribute type.
[[nodiscard]] std::string_view KeywordOf(int type);

/// Adds a correction that converts the attribute's value to the type `wanted`, if the conversion is certain.
void CorrectKind(const onnx::AttributeProto& attribute, int wanted, const Run& run, Diagnostic* finding);

/// Returns the attribute of the operator that has this name, or null if there is none.
[[nodiscard]] const OperatorAttribute* FindAttribute(const Operator& op, std::string_view name);

/// Returns the input of the operator that has replaced the attribute of this name, or null if there is none.
[[nodiscard]] const Parameter* FindInput(const Operator& op, std::string_view attribute);

/// In the current version of the operator, some attributes of the node may be inputs. If `name` is the first of these
/// attributes, adds the correction for all of them to the finding.
void CorrectMoved(const onnx::NodeProto& node, const Operator& op, std::string_view name, const Place& place,
                  Context& context, Diagnostic* finding);

/// Corrects an attribute `name = "x"`: the text syntax writes the name of a node as a label, `[x]`.
void CorrectLabel(const onnx::NodeProto& node, const onnx::AttributeProto& attribute, Context& context,
                  Diagnostic* finding);

/// Returns whether the domain consists of identifiers with dots between them. Such a domain needs no quotes before an
/// operator.
[[nodiscard]] bool IsDottedName(std::string_view domain);

/// Returns an import as a header lists it.
[[nodiscard]] std::string ImportText(std::string_view domain, std::int64_t version);

/// Returns the version to suggest for a domain that is not imported. Inside of a function, it is the version that the
/// model imports. Otherwise it is OpsetFor() the model for the standard operators, else the newest known version, or 1.
[[nodiscard]] int VersionToImport(std::string_view domain, const Place& place, Run& run);

/// Returns the import at this index in the header of the enclosing model or function, or the last import for
/// kLastImport. Returns null if there is no such import or no text.
[[nodiscard]] const SourceRange* FindImportText(const Place& place, int index, const Run& run);
inline constexpr int kLastImport = -1;

}  // namespace onnxc::check
