// Moves the data of an initializer from the text to a file in the same folder.
#pragma once

#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

inline constexpr std::string_view kMoveWeights = "onnxc.moveWeights";

/// Returns the code action for the initializer at an offset. Returns null if the offset is in no initializer with much
/// data, or if the command would refuse to move the data.
[[nodiscard]] Json MoveWeightsAction(const Snapshot& snapshot, std::size_t offset, const Client& client);

/// Executes the command with the argument `{"uri": ..., "position": ...}`: writes the file, then asks the client to
/// apply the edit that makes the text refer to the file. Returns the name of the file.
[[nodiscard]] Json MoveWeights(const Workspace& workspace, const Json& place);

/// If the response says that the client did not apply an edit of MoveWeights(), tells the client that the text does not
/// refer to the new file.
void TellWhetherMoved(const Workspace& workspace, const Json& response);

}  // namespace onnxc::lsp
