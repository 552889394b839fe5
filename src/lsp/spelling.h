// Letters and pieces of text for clients.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::lsp {

/// An ASCII letter in lower case; other bytes as they are.
[[nodiscard]] constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Text that a snippet inserts as it is: what has a meaning in snippets gets a backslash.
[[nodiscard]] std::string SnippetText(std::string_view text);

/// The first bytes of a text, at most `longest`; no character is cut in two.
[[nodiscard]] std::string_view Beginning(std::string_view text, std::size_t longest);

}  // namespace onnxc::lsp
