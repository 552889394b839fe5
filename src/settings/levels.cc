#include "settings/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "settings/filtered.h"
#include "source/affixes.h"
#include "source/report.h"

namespace onnxc {
namespace {

std::string UnknownKind(std::string_view name) {
  std::vector<std::string_view> names = {"all"};
  for (const DiagnosticKind kind : AllDiagnosticKinds()) names.push_back(Name(kind));
  return fmt::format("unknown kind of finding '{}'{}", Quoted(name), MeantKind(Nearest(name, names)));
}

/// Returns the settings for the kind of this name. If there is no such kind or it cannot have settings, returns null
/// and sets `*wrong` to the reason.
Level* FindLevel(Levels* levels, std::string_view name, std::optional<std::string>* wrong) {
  if (name == "all") return &levels->all;
  const std::optional<DiagnosticKind> kind = FindDiagnosticKind(name);
  if (!kind || *kind == kUserFinding) {
    *wrong = UnknownKind(name);
  } else if (Info(*kind).severity == Severity::kError) {
    *wrong = fmt::format("'{}' is an error, not a warning, so its level cannot be changed", name);
  } else {
    return &levels->kinds[*kind];
  }
  return nullptr;
}

/// Returns the value of `member` for the kind: the value in the first element of `settings` that specifies it for the
/// kind or for all kinds, or `otherwise` if no element does.
bool Resolve(std::span<const Levels* const> settings, DiagnosticKind kind, std::optional<bool> Level::*member,
             bool otherwise) {
  for (const Levels* levels : settings) {
    const auto own = levels->kinds.find(kind);
    if (own != levels->kinds.end() && own->second.*member) return *(own->second.*member);
    if (levels->all.*member) return *(levels->all.*member);
  }
  return otherwise;
}

}  // namespace

std::vector<std::string_view> KindsWithLevels() {
  std::vector<std::string_view> words = {"all"};
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    if (kind != kUserFinding && Info(kind).severity != Severity::kError) words.push_back(Name(kind));
  }
  return words;
}

std::string MeantKind(std::string_view near) {
  return near.empty() ? "; see 'onnxc explain --list'" : fmt::format("; did you mean '{}'?", near);
}

std::optional<std::string> Levels::SetOption(std::string_view option) {
  std::optional<std::string> wrong;
  const std::size_t sign = option.find('=');
  const std::string_view kind = option.substr(0, sign);
  if (sign != std::string_view::npos && kind != "error" && kind != "no-error") {
    return SetWord(kind, option.substr(sign + 1));
  }
  const bool is_negated = RemovePrefix("no-", &option);
  const bool is_about_errors = option == "error" || RemovePrefix("error=", &option);
  if (option == "error") option = "all";
  Level* level = FindLevel(this, option, &wrong);
  if (level == nullptr) return wrong;
  if (is_about_errors) {
    level->is_error = !is_negated;
    if (!is_negated && level != &all) level->is_shown = true;
  } else {
    level->is_shown = !is_negated;
  }
  return std::nullopt;
}

std::optional<std::string> Levels::SetWord(std::string_view kind, std::string_view word) {
  const bool is_shown = word != "off";
  const bool is_error = word == "error";
  if (is_shown && !is_error && word != "warning") {
    const std::string_view near = Nearest(word, {"off", "warning", "error"});
    return fmt::format("'{}' is not \"off\", \"warning\" or \"error\"{}", Quoted(word),
                       near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }
  std::optional<std::string> wrong;
  if (Level* level = FindLevel(this, kind, &wrong)) *level = {.is_shown = is_shown, .is_error = is_error};
  return wrong;
}

Diagnostics WithLevels(const Diagnostics& diagnostics, std::span<const Levels* const> settings) {
  return Filtered(diagnostics, [&](Diagnostic* item) {
    const bool is_optional = Info(item->kind).is_optional;  // --strict does not turn optional rules on
    if (item->severity == Severity::kError && !is_optional) return true;
    if (!Resolve(settings, item->kind, &Level::is_shown, !is_optional)) return false;
    if (Resolve(settings, item->kind, &Level::is_error, false)) item->severity = Severity::kError;
    return true;
  });
}

}  // namespace onnxc
