// Converts and compares the changes of texts that the server proposes.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>
#include <vector>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Returns the edits as a list of TextEdit.
[[nodiscard]] Json TextEditsOf(std::span<const FixIt> edits, const Snapshot& snapshot);

/// Returns the edits of one document as a WorkspaceEdit.
[[nodiscard]] Json WorkspaceEditOf(std::span<const FixIt> edits, const Snapshot& snapshot, const Client& client);

/// Returns whether the change causes no error. For each kind of error, the changed text must have at most as many
/// errors as the text before the change.
[[nodiscard]] bool IsAsRight(const Snapshot& changed, const Snapshot& before);

/// Returns edits that turn the text `before` into `after`. They replace only the lines that differ.
[[nodiscard]] std::vector<FixIt> DifferenceOf(std::string_view before, std::string_view after);

}  // namespace onnxc::lsp
