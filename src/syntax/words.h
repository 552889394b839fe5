// The words that are tokens of their own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace onnxc {

/// The token type of a word: ELEMENT, SEQ, ..., SPECIAL, or ID.
[[nodiscard]] std::size_t WordType(std::string_view word);

/// `inf`, `infinity` or `nan`, in any case of letters.
[[nodiscard]] bool IsSpecialFloat(std::string_view word);

/// All words that begin a type, for suggestions.
[[nodiscard]] const std::vector<std::string_view>& TypeWords();

}  // namespace onnxc
