// Handles textDocument/codeAction: the fix-its of findings, and changes that keep the meaning of the text.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "lsp/diagnostics.h"
#include "lsp/edits.h"
#include "lsp/methods.h"
#include "lsp/move_weights.h"
#include "lsp/refactorings.h"
#include "lsp/removals.h"
#include "source/corrections.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

constexpr std::string_view kFixAll = "source.fixAll.onnxc";
constexpr std::string_view kRemoveUnused = "source.removeUnused.onnxc";

/// Returns whether the client wants code actions of this kind. A client that lists no kinds wants all of them.
bool IsWanted(const Json& params, std::string_view kind) {
  const Json& only = Optional(params, "/context/only");
  if (!only.is_array()) return true;
  for (const Json& wanted : only) {
    if (!wanted.is_string()) continue;
    const std::string prefix = wanted.get<std::string>();
    if (kind == prefix || prefix.empty() || kind.starts_with(prefix + ".")) return true;
  }
  return false;
}

bool Meet(SourceRange a, SourceRange b) { return a.begin <= b.end && b.begin <= a.end; }

std::string TitleOf(const Diagnostic& finding, const Snapshot& snapshot) {
  constexpr std::size_t kShort = 60;  // bytes
  if (finding.fix_its.size() == 1) {
    const FixIt& fix_it = finding.fix_its.front();
    const std::string_view old = snapshot.TextOf(fix_it.range);
    const bool is_short = old.size() < kShort && fix_it.replacement.size() < kShort;
    if (is_short && old.empty()) return fmt::format("Insert '{}'", Quoted(fix_it.replacement));
    if (is_short && fix_it.replacement.empty()) return fmt::format("Remove '{}'", Quoted(old));
    if (is_short) return fmt::format("Replace '{}' with '{}'", Quoted(old), Quoted(fix_it.replacement));
  }
  return fmt::format("Correct: {}", finding.message);
}

void AddFixes(const Snapshot& snapshot, SourceRange range, const Client& client, Json* actions) {
  for (const Diagnostic& finding : snapshot.findings().items()) {
    if (finding.fix_its.empty()) continue;
    bool is_near = finding.path.empty() && Meet(finding.range, range);
    for (const FixIt& fix_it : finding.fix_its) is_near = is_near || Meet(fix_it.range, range);
    if (!is_near) continue;
    actions->push_back({{"title", TitleOf(finding, snapshot)},
                        {"kind", "quickfix"},
                        {"isPreferred", true},
                        {"diagnostics", {DiagnosticOf(finding, snapshot, client)}},
                        {"edit", WorkspaceEditOf(finding.fix_its, snapshot, client)}});
  }
}

/// Each removal is tried by an analysis of the text without it, so only the first ones in the range are offered.
void AddRemovals(const Snapshot& snapshot, SourceRange range, const Client& client, Json* actions) {
  constexpr int kMostTried = 20;
  int tried = 0;
  for (const Diagnostic& finding : snapshot.findings().items()) {
    if (!finding.path.empty() || !Meet(finding.range, range)) continue;
    const std::vector<FixIt> removal = RemovalOf(finding, snapshot);
    Diagnostic change;
    change.fix_its = removal;
    if (removal.empty()) continue;
    if (tried++ == kMostTried) return;
    if (!IsAsRight(*snapshot.WithText(ApplyCorrections(snapshot.text(), {&change, 1}).text), snapshot)) continue;
    actions->push_back({{"title", fmt::format("Remove '{}'", Quoted(snapshot.TextOf(finding.range)))},
                        {"kind", "quickfix"},
                        {"diagnostics", {DiagnosticOf(finding, snapshot, client)}},
                        {"edit", WorkspaceEditOf(removal, snapshot, client)}});
  }
}

/// Adds an action that replaces the whole document by `text`, unless the two are equal.
void AddForAll(std::string_view title, std::string_view kind, std::string_view text, const Snapshot& snapshot,
               const Client& client, Json* actions) {
  const std::vector<FixIt> edits = DifferenceOf(snapshot.text(), text);
  if (edits.empty()) return;
  actions->push_back({{"title", title}, {"kind", kind}, {"edit", WorkspaceEditOf(edits, snapshot, client)}});
}

bool HasFixes(const Snapshot& snapshot) {
  for (const Diagnostic& finding : snapshot.findings().items()) {
    if (!finding.fix_its.empty()) return true;
  }
  return false;
}

bool HasRemovals(const Snapshot& snapshot) {
  return std::ranges::any_of(snapshot.findings().items(),
                             [&](const Diagnostic& finding) { return !RemovalOf(finding, snapshot).empty(); });
}

}  // namespace

Json CodeActions(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const SourceRange range = snapshot->SourceRangeOf(Member(params, "range"));
  Json actions = Json::array();
  if (IsWanted(params, "quickfix")) {
    AddFixes(*snapshot, range, workspace.client, &actions);
    AddRemovals(*snapshot, range, workspace.client, &actions);
  }
  if (IsWanted(params, kFixAll) && HasFixes(*snapshot)) {
    AddForAll("Make all corrections", kFixAll, snapshot->Corrected(), *snapshot, workspace.client, &actions);
  }
  if (IsWanted(params, kRemoveUnused) && HasRemovals(*snapshot)) {
    AddForAll("Remove all that is unused", kRemoveUnused, WithoutUnused(*snapshot), *snapshot, workspace.client,
              &actions);
  }
  for (const Refactoring& refactoring : RefactoringsIn(*snapshot, range)) {
    if (!IsWanted(params, refactoring.kind)) continue;
    actions.push_back({{"title", refactoring.title},
                       {"kind", refactoring.kind},
                       {"edit", WorkspaceEditOf(refactoring.edits, *snapshot, workspace.client)}});
  }
  Json move =
      IsWanted(params, "refactor.extract") ? MoveWeightsAction(*snapshot, range.begin, workspace.client) : Json();
  if (!move.is_null()) actions.push_back(std::move(move));
  return actions;
}

}  // namespace onnxc::lsp
