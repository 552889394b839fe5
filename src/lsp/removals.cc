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
#include "symbols/tokens.h"

namespace onnxc::lsp {
namespace {

/// Returns the import at the offset, and sets `*scope` to the scope whose header contains the import. Returns null if
/// there is no import.
const TextImport* ImportAt(const SymbolIndex& symbols, std::size_t offset, const TextScope** scope) {
  const SymbolId item = symbols.ItemOf(symbols.ScopeAt(offset));
  if (item == kNoSymbol) return nullptr;
  *scope = &symbols.scopes()[item];
  const auto& imports = (*scope)->imports;
  const auto found = std::ranges::find_if(
      imports, [&](const TextImport& import) { return import.range.begin <= offset && offset < import.range.end; });
  return found == imports.end() ? nullptr : &*found;
}

/// Returns the list entry that declares the type of a value. `name` is the range of the value's name in the entry.
SourceRange ValueInfoAt(SourceRange name, const Snapshot& snapshot) {
  const PartialModel& read = snapshot.parsed();
  const SymbolId scope = read.symbols.ScopeAt(name.begin);
  const auto find = [&](const auto& values) -> SourceRange {
    for (const onnx::ValueInfoProto& value : values) {
      const SourceRange* const at = read.places.Find(value, onnx::ValueInfoProto::kNameFieldNumber);
      const SourceRange* const entry = read.places.Find(value);
      if (at == nullptr || entry == nullptr || *at != name || *entry == name) continue;
      const bool is_whole = !HasComment(snapshot, *entry) && !HasRecord(snapshot, *entry);
      return is_whole ? EntryOfList(snapshot, read.symbols.scopes()[scope], *entry) : SourceRange{};
    }
    return {};
  };
  const auto* const message = scope == kNoSymbol ? nullptr : read.messages[scope];
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message)) return find(graph->value_info());
  const auto* const function = dynamic_cast<const onnx::FunctionProto*>(message);
  return function == nullptr ? SourceRange{} : find(function->value_info());
}

/// Returns the range of the node at the offset. Returns an empty range if the node contains a comment, which would be
/// lost.
SourceRange NodeToRemove(std::size_t offset, const Snapshot& snapshot) {
  const SymbolId id = snapshot.symbols().NodeAt(offset);
  if (id == kNoSymbol || !snapshot.symbols().nodes()[id].is_whole) return {};
  const SourceRange range = snapshot.symbols().nodes()[id].range;
  return HasComment(snapshot, range) ? SourceRange{} : WithLines(snapshot, range);
}

/// Returns the range of the attribute at the offset and of the comma that belongs to it. If the node has no other
/// attribute, returns the range of the whole list with its brackets.
SourceRange AttributeToRemove(std::size_t offset, const Snapshot& snapshot) {
  const SymbolIndex& symbols = snapshot.symbols();
  const SymbolId id = symbols.NodeAt(offset);
  if (id == kNoSymbol) return {};
  const TextNode& node = symbols.nodes()[id];
  for (const TextAttribute& attribute : symbols.AttributesOf(node)) {
    if (offset < attribute.range.begin || offset >= attribute.range.end) continue;
    if (node.attributes > 1) return EntryWithComma(snapshot, node.range, attribute.range);
    const std::vector<TextToken> tokens = TokensIn(snapshot.text(), {attribute.range.end, node.range.end});
    const std::size_t open = snapshot.text().rfind('<', attribute.range.begin);
    if (tokens.size() < 2 || open == std::string_view::npos) return {};
    const SourceRange list = {open, tokens[1].range.begin};
    return HasComment(snapshot, list) ? SourceRange{} : list;
  }
  return {};
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
  const bool is_type =
      finding.kind == DiagnosticKind::kUnknownValueInfo || finding.kind == DiagnosticKind::kRepeatedValueInfo;
  if (is_type) return ValueInfoAt(finding.range, snapshot);
  if (finding.kind == DiagnosticKind::kUnusedValue) return NodeToRemove(offset, snapshot);
  if (finding.kind == DiagnosticKind::kCallAttribute) return AttributeToRemove(offset, snapshot);
  return {};
}

/// Identifies an import independently of its place in the text: by the name of the importing graph or function, and the
/// domain.
using ImportName = std::pair<std::string_view, std::string_view>;

/// Returns the import that the finding reports as unused.
std::optional<ImportName> UnusedImportOf(const Diagnostic& finding, const Snapshot& snapshot) {
  if (finding.kind != DiagnosticKind::kUnusedOpsetImport || !finding.path.empty()) return std::nullopt;
  const TextScope* scope = nullptr;
  const TextImport* const import = ImportAt(snapshot.symbols(), finding.range.begin, &scope);
  if (import == nullptr) return std::nullopt;
  return ImportName{scope->name, import->domain};
}

/// Returns the text without the parts that the findings report.
std::string Removed(const Snapshot& snapshot, const std::vector<Diagnostic>& removals) {
  return ApplyCorrections(snapshot.text(), removals).text;
}

/// Returns the findings that report a part that can be removed without a new error. If there are many findings, only
/// the first ones are tried.
std::vector<Diagnostic> OnlyRight(const Snapshot& snapshot, const std::vector<Diagnostic>& removals) {
  constexpr std::size_t kMost = 20;
  std::vector<Diagnostic> right;
  for (std::size_t i = 0; i < std::min(removals.size(), kMost); ++i) {
    if (IsAsRight(*snapshot.WithText(Removed(snapshot, {removals[i]})), snapshot)) right.push_back(removals[i]);
  }
  return right;
}

/// Returns the text without the parts that the wanted findings report. Removes parts in several rounds, because a
/// removal can cause further findings.
template <typename IsWanted>
std::string Without(const Snapshot& snapshot, const IsWanted& is_wanted) {
  constexpr int kMostRounds = 20;  // each round removes the parts that became unused in the round before
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
  if (!finding.path.empty() || snapshot.InLibrary(finding) || !snapshot.parsed().diagnostics.ok()) return {};
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
