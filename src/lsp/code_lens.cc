// Handles textDocument/codeLens: the sizes of graphs and functions, and the number of calls of each function.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/methods.h"
#include "lsp/target.h"
#include "source/words.h"

namespace onnxc::lsp {
namespace {

/// Returns a code lens that shows a title. A click on the lens runs `command`; if `command` is empty, a click does
/// nothing.
Json Lens(SourceRange place, const std::string& title, const Snapshot& snapshot, std::string_view command = {},
          Json arguments = {}) {
  Json lens = {{"range", snapshot.RangeOf(place)}, {"command", {{"title", title}, {"command", command}}}};
  if (!command.empty()) lens["command"]["arguments"] = std::move(arguments);
  return lens;
}

/// Returns a code lens that shows the number of nodes. A click on it shows a drawing of the graph.
Json LensOfNodes(SourceRange name, std::size_t nodes, const Snapshot& snapshot, const Client& client) {
  const std::string_view command = client.shows_graphs ? kShowGraph : std::string_view();
  const Json place = {{"uri", snapshot.uri()}, {"position", snapshot.PositionAt(name.begin)}};
  return Lens(name, Counted(static_cast<std::int64_t>(nodes), "node"), snapshot, command, Json::array({place}));
}

/// Returns a code lens that shows the number of calls. A click on the lens lists the calls. The arguments of the lens's
/// command are the URI of the document, the position of the lens, and the places of the calls.
Json LensOfCalls(const TextScope& function, const Snapshot& snapshot, const Client& client) {
  constexpr std::int64_t kMost = 1000;  // the maximum number of places that one lens lists
  Json calls = Json::array();
  std::int64_t count = 0;
  for (const Occurrence* const name : snapshot.symbols().OccurrencesOf(function.symbol)) {
    if (name->is_definition) continue;
    if (++count <= kMost && client.shows_references) calls.push_back(LocationOf(name->range, snapshot));
  }
  const std::string_view command = client.shows_references && count > 0 ? kShowReferences : std::string_view();
  return Lens(function.name_range, Counted(count, "call"), snapshot, command,
              Json::array({snapshot.uri(), snapshot.PositionAt(function.name_range.begin), std::move(calls)}));
}

/// Returns the total number of elements of the initializers of the model's graph.
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
    lenses.push_back(LensOfNodes(scope.name_range, nodes[id], *snapshot, workspace.client));
    if (scope.symbol != kNoSymbol) {
      lenses.push_back(LensOfCalls(scope, *snapshot, workspace.client));
    } else if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(snapshot->parsed().messages[id])) {
      const std::int64_t count = CountParameters(*graph);
      if (count >= 0) {
        lenses.push_back(Lens(scope.name_range, Counted(count, "parameter"), *snapshot));
      }
    }
  }
  return lenses;
}

}  // namespace onnxc::lsp
