// Handles textDocument/documentSymbol: graphs and functions, with their inputs, weights and nodes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lsp/methods.h"
#include "lsp/symbol_kind.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// Writes the outline of a document. Subgraphs are shown below their nodes. The outline can be long, so it is written
/// directly as JSON text: as a tree, or as a list in which each symbol names its container.
class Outline {
 public:
  Outline(const Snapshot& snapshot, bool is_tree)
      : snapshot_(snapshot),
        is_tree_(is_tree),
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

  std::string Make() {
    WriteList([this] {
      for (SymbolId scope = 0; scope < symbols_.scopes().size(); ++scope) {
        if (symbols_.scopes()[scope].parent == kNoSymbol) WriteScope(scope, {});
      }
    });
    return std::move(json_);
  }

 private:
  struct Entry {
    std::string_view name;
    int kind;
    SourceRange range;
    SourceRange selection;
    std::optional<std::string_view> detail = {};
  };

  template <typename Write>
  void WriteList(const Write& write) {
    json_ += '[';
    write();
    json_ += ']';
  }

  /// Writes a symbol. `write_children` writes the symbols below this symbol; it may be null.
  template <typename Write>
  void WriteEntry(const Entry& entry, std::string_view around, const Write& write_children) {
    constexpr bool kHasChildren = !std::is_null_pointer_v<Write>;
    const std::string name = entry.name.empty() ? "(no name)" : Quoted(entry.name);
    if (json_.back() != '[') json_ += ',';
    if (!is_tree_) {
      json_ += '{';
      if (!around.empty()) WriteWord(R"("containerName":)", around);
      fmt::format_to(std::back_inserter(json_), R"({}"kind":{},"location":{{"range":)", around.empty() ? "" : ",",
                     entry.kind);
      WriteRange(entry.range);
      WriteWord(R"(,"uri":)", snapshot_.uri());
      WriteWord(R"(},"name":)", name);
      json_ += '}';
      if constexpr (kHasChildren) write_children(name);
      return;
    }
    json_ += '{';
    if constexpr (kHasChildren) {
      json_ += R"("children":)";
      WriteList([&] { write_children(name); });
      json_ += ',';
    }
    if (entry.detail) {
      WriteWord(R"("detail":)", Quoted(*entry.detail));
      json_ += ',';
    }
    fmt::format_to(std::back_inserter(json_), R"("kind":{})", entry.kind);
    WriteWord(R"(,"name":)", name);
    json_ += R"(,"range":)";
    WriteRange(entry.range);
    json_ += R"(,"selectionRange":)";
    WriteRange(entry.selection);
    json_ += '}';
  }

  void WriteWord(std::string_view key, std::string_view word) {
    json_ += key;
    AppendString(word, &json_);
  }

  void WriteRange(SourceRange range) {
    const LinePosition begin = snapshot_.lines().PositionAt(range.begin);
    const LinePosition end = snapshot_.lines().PositionAt(range.end);
    fmt::format_to(std::back_inserter(json_),
                   R"({{"end":{{"character":{},"line":{}}},"start":{{"character":{},"line":{}}}}})", end.character,
                   end.line, begin.character, begin.line);
  }

  void WriteScope(SymbolId id, std::string_view around) {
    const TextScope& scope = symbols_.scopes()[id];
    const bool is_function = scope.kind == TextScope::Kind::kFunction;
    const int kind = is_function                             ? symbol_kind::kFunction
                     : scope.kind == TextScope::Kind::kGraph ? symbol_kind::kModule
                                                             : symbol_kind::kNamespace;
    WriteEntry({scope.name, kind, scope.range, scope.name_range}, around, [&](std::string_view name) {
      for (const SymbolId value : values_of_[id]) {
        const Occurrence& occurrence = symbols_.occurrences()[value];
        if (symbols_.NodeAt(occurrence.range.begin) != scope.node) continue;  // the value is an output of a node
        const bool is_input = std::ranges::binary_search(scope.inputs, value);
        WriteEntry({symbols_.symbols()[occurrence.symbol].name,
                    is_input ? symbol_kind::kVariable : symbol_kind::kConstant, occurrence.range, occurrence.range},
                   name, nullptr);
      }
      for (const SymbolId node : nodes_of_[id]) WriteNode(node, name);
    });
  }

  void WriteNode(SymbolId id, std::string_view around) {
    const TextNode& node = symbols_.nodes()[id];
    std::string_view name = snapshot_.TextOf(node.label);
    std::string_view first_output;
    if (node.outputs > 0 && symbols_.OutputsOf(node)[0] != kNoSymbol) {
      first_output = snapshot_.TextOf(symbols_.occurrences()[symbols_.OutputsOf(node)[0]].range);
    }
    const Symbol* const op = symbols_.OperatorOf(node);
    const std::string_view called = op == nullptr ? std::string_view() : op->name;
    if (name.empty()) name = first_output.empty() ? called : first_output;
    const SourceRange selection = op == nullptr ? SourceRange{node.range.begin, node.range.begin} : node.operator_range;
    const Entry entry = {name, symbol_kind::kOperator, node.range, selection, called};
    if (graphs_of_[id].empty()) return WriteEntry(entry, around, nullptr);
    WriteEntry(entry, around, [&](std::string_view own) {
      for (const SymbolId graph : graphs_of_[id]) WriteScope(graph, own);
    });
  }

  const Snapshot& snapshot_;
  bool is_tree_;
  std::string json_;
  const SymbolIndex& symbols_;
  std::vector<std::vector<SymbolId>> nodes_of_;   // indexed by scope
  std::vector<std::vector<SymbolId>> values_of_;  // indexed by scope: the occurrences that define values
  std::vector<std::vector<SymbolId>> graphs_of_;  // indexed by node: its subgraphs
};

}  // namespace

std::string DocumentSymbols(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return Outline(*snapshot, workspace.client.nested_symbols).Make();
}

}  // namespace onnxc::lsp
