// How names and strings are spelled. The scanner reads this spelling, and the printers write it.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::syntax {

/// Returns whether the character is an ASCII digit.
[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Returns whether the name is a letter or `_` followed by letters, digits and `_`, all in ASCII.
[[nodiscard]] bool IsIdentifier(std::string_view name);

/// Returns an identifier similar to `name`: bytes that identifiers cannot have are replaced by `_`.
[[nodiscard]] std::string NearestIdentifier(std::string_view name);

/// Appends `"text"` with a backslash before quotes and backslashes. All other bytes are unchanged.
void AppendQuoted(std::string_view text, std::string* out);

/// Returns whether the text contains the word without adjacent letters or digits.
[[nodiscard]] bool HasWord(std::string_view text, std::string_view word);

}  // namespace onnxc::syntax
