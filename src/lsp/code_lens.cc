// textDocument/codeLens: how much is in a graph or function, and how often a function is called
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lsp/methods.h"
#include "source/words.h"

namespace onnxc::lsp {
namespace {

/// A lens without a command of its own: it only tells.
Json Lens(SourceRange place, const std::string& title, const Snapshot& snapshot) {
  return {{"range", snapshot.RangeOf(place)}, {"command", {{"title", title}, {"command", ""}}}};
}

/// How many elements the initializers of the model's graph have.
std::int64_t CountParameters(const onnx::GraphProto& graph) {
  std::int64_t sum = 0;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    std::int64_t elements = 1;
    for (const std::int64_t size : tensor.dims()) {
      if (size < 0 || __builtin_mul_overflow(elements, size, &elements)) return -1;
    }
    if (__builtin_add_overflow(sum, elements, &sum)) return -1;
  }
  return sum;
}

}  // namespace

Json CodeLenses(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  Json lenses = Json::array();
  if (!snapshot->options().code_lenses) return lenses;
  const SymbolIndex& symbols = snapshot->symbols();
  std::vector<std::size_t> nodes(symbols.scopes().size());
  for (const TextNode& node : symbols.nodes()) ++nodes[symbols.ItemOf(node.scope)];
  for (SymbolId id = 0; id < symbols.scopes().size(); ++id) {
    const TextScope& scope = symbols.scopes()[id];
    if (scope.parent != kNoSymbol) continue;
    lenses.push_back(Lens(scope.name_range, Counted(nodes[id], "node"), *snapshot));
    if (scope.symbol != kNoSymbol) {
      const auto calls = std::ranges::count_if(symbols.OccurrencesOf(scope.symbol),
                                               [](const Occurrence* name) { return !name->is_definition; });
      lenses.push_back(Lens(scope.name_range, Counted(static_cast<std::size_t>(calls), "call"), *snapshot));
    } else if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(snapshot->parsed().messages[id])) {
      const std::int64_t count = CountParameters(*graph);
      if (count >= 0) {
        lenses.push_back(Lens(scope.name_range, Counted(static_cast<std::size_t>(count), "parameter"), *snapshot));
      }
    }
  }
  return lenses;
}

}  // namespace onnxc::lsp
