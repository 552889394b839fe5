// Handles textDocument/formatting, rangeFormatting and onTypeFormatting.
#include <onnxc/formatter.h>

#include "format/part.h"
#include "lsp/edits.h"
#include "lsp/methods.h"

namespace onnxc::lsp {

namespace {

/// Returns edits that format the tokens in a range.
Json EditsIn(const Snapshot& snapshot, SourceRange range) {
  const FormatResult formatted = FormatText(snapshot.text(), {.tell_functions_apart = true});
  if (!formatted.diagnostics.ok()) return nullptr;  // the diagnostics already contain the errors
  return TextEditsOf(format::EditsWithin(snapshot.text(), formatted.text, range), snapshot);
}

/// Returns the lines that a range touches, without the last line break. A range that ends where a line begins does not
/// touch this line.
SourceRange WholeLines(const Snapshot& snapshot, SourceRange range) {
  const Lines& lines = snapshot.lines();
  std::size_t last = lines.LineOf(range.end);
  if (range.begin < range.end && range.end < snapshot.text().size() && range.end == lines.BeginOf(last)) --last;
  return {lines.BeginOf(lines.LineOf(range.begin)), lines.RangeOf(last).end};
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
  return EditsIn(*snapshot, WholeLines(*snapshot, snapshot->SourceRangeOf(Member(params, "range"))));
}

// When the user types the bracket that closes a body, formats this body.
Json OnTypeFormatting(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  const std::size_t offset = snapshot->OffsetOf(Member(params, "position"));
  const SymbolId scope = offset == 0 ? kNoSymbol : snapshot->symbols().ScopeAt(offset - 1);
  if (scope == kNoSymbol) return nullptr;
  const TextScope& closed = snapshot->symbols().scopes()[scope];
  if (closed.body == SourceRange{} || closed.range.end != offset) return nullptr;
  return EditsIn(*snapshot, {closed.body.begin, offset});
}

}  // namespace onnxc::lsp
