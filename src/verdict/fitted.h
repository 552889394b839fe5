// Adapts the style of corrections to the text around them.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>

namespace onnxc::verdict {

/// Makes corrections use the same line breaks (LF or CRLF) as the text. Lines that are inserted before a line get the
/// indentation of that line. If lines are inserted in the middle of a line, spaces replace their line breaks.
void FitToText(std::string_view text, std::span<Diagnostic> findings);

}  // namespace onnxc::verdict
