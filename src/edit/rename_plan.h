// Renames in a model and in its text, or finds the reason why something cannot be renamed. The command and the language
// server use it.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/symbols.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edit/names.h"

namespace onnxc::edit {

/// The new names of the entities that are renamed.
using NewNames = std::map<NameId, std::string>;

/// The reason why an entity cannot be renamed, and the place that shows it.
struct Refusal {
  NameId entity = kNoName;
  std::string why;
  NameId site = kNoName;
  DiagnosticKind kind = DiagnosticKind::kDuplicateName;
};

/// Returns a reason why the entities cannot get these names: a node would then read another value; two functions,
/// nodes, attributes, dimensions or domains would get the same name; or an operator would be declared differently.
[[nodiscard]] std::optional<Refusal> FindConflict(const Names& names, const NewNames& new_names);

/// Renames in the model that `names` was made from. `names` must not be used afterwards.
void Rename(const Names& names, const NewNames& new_names);

/// The names of a model that was parsed from a text, and their places in the text.
class TextNames {
 public:
  /// The text must not have errors.
  TextNames(std::string_view text, const PartialModel& parsed) : text_(text), parsed_(parsed), names_(*parsed.model) {}

  [[nodiscard]] const Names& names() const { return names_; }
  /// Returns where the text has the name, or kNowhere if it does not have it in a form that can be replaced.
  [[nodiscard]] SourceRange RangeOf(const NameSite& site) const;
  /// Returns where a finding about the name belongs.
  [[nodiscard]] SourceRange PlaceOf(NameId site) const;
  /// Returns the entity of the name at this range, or kNoName.
  [[nodiscard]] NameId EntityAt(SourceRange range, std::string_view name) const;
  /// Returns the edits that rename, in the order of the text. If a place cannot be edited, returns none and sets
  /// `*refusal`.
  [[nodiscard]] std::vector<FixIt> Edits(const NewNames& new_names, std::optional<Refusal>* refusal) const;

 private:
  [[nodiscard]] std::string Spelling(SourceRange range, EntityKind kind, std::string_view name) const;

  std::string_view text_;
  const PartialModel& parsed_;
  Names names_;
};

/// Returns the name as a string literal of the text.
[[nodiscard]] std::string InQuotes(std::string_view name);

}  // namespace onnxc::edit
