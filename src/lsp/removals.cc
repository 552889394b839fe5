#include "lsp/removals.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "lsp/constants.h"
#include "lsp/edits.h"
#include "lsp/parts.h"
#include "source/corrections.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// The import at an offset, and the scope whose header it is in; null where there is none.
const TextImport* ImportAt(const SymbolIndex& symbols, std::size_t offset, const TextScope** scope) {
  const SymbolId item = symbols.ItemOf(symbols.ScopeAt(offset));
  if (item == kNoSymbol) return nullptr;
  *scope = &symbols.scopes()[item];
  const auto& imports = (*scope)->imports;
  const auto found = std::ranges::find_if(
      imports, [&](const TextImport& import) { return import.range.begin <= offset && offset < import.range.end; });
  return found == imports.end() ? nullptr : &*found;
}

SourceRange RangeToRemove(const Diagnostic& finding, const Snapshot& snapshot) {
  const SymbolIndex& symbols = snapshot.symbols();
  const std::size_t offset = finding.range.begin;
  if (finding.kind == DiagnosticKind::kUnusedOpsetImport) {
    const TextScope* scope = nullptr;
    const TextImport* const import = ImportAt(symbols, offset, &scope);
    return import == nullptr ? SourceRange{} : EntryWithComma(snapshot, scope->header, import->range);
  }
  if (finding.kind == DiagnosticKind::kUnusedInitializer) {
    const std::optional<InitializerAt> found = FindInitializer(snapshot, offset);
    const bool is_known = found && !HasComment(snapshot, found->range);
    return is_known ? EntryOfList(snapshot, symbols.scopes()[found->scope], found->range) : SourceRange{};
  }
  if (finding.kind == DiagnosticKind::kUnusedFunction) {
    const SymbolId item = symbols.ItemOf(symbols.ScopeAt(offset));
    if (item == kNoSymbol || HasComment(snapshot, symbols.scopes()[item].range)) return {};
    return WithLines(snapshot, symbols.scopes()[item].range);
  }
  return {};
}

/// An import in words that stay when other parts of the text change: the name of the item, and the domain.
using ImportName = std::pair<std::string_view, std::string_view>;

/// The import that a finding calls unused.
std::optional<ImportName> UnusedImportOf(const Diagnostic& finding, const Snapshot& snapshot) {
  if (finding.kind != DiagnosticKind::kUnusedOpsetImport || !finding.path.empty()) return std::nullopt;
  const TextScope* scope = nullptr;
  const TextImport* const import = ImportAt(snapshot.symbols(), finding.range.begin, &scope);
  if (import == nullptr) return std::nullopt;
  return ImportName{scope->name, import->domain};
}

/// The text without what the findings name.
std::string Removed(const Snapshot& snapshot, const std::vector<Diagnostic>& removals) {
  return ApplyCorrections(snapshot.text(), removals).text;
}

/// The removals that leave no new error each: of the first ones where there are many.
std::vector<Diagnostic> OnlyRight(const Snapshot& snapshot, const std::vector<Diagnostic>& removals) {
  constexpr std::size_t kMost = 20;
  std::vector<Diagnostic> right;
  for (std::size_t i = 0; i < std::min(removals.size(), kMost); ++i) {
    if (IsAsRight(*snapshot.WithText(Removed(snapshot, {removals[i]})), snapshot)) right.push_back(removals[i]);
  }
  return right;
}

/// Removes what the wanted findings name until there are no more of them.
template <typename IsWanted>
std::string Without(const Snapshot& snapshot, const IsWanted& is_wanted) {
  constexpr int kMostRounds = 20;  // what a removal leaves unused is removed in the next round
  std::unique_ptr<const Snapshot> changed;
  const Snapshot* current = &snapshot;
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Diagnostic> removals;
    for (const Diagnostic& finding : current->findings().items()) {
      if (!is_wanted(finding, *current)) continue;
      removals.push_back(finding);
      removals.back().fix_its = RemovalOf(finding, *current);
    }
    std::string text = Removed(*current, removals);
    if (text == current->text()) break;
    auto next = current->WithText(std::move(text));
    if (!IsAsRight(*next, *current)) {
      text = Removed(*current, OnlyRight(*current, removals));
      if (text == current->text()) break;
      next = current->WithText(std::move(text));
      if (!IsAsRight(*next, *current)) break;
    }
    changed = std::move(next);
    current = changed.get();
  }
  return std::string(current->text());
}

}  // namespace

std::vector<FixIt> RemovalOf(const Diagnostic& finding, const Snapshot& snapshot) {
  if (!finding.path.empty() || !snapshot.parsed().diagnostics.ok()) return {};
  const SourceRange range = RangeToRemove(finding, snapshot);
  return range == SourceRange{} ? std::vector<FixIt>() : std::vector<FixIt>{{range, ""}};
}

std::string WithoutUnused(const Snapshot& snapshot) {
  return Without(snapshot, [](const Diagnostic&, const Snapshot&) { return true; });
}

std::string WithoutNewUnusedImports(const Snapshot& changed, const Snapshot& before) {
  std::set<ImportName> old;
  for (const Diagnostic& finding : before.findings().items()) {
    if (const auto import = UnusedImportOf(finding, before)) old.insert(*import);
  }
  return Without(changed, [&](const Diagnostic& finding, const Snapshot& text) {
    const auto import = UnusedImportOf(finding, text);
    return import && !old.contains(*import);
  });
}

}  // namespace onnxc::lsp
