// Converts findings to diagnostics of the protocol.
#pragma once

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Returns all findings of the document as diagnostics.
[[nodiscard]] Json DiagnosticsOf(const Snapshot& snapshot, const Client& client);

/// Returns the errors in the settings file that applies to the document. The report has no diagnostics if there are no
/// errors.
[[nodiscard]] Workspace::SettingsReport SettingsReportOf(const Snapshot& snapshot, const Client& client);

[[nodiscard]] Json DiagnosticOf(const Diagnostic& finding, const Snapshot& snapshot, const Client& client);

}  // namespace onnxc::lsp
