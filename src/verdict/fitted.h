// Adapts the style of corrections to the text around them.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>

namespace onnxc::verdict {

/// Gives the lines that corrections insert the line breaks of the text. Lines inserted before a line get its
/// indentation. If the insertion is in the middle of a line, the lines are joined to that line.
void FitToText(std::string_view text, std::span<Diagnostic> findings);

}  // namespace onnxc::verdict
