// Prints strings.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::print {

/// Appends `"text"`, or `b"text"` if the text is not UTF-8 or contains control characters other than line feeds and
/// tabs.
void AppendString(std::string_view text, std::string* out);

/// Appends `b"text"`, with C escapes.
void AppendBytes(std::string_view text, std::string* out);

/// Returns `\x1b` for each byte.
[[nodiscard]] std::string EscapedBytes(std::string_view bytes);

}  // namespace onnxc::print
