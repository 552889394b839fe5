// Strings as text.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::print {

/// `"text"`, or `b"text"` where the text is no UTF-8 or holds control characters other than line feeds and tabs.
void AppendString(std::string_view text, std::string* out);

/// `b"text"`, with C escapes.
void AppendBytes(std::string_view text, std::string* out);

/// `\x1b` for each byte.
[[nodiscard]] std::string EscapedBytes(std::string_view bytes);

}  // namespace onnxc::print
