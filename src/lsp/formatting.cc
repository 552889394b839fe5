// Handles textDocument/formatting, rangeFormatting and onTypeFormatting.
#include <onnxc/formatter.h>

#include "lsp/edits.h"
#include "lsp/methods.h"

namespace onnxc::lsp {

namespace {

/// Returns the edits of the formatter that touch a range.
Json EditsIn(const Snapshot& snapshot, SourceRange range) {
  const FormatResult formatted = FormatText(snapshot.text(), {.tell_functions_apart = true});
  if (!formatted.diagnostics.ok()) return nullptr;  // the diagnostics already contain the errors
  std::vector<FixIt> edits = DifferenceOf(snapshot.text(), formatted.text);
  std::erase_if(edits,
                [range](const FixIt& edit) { return edit.range.end < range.begin || range.end < edit.range.begin; });
  return TextEditsOf(edits, snapshot);
}

}  // namespace

// Formats the whole text. The editor's settings for tabs are ignored, because there is only one formatting style
// (docs/layout.md).
Json Formatting(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return EditsIn(*snapshot, {0, snapshot->text().size()});
}

// Formats only the lines in the range.
Json RangeFormatting(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  return EditsIn(*snapshot, snapshot->SourceRangeOf(Member(params, "range")));
}

// When the user types the bracket that closes a body, formats the lines from the beginning of that body.
Json OnTypeFormatting(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const std::size_t offset = snapshot->OffsetOf(Member(params, "position"));
  const SymbolId scope = offset == 0 ? kNoSymbol : snapshot->symbols().ScopeAt(offset - 1);
  if (scope == kNoSymbol) return nullptr;
  return EditsIn(*snapshot, {snapshot->symbols().scopes()[scope].body.begin, offset});
}

}  // namespace onnxc::lsp
