// The words that are tokens of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace onnxc::syntax {

/// By their first byte: bit n says that there are words with a token type of their own that are n bytes long.
extern const std::array<std::uint32_t, 256> kKeywordLengths;

/// False only for words that are no tokens of their own; for most of them. The scanner asks for each word.
[[nodiscard]] inline bool MayBeKeyword(std::string_view word) {
  return word.size() < 32 && ((kKeywordLengths[static_cast<unsigned char>(word.front())] >> word.size()) & 1) != 0;
}

/// The token type of a word: ELEMENT, SEQ, ..., SPECIAL, or ID.
[[nodiscard]] std::size_t WordType(std::string_view word);

/// `inf`, `infinity` or `nan`, in any case of letters.
[[nodiscard]] bool IsSpecialFloat(std::string_view word);

/// `word` begins a type.
[[nodiscard]] bool IsTypeWord(std::string_view word);

/// The word that begins a type and that `word` most likely stands for, "" where none is near.
[[nodiscard]] std::string_view NearestType(std::string_view word);

}  // namespace onnxc::syntax
