// Handles workspace/executeCommand: draws a graph, lists the values of the main graph, moves weights to a file.
#include <fmt/format.h>

#include <string>

#include "lsp/list_values.h"
#include "lsp/methods.h"
#include "lsp/move_weights.h"
#include "lsp/show_graph.h"
#include "source/report.h"

namespace onnxc::lsp {

Json ExecuteCommand(Workspace& workspace, const Json& params) {
  const std::string command = StringMember(params, "command");
  const Json& arguments = Optional(params, "/arguments");
  if (command != kShowGraph && command != kListValues && command != kMoveWeights) {
    throw RequestError(ErrorCode::kInvalidParams, fmt::format("unknown command '{}'", Quoted(command)));
  }
  if (!arguments.is_array() || arguments.empty()) {
    throw RequestError(ErrorCode::kInvalidParams, "the command needs the URI of a document and a position");
  }
  const Json& place = arguments.front();
  if (command == kShowGraph) return ShowGraph(workspace, place);
  return command == kListValues ? ListValues(workspace, place) : MoveWeights(workspace, place);
}

}  // namespace onnxc::lsp
