// Applies the changes of the notification textDocument/didChange.
#pragma once

#include <string>

#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns the text of the document with the changes applied in order. Each change refers to the text after the changes
/// before it.
[[nodiscard]] std::string Changed(const Snapshot& before, const Json& changes);

}  // namespace onnxc::lsp
