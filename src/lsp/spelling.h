// Names as the text spells them, and as a client is to write them.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::lsp {

/// An ASCII letter in lower case; other bytes as they are.
[[nodiscard]] constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A name as the text writes it, in any place: in quotes if it is no identifier, or begins a type.
[[nodiscard]] std::string Spelled(std::string_view name);

/// The domain before the name of an operator: `my.own`, or in quotes where a part of it is no identifier.
[[nodiscard]] std::string SpelledDomain(std::string_view domain);

/// Text that a snippet inserts as it is: what has a meaning in snippets gets a backslash.
[[nodiscard]] std::string SnippetText(std::string_view text);

/// The first bytes of a text, at most `longest`; no character is cut in two.
[[nodiscard]] std::string_view Beginning(std::string_view text, std::size_t longest);

}  // namespace onnxc::lsp
