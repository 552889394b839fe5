// The data of an initializer move from the text to a file beside it.
#pragma once

#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

inline constexpr std::string_view kMoveWeights = "onnxc.moveWeights";

/// The code action that offers the command for the initializer at an offset; null where there is none with much data,
/// or where the command would refuse it.
[[nodiscard]] Json MoveWeightsAction(const Snapshot& snapshot, std::size_t offset, const Client& client);

/// The command: `{"uri": ..., "position": ...}`. Writes the file, and then asks the client to change the text, which
/// refers to it. The result names the file.
[[nodiscard]] Json MoveWeights(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
