// Corrections that look like the text around them.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>

namespace onnxc::verdict {

/// Gives the lines that corrections insert the line ends of the text. Those inserted before a line have its
/// indentation; those before something further on in a line go into that line.
void FitToText(std::string_view text, std::span<Diagnostic> findings);

}  // namespace onnxc::verdict
