// textDocument/formatting
#include <onnxc/formatter.h>

#include "lsp/edits.h"
#include "lsp/methods.h"

namespace onnxc::lsp {

// The editor's settings of tabs do not count: there is one layout (docs/layout.md).
Json Formatting(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const FormatResult formatted = FormatText(snapshot->text(), {.tell_functions_apart = true});
  if (!formatted.diagnostics.ok()) return nullptr;  // its errors are among the diagnostics
  return TextEditsOf(DifferenceOf(snapshot->text(), formatted.text), *snapshot);
}

}  // namespace onnxc::lsp
