// Helpers for text that is sent to clients.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::lsp {

/// Returns an ASCII letter in lower case, and any other byte unchanged.
[[nodiscard]] constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Escapes text for a snippet: characters with a special meaning in snippets get a backslash.
[[nodiscard]] std::string SnippetText(std::string_view text);

/// Returns the first bytes of a text, at most `longest`, without cutting a character.
[[nodiscard]] std::string_view Beginning(std::string_view text, std::size_t longest);

}  // namespace onnxc::lsp
