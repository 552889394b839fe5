// Lists the values that the nodes of the main graph compute, for clients that run the model.
#pragma once

#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

inline constexpr std::string_view kListValues = "onnxc.listValues";

/// Executes the command with the argument `{"uri": ..., "position": ...}`. With "node": true it lists only the outputs
/// of the node of the main graph at the position. The result is a list of `{"name": ..., "range": its definition,
/// "node": the range of the node}`, with "inside": true if the position is in a subgraph of that node.
[[nodiscard]] Json ListValues(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
