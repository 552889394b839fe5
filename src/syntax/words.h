// Words that have a token type of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace onnxc::syntax {

/// The lengths of these words by their first byte: bit n is set if a word of n bytes begins with this byte.
extern const std::array<std::uint32_t, 256> kKeywordLengths;

/// A fast test, which the scanner makes for each word. If the result is false, the token type of the word is ID. For a
/// word of type ID, the result is only rarely true.
[[nodiscard]] inline bool MayBeKeyword(std::string_view word) {
  return word.size() < 32 && ((kKeywordLengths[static_cast<unsigned char>(word.front())] >> word.size()) & 1) != 0;
}

/// Returns the token type of a word: ELEMENT, SEQ, ..., SPECIAL, or ID.
[[nodiscard]] std::size_t WordType(std::string_view word);

/// Returns whether the word is `inf`, `infinity` or `nan`, in upper or lower case.
[[nodiscard]] bool IsSpecialFloat(std::string_view word);

/// Returns whether a type may begin with the word.
[[nodiscard]] bool IsTypeWord(std::string_view word);

/// Returns the word for a type that is most similar to `word`, or "" if none is similar.
[[nodiscard]] std::string_view NearestType(std::string_view word);

}  // namespace onnxc::syntax
