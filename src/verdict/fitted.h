// Adapts the style of corrections to the text around them.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>

namespace onnxc::verdict {

/// Makes corrections use the same line breaks (LF or CRLF) as the text. Lines that are inserted before a line get its
/// indentation. If the insertion is in the middle of a line, the lines are joined to that line.
void FitToText(std::string_view text, std::span<Diagnostic> findings);

}  // namespace onnxc::verdict
