// Findings as diagnostics of the protocol.
#pragma once

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// All findings in the document.
[[nodiscard]] Json DiagnosticsOf(const Snapshot& snapshot, const Client& client);

/// What is wrong with the file of settings that holds for the document; empty where nothing is.
[[nodiscard]] Workspace::SettingsReport SettingsReportOf(const Snapshot& snapshot, const Client& client);

[[nodiscard]] Json DiagnosticOf(const Diagnostic& finding, const Snapshot& snapshot, const Client& client);

}  // namespace onnxc::lsp
