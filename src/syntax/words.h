// The words that are tokens of their own.
#pragma once

#include <cstddef>
#include <string_view>

namespace onnxc {

/// The token type of a word: ELEMENT, SEQ, ..., SPECIAL, or ID.
[[nodiscard]] std::size_t WordType(std::string_view word);

/// `inf`, `infinity` or `nan`, in any case of letters.
[[nodiscard]] bool IsSpecialFloat(std::string_view word);

/// `word` begins a type.
[[nodiscard]] bool IsTypeWord(std::string_view word);

/// The word that begins a type and that `word` most likely stands for, "" where none is near.
[[nodiscard]] std::string_view NearestType(std::string_view word);

}  // namespace onnxc
