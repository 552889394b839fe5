#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/rename.h>
#include <onnxc/symbols.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "edit/rename_plan.h"
#include "edit/rules.h"
#include "source/meant.h"
#include "source/message_path.h"
#include "source/report.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

/// The word for a name of each kind in messages.
constexpr std::array<std::string_view, kNameKinds.size()> kOneOfTheKind = {"value", "node", "function", "dimension",
                                                                           "domain"};

/// Chooses the new names by the rules, and reports why they cannot be given.
class Renaming {
 public:
  /// `locate` sets the place of a finding about a name of the model.
  Renaming(const edit::Names& names, const RenameOptions& options,
           std::function<void(edit::NameId, Diagnostic*)> locate)
      : names_(names),
        options_(options),
        locate_(std::move(locate)),
        rules_(options, &found_),
        fits_(options.rules.size()) {}

  /// Returns the new names, or nothing if there is an error.
  const edit::NewNames* Run() {
    if (found_.ok()) ReadNames();
    if (found_.ok()) RequireFits();
    if (!found_.ok()) return nullptr;
    if (const auto refusal = edit::FindConflict(names_, new_names_)) Refuse(*refusal);
    return found_.ok() ? &new_names_ : nullptr;
  }

  void Refuse(const edit::Refusal& refusal) {
    const edit::Entity& entity = names_.entities()[refusal.entity];
    const auto found = new_names_.find(refusal.entity);
    Refuse(entity.name, found->second, refusal.why, refusal.site, refusal.kind);
  }

  [[nodiscard]] Diagnostics& found() { return found_; }

 private:
  void ReadNames() {
    for (edit::NameId id = 0; id < names_.entities().size(); ++id) {
      const edit::Entity& entity = names_.entities()[id];
      if (entity.kind == edit::EntityKind::kAttribute || entity.kind == edit::EntityKind::kOperator) continue;
      if (entity.site == edit::kNoName) continue;
      if (auto name = NewName(static_cast<NameKind>(entity.kind), entity.name, entity.site)) {
        new_names_.emplace(id, *std::move(name));
      }
    }
  }

  /// Returns the new name for `name`, or nothing if no rule matches.
  std::optional<std::string> NewName(NameKind kind, std::string_view name, edit::NameId site) {
    const bool is_wanted = options_.kinds.empty() || std::ranges::find(options_.kinds, kind) != options_.kinds.end();
    if (!is_wanted) return std::nullopt;
    auto answer = rules_.NewName(name);
    if (!answer) {
      if (left_.size() < kMostNames) left_.emplace_back(name);
      return std::nullopt;
    }
    fits_[answer->rule].insert(kind);
    if (options_.regex && taken_.size() < kMostNames) taken_.emplace_back(answer->rule, name);
    if (!answer->error.empty()) {
      Refuse(name, options_.rules[answer->rule].to, answer->error, site, DiagnosticKind::kInputTooLarge);
    } else if (answer->name.empty()) {
      Refuse(name, answer->name, "a name must have at least one character", site, DiagnosticKind::kNameMissing);
    }
    if (answer->name == name) return std::nullopt;
    return std::move(answer->name);
  }

