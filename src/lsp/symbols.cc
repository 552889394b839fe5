// textDocument/documentSymbol: graphs and functions, their inputs, weights and nodes
#include <fmt/format.h>

#include <string>
#include <vector>

#include "lsp/methods.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

// SymbolKind of the protocol
constexpr int kModule = 2;
constexpr int kNamespace = 3;
constexpr int kFunction = 12;
constexpr int kVariable = 13;
constexpr int kConstant = 14;
constexpr int kOperator = 25;

/// The outline of a document: what is inside of a node is below it.
class Outline {
 public:
  explicit Outline(const Snapshot& snapshot)
      : snapshot_(snapshot),
        symbols_(snapshot.symbols()),
        nodes_of_(symbols_.scopes().size()),
        values_of_(symbols_.scopes().size()),
        graphs_of_(symbols_.nodes().size()) {
    for (SymbolId node = 0; node < symbols_.nodes().size(); ++node) {
      nodes_of_[symbols_.nodes()[node].scope].push_back(node);
    }
    for (SymbolId scope = 0; scope < symbols_.scopes().size(); ++scope) {
      const SymbolId node = symbols_.scopes()[scope].node;
      if (node != kNoSymbol) graphs_of_[node].push_back(scope);
    }
    for (const Symbol& symbol : symbols_.symbols()) {
      if (symbol.kind == SymbolKind::kValue && symbol.definition != kNoSymbol) {
        values_of_[symbol.scope].push_back(symbol.definition);
      }
    }
  }

  Json Make() const {
    Json list = Json::array();
    for (SymbolId scope = 0; scope < symbols_.scopes().size(); ++scope) {
      if (symbols_.scopes()[scope].parent == kNoSymbol) list.push_back(ScopeSymbol(scope));
    }
    return list;
  }

 private:
  [[nodiscard]] Json Entry(std::string_view name, int kind, SourceRange range, SourceRange selection) const {
    return {{"name", name.empty() ? "(no name)" : Quoted(name)},
            {"kind", kind},
            {"range", snapshot_.RangeOf(range)},
            {"selectionRange", snapshot_.RangeOf(selection)}};
  }

  [[nodiscard]] Json ScopeSymbol(SymbolId id) const {
    const TextScope& scope = symbols_.scopes()[id];
    const bool is_function = scope.kind == TextScope::Kind::kFunction;
    const int kind = is_function ? kFunction : scope.kind == TextScope::Kind::kGraph ? kModule : kNamespace;
    Json entry = Entry(scope.name, kind, scope.range, scope.name_range);
    Json children = Json::array();
    for (const SymbolId value : values_of_[id]) {
      const Occurrence& occurrence = symbols_.occurrences()[value];
      if (symbols_.NodeAt(occurrence.range.begin) != scope.node) continue;  // the output of a node
      const bool is_input = std::ranges::binary_search(scope.inputs, value);
      children.push_back(Entry(symbols_.symbols()[occurrence.symbol].name, is_input ? kVariable : kConstant,
                               occurrence.range, occurrence.range));
    }
    for (const SymbolId node : nodes_of_[id]) children.push_back(NodeSymbol(node));
    entry["children"] = std::move(children);
    return entry;
  }

  [[nodiscard]] Json NodeSymbol(SymbolId id) const {
    const TextNode& node = symbols_.nodes()[id];
    std::string name(snapshot_.TextOf(node.label));
    std::string_view first_output;
    if (node.outputs > 0 && symbols_.OutputsOf(node)[0] != kNoSymbol) {
      first_output = snapshot_.TextOf(symbols_.occurrences()[symbols_.OutputsOf(node)[0]].range);
    }
    const Symbol* const op = symbols_.OperatorOf(node);
    const std::string_view called = op == nullptr ? std::string_view() : op->name;
    if (name.empty()) name = first_output.empty() ? called : first_output;
    const SourceRange selection = op == nullptr ? SourceRange{node.range.begin, node.range.begin} : node.operator_range;
    Json entry = Entry(name, kOperator, node.range, selection);
    entry["detail"] = Quoted(called);
    for (const SymbolId graph : graphs_of_[id]) entry["children"].push_back(ScopeSymbol(graph));
    return entry;
  }

  const Snapshot& snapshot_;
  const SymbolIndex& symbols_;
  std::vector<std::vector<SymbolId>> nodes_of_;   // by scope
  std::vector<std::vector<SymbolId>> values_of_;  // by scope: occurrences that define values
  std::vector<std::vector<SymbolId>> graphs_of_;  // by node: subgraphs
};

/// A tree as a list of SymbolInformation: each symbol tells what is around it.
void Flatten(const Json& tree, const std::string& around, const std::string& uri, Json* list) {
  for (const Json& symbol : tree) {
    Json flat = {
        {"name", symbol["name"]}, {"kind", symbol["kind"]}, {"location", {{"uri", uri}, {"range", symbol["range"]}}}};
    if (!around.empty()) flat["containerName"] = around;
    list->push_back(std::move(flat));
    if (symbol.contains("children")) Flatten(symbol["children"], symbol["name"], uri, list);
  }
}

}  // namespace

Json DocumentSymbols(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  Json tree = Outline(*snapshot).Make();
  if (workspace.client.nested_symbols) return tree;
  Json list = Json::array();
  Flatten(tree, "", snapshot->uri(), &list);
  return list;
}

}  // namespace onnxc::lsp
