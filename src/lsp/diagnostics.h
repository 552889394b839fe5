// Findings as diagnostics of the protocol.
#pragma once

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// All findings in the document.
[[nodiscard]] Json DiagnosticsOf(const Snapshot& snapshot, const Client& client);

[[nodiscard]] Json DiagnosticOf(const Diagnostic& finding, const Snapshot& snapshot, const Client& client);

}  // namespace onnxc::lsp
