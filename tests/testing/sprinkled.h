// Texts with spaces, line breaks and comments between any two tokens.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "testing/random_values.h"

namespace onnxc::testing {

/// Returns the tokens of a text, including the tokens inside of lists of numbers. `offset` is added to their ranges.
[[nodiscard]] std::vector<SourceRange> TokensAndNumbersIn(std::string_view text, std::size_t offset = 0);

/// Returns each comment between two tokens, up to the end of its line, without the spaces at its end.
[[nodiscard]] std::vector<std::string> CommentsIn(std::string_view text);

/// Returns the text with spaces in each gap between its tokens, and comments in one of `rarity` gaps (0: no comments).
[[nodiscard]] std::string Sprinkled(const std::string& text, RandomValues* random, std::size_t rarity);

}  // namespace onnxc::testing
