// Lists the values that the nodes of the main graph compute, for clients that run the model.
#pragma once

#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

inline constexpr std::string_view kListValues = "onnxc.listValues";

/// Executes the command with the argument `{"uri": ..., "position": ...}`. With "node": true, lists only the outputs of
/// one node: the node of the main graph that contains the position. The result is a list of `{"name": ..., "range": the
/// place of the value's definition, "node": the range of the node}`. With "node": true, the elements also have
/// "inside": true if the position is in a subgraph of the node.
[[nodiscard]] Json ListValues(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