  void RequireFits() {
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      const RenameRule& rule = options_.rules[i];
      if (fits_[i].empty()) {
        ReportNoFit(i);
      } else if (options_.kinds.empty() && fits_[i].size() > 1) {
        std::vector<std::string_view> kinds;
        for (const NameKind kind : fits_[i]) kinds.push_back(kNameKinds[static_cast<std::size_t>(kind)]);
        Refuse(rule.from, rule.to,
               fmt::format("there are {} with this name; select one kind with --only", fmt::join(kinds, " and ")),
               edit::kNoName);
      }
    }
  }

  /// For a pattern that applies to no name: if an earlier pattern applies to a name that this pattern also matches,
  /// returns the end of the message that says so, otherwise "".
  [[nodiscard]] std::string WhyNotLeft(std::size_t rule) const {
    const auto is_earlier = [&](const auto& taken) { return taken.first < rule && rules_.Matches(rule, taken.second); };
    const auto taken = options_.regex ? std::ranges::find_if(taken_, is_earlier) : taken_.end();
    if (taken == taken_.end()) return "";
    return fmt::format(" after the earlier pattern '{}', which matches '{}' too",
                       Quoted(options_.rules[taken->first].from), Quoted(taken->second));
  }

  void ReportNoFit(std::size_t index) {
    const RenameRule& rule = options_.rules[index];
    std::vector<std::string_view> kinds;
    for (const NameKind kind : options_.kinds) kinds.push_back(kOneOfTheKind[static_cast<std::size_t>(kind)]);
    if (kinds.empty()) kinds = {"name"};
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere,
                       fmt::format("the model has no {}{} '{}'{}", fmt::join(kinds, " or "),
                                   options_.regex ? " that matches" : "", Quoted(rule.from), WhyNotLeft(index)));
    constexpr std::size_t kMostSuggestions = 20;  // each compares all names; people see one of many findings of a kind
    if (!options_.regex && found_.items().size() < kMostSuggestions) {
      diagnostic.message += Suggestion(rule.from, MeantName(rule.from, {left_.begin(), left_.end()}));
    }
    found_.Add(std::move(diagnostic));
  }

  void Refuse(std::string_view from, std::string_view to, std::string_view why, edit::NameId site,
              DiagnosticKind kind = DiagnosticKind::kDuplicateName) {
    constexpr std::size_t kMost = 20;
    if (found_.items().size() >= kMost) return;
    Diagnostic diagnostic = MakeDiagnostic(kind, Severity::kError, kNowhere,
                                           fmt::format("'{}' cannot become '{}': {}", Quoted(from), Quoted(to), why));
    if (site != edit::kNoName) locate_(site, &diagnostic);
    found_.Add(std::move(diagnostic));
  }

  static constexpr std::size_t kMostNames = 100'000;  // names that are compared to find a similar one

  const edit::Names& names_;
  const RenameOptions& options_;
  std::function<void(edit::NameId, Diagnostic*)> locate_;
  Diagnostics found_;
  edit::Rules rules_;
  std::vector<std::set<NameKind>> fits_;                    // the kinds of names that each rule matches
  std::vector<std::string> left_;                           // names that no rule matches
  std::vector<std::pair<std::size_t, std::string>> taken_;  // pairs of a rule and a name to which it applies
  edit::NewNames new_names_;
};

std::string Applied(std::string_view text, const std::vector<FixIt>& edits) {
  std::string renamed;
  renamed.reserve(text.size());
  std::size_t at = 0;
  for (const FixIt& edit : edits) {
    renamed.append(text.substr(at, edit.range.begin - at)).append(edit.replacement);
    at = edit.range.end;
  }
  return renamed.append(text.substr(at));
}

}  // namespace

RenameResult RenameText(std::string_view text, const RenameOptions& options) {
  PartialModel parsed = ParsePartial(text);
  if (!parsed.diagnostics.ok()) return {{}, std::move(parsed.diagnostics)};
  const edit::TextNames names(text, parsed);
  Renaming renaming(names.names(), options,
                    [&](edit::NameId id, Diagnostic* diagnostic) { diagnostic->range = names.PlaceOf(id); });
  std::vector<FixIt> edits;
  if (const edit::NewNames* const new_names = renaming.Run()) {
    std::optional<edit::Refusal> refusal;
    edits = names.Edits(*new_names, &refusal);
    if (refusal) renaming.Refuse(*refusal);
  }
  Diagnostics found = std::move(parsed.diagnostics);
  found.Append(std::move(renaming.found()));
  return {found.ok() ? Applied(text, edits) : "", std::move(found)};
}

Diagnostics Rename(onnx::ModelProto* model, const RenameOptions& options) {
  Diagnostics found = wire::CheckNesting(*model);
  if (!found.ok()) return found;
  const edit::Names names(*model);
  Renaming renaming(names, options, [&](edit::NameId id, Diagnostic* diagnostic) {
    const edit::NameSite& site = names.sites()[id];
    diagnostic->path = edit::PathTo({*site.message, site.field->number(), site.index}, Place{*model});
  });
  if (const edit::NewNames* const new_names = renaming.Run()) edit::Rename(names, *new_names);
  return std::move(renaming.found());
}

}  // namespace onnxc
