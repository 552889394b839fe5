// The values that the nodes of the main graph give, for clients that run the model.
#pragma once

#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

inline constexpr std::string_view kListValues = "onnxc.listValues";

/// The command: `{"uri": ..., "position": ...}`; with "node": true only the results of the node of the main graph at
/// the position. The result is a list of `{"name": ..., "range": its definition, "node": the range of the node}`; with
/// "inside": true where the position is in a graph inside of that node.
[[nodiscard]] Json ListValues(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
