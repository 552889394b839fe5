// The changes of the notification textDocument/didChange.
#pragma once

#include <string>

#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// The text of the document with the changes made. Each change is one of the text that the changes before it gave.
[[nodiscard]] std::string Changed(const Snapshot& before, const Json& changes);

}  // namespace onnxc::lsp
