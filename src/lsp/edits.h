// Changes of texts that the server proposes.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>
#include <vector>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// A list of TextEdit.
[[nodiscard]] Json TextEditsOf(std::span<const FixIt> edits, const Snapshot& snapshot);

/// A WorkspaceEdit of one document.
[[nodiscard]] Json WorkspaceEditOf(std::span<const FixIt> edits, const Snapshot& snapshot, const Client& client);

/// Whether a changed text has no error that the text had not.
[[nodiscard]] bool IsAsRight(const Snapshot& changed, const Snapshot& before);

/// What turns the text into another one: only the lines that differ are replaced.
[[nodiscard]] std::vector<FixIt> DifferenceOf(std::string_view before, std::string_view after);

}  // namespace onnxc::lsp
