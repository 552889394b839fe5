// How names and strings are spelled: what the scanner reads, printers write.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::syntax {

/// An ASCII digit.
[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// A letter or `_`, then letters, digits and `_`; ASCII only.
[[nodiscard]] bool IsIdentifier(std::string_view name);

/// The identifier nearest to `name`: other bytes become `_`.
[[nodiscard]] std::string NearestIdentifier(std::string_view name);

/// `"text"`, with a backslash before quotes and backslashes; all other bytes as they are.
void AppendQuoted(std::string_view text, std::string* out);

/// The word stands in the text, and no letter or digit beside it.
[[nodiscard]] bool HasWord(std::string_view text, std::string_view word);

}  // namespace onnxc::syntax
