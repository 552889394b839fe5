#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "lsp/function_edits.h"
#include "lsp/parts.h"
#include "symbols/spelling.h"
#include "tables/signatures.h"

namespace onnxc::lsp {
namespace {

constexpr std::string_view kDomain = "local";

bool IsIn(SourceRange inner, SourceRange outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

/// Returns the range of the complete nodes inside of `range`. Returns an empty range if they are in different graphs,
/// or if `range` covers only a part of some node.
SourceRange NodesIn(const SymbolIndex& symbols, SourceRange range, SymbolId* scope) {
  SourceRange found;
  for (const TextNode& node : symbols.nodes()) {
    if (IsIn(node.range, found)) continue;  // this node is in a subgraph of the node that was found before it
    if (IsIn(node.range, range)) {
      if (found != SourceRange{} && node.scope != *scope) return {};
      *scope = node.scope;
      found = {found == SourceRange{} ? node.range.begin : found.begin, node.range.end};
    } else if (node.range.begin < range.end && range.begin < node.range.end && !IsIn(range, node.range)) {
      return {};
    }
  }
  return found;
}

/// What a new function with these nodes needs: its inputs and outputs, as the text spells them, and the domains of the
/// nodes' operators.
struct Interface {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::set<std::string_view> domains;
  bool has_references = false;  ///< the nodes refer to attributes of the enclosing function
};

Interface InterfaceOf(const Snapshot& snapshot, SourceRange nodes, SymbolId item) {
  const SymbolIndex& symbols = snapshot.symbols();
  Interface found;
  std::set<SymbolId> seen;
  for (const Occurrence& occurrence : symbols.occurrences()) {
    if (!IsIn(occurrence.range, nodes)) continue;
    const Symbol& symbol = symbols.symbols()[occurrence.symbol];
    if (symbol.kind == SymbolKind::kOperator || symbol.kind == SymbolKind::kFunction) {
      found.domains.insert(NodeDomain(symbol.domain));
    }
    found.has_references |= IsReference(symbols, occurrence, item);
    if (symbol.kind != SymbolKind::kValue || !seen.insert(occurrence.symbol).second) continue;
    const auto all = symbols.OccurrencesOf(occurrence.symbol);
    const bool is_own = std::ranges::any_of(
        all, [&](const Occurrence* other) { return other->is_definition && IsIn(other->range, nodes); });
    const bool is_shared =
        std::ranges::any_of(all, [&](const Occurrence* other) { return !IsIn(other->range, nodes); });
    if (!is_own) found.inputs.push_back(Spelled(symbol.name));
    if (is_own && is_shared) found.outputs.push_back(Spelled(symbol.name));
  }
  return found;
}

/// Returns a name that is different from the names of all functions of the domain `local`.
std::string FreshName(const SymbolIndex& symbols) {
  std::set<std::string_view> taken;
  for (const Symbol& symbol : symbols.symbols()) {
    if (symbol.kind == SymbolKind::kFunction && symbol.domain == kDomain) taken.insert(symbol.name);
  }
  std::string name = "extracted";
  for (int i = 1; taken.contains(name); ++i) name = fmt::format("extracted_{}", i);
  return name;
}

/// Adds an import of the new function's domain to the header of a graph or function, unless the header already has this
/// import.
void AddImport(const TextScope& item, std::vector<FixIt>* edits) {
  if (item.imports.empty() || std::ranges::count(item.imports, kDomain, &TextImport::domain) > 0) return;
  const std::size_t end = item.imports.back().range.end;
  edits->push_back({{end, end}, fmt::format(", \"{}\" : 1", kDomain)});
}

/// Returns where the comment lines directly before the offset begin, or the offset if there are none.
std::size_t BeginWithComments(const Snapshot& snapshot, std::size_t offset) {
  const Lines& lines = snapshot.lines();
  for (std::size_t line = lines.LineOf(offset); line > 0; --line) {
    const std::string_view before = snapshot.TextOf(lines.RangeOf(line - 1));
    const std::size_t first = before.find_first_not_of(" \t");
    const bool is_comment = first != std::string_view::npos && before[first] == '#';
    if (!is_comment || HasPragma(snapshot, lines.RangeOf(line - 1))) break;
    offset = lines.BeginOf(line - 1);
  }
  return offset;
}

}  // namespace

std::vector<FixIt> ExtractFunction(const Snapshot& snapshot, SourceRange range) {
  const SymbolIndex& symbols = snapshot.symbols();
  SymbolId scope = kNoSymbol;
  const SourceRange nodes = NodesIn(symbols, range, &scope);
  if (nodes == SourceRange{} || scope == kNoSymbol || HasRecord(snapshot, nodes)) return {};
  constexpr std::int64_t kFirstIrVersion = 8;  // the first IR version that has functions
  if (snapshot.parsed().model->ir_version() < kFirstIrVersion) return {};
  const SymbolId item = symbols.ItemOf(scope);
  const Interface found = InterfaceOf(snapshot, nodes, item);
  const TextScope& around = symbols.scopes()[item];
  if (found.has_references || found.outputs.empty() || around.imports.empty()) return {};
  std::vector<std::string_view> needed;
  for (const TextImport& import : around.imports) {
    if (found.domains.contains(NodeDomain(import.domain))) needed.push_back(snapshot.TextOf(import.range));
  }
  const std::string name = FreshName(symbols);
  const std::string inputs = fmt::format("{}", fmt::join(found.inputs, ", "));
  const std::string outputs = fmt::format("{}", fmt::join(found.outputs, ", "));
  std::vector<FixIt> edits;
  if (item != 0) AddImport(symbols.scopes()[0], &edits);  // the model must import the domains that its functions import
  AddImport(around, &edits);
  edits.push_back({nodes, fmt::format("{} = {}.{} ({})", outputs, kDomain, name, inputs)});
  const std::string function =
      fmt::format("<domain: \"{}\", opset_import: [{}]>\n{} ({}) => ({}) {{\n   {}\n}}\n", kDomain,
                  fmt::join(needed, ", "), name, inputs, outputs, snapshot.TextOf(nodes));
  // A function must precede its callers, because the reference evaluator of the onnx package requires that order.
  if (around.kind == TextScope::Kind::kFunction) {
    const std::size_t begin = BeginWithComments(snapshot, around.range.begin);
    edits.push_back({{begin, begin}, function + "\n"});
  } else {
    const std::size_t end = snapshot.text().size();
    edits.push_back({{end, end}, (snapshot.text().ends_with('\n') ? "" : "\n") + function});
  }
  std::ranges::stable_sort(edits, {}, [](const FixIt& edit) { return edit.range.begin; });
  return edits;
}

}  // namespace onnxc::lsp
