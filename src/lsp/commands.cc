// workspace/executeCommand: the picture of a graph, with the places of its nodes; weights to a file
#include <fmt/format.h>
#include <onnxc/graphviz.h>

#include <string>

#include "draw/drawn_nodes.h"
#include "lsp/methods.h"
#include "lsp/move_weights.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// `{"title": ..., "dot": a text for Graphviz, "nodes": {"n12": the range of a node}}` of the graph, function or
/// subgraph at a position; null where nothing can be read of it.
Json ShowGraph(const Workspace& workspace, const Json& place) {
  const auto snapshot = workspace.OpenAt(StringMember(place, "uri"));
  const PartialModel& read = snapshot->parsed();
  SymbolId scope = read.symbols.ScopeAt(snapshot->OffsetOf(Member(place, "position")));
  if (scope == kNoSymbol && !read.symbols.scopes().empty()) scope = 0;
  if (scope == kNoSymbol || read.messages[scope] == nullptr) return nullptr;
  DrawnNodes drawn;
  std::string dot;
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(read.messages[scope])) dot = DrawDot(*graph, &drawn);
  if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(read.messages[scope])) {
    dot = DrawDot(*function, &drawn);
  }
  Json nodes = Json::object();
  for (const auto& [node, name] : drawn) {
    if (const SourceRange* const range = read.places.Find(*node)) nodes[name] = snapshot->RangeOf(*range);
  }
  return {{"title", fmt::format("Picture of {}", Quoted(read.symbols.scopes()[scope].name))},
          {"dot", std::move(dot)},
          {"nodes", std::move(nodes)}};
}

}  // namespace

Json ExecuteCommand(Workspace& workspace, const Json& params) {
  const std::string command = StringMember(params, "command");
  const Json& arguments = Optional(params, "/arguments");
  if (command != kShowGraph && command != kMoveWeights) {
    throw RequestError(ErrorCode::kInvalidParams, fmt::format("unknown command '{}'", Quoted(command)));
  }
  if (!arguments.is_array() || arguments.empty()) {
    throw RequestError(ErrorCode::kInvalidParams, "the command needs the URI of a document and a position");
  }
  return command == kMoveWeights ? MoveWeights(workspace, arguments.front()) : ShowGraph(workspace, arguments.front());
}

}  // namespace onnxc::lsp
