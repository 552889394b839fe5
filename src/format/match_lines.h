// Which lines of two texts are the same.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace onnxc::format {

/// A line of the text before that is the same as one of the text after.
struct Pair {
  std::size_t old_line;
  std::size_t new_line;
};

/// Lines that are the same, in the order of both texts. Lines that are there once in both texts are found wherever they
/// are, the others between those (as in a "patience diff"), and where a few lines differ all of them. Takes time of
/// about the size of both texts.
[[nodiscard]] std::vector<Pair> MatchLines(std::span<const std::string_view> before,
                                           std::span<const std::string_view> after);

}  // namespace onnxc::format
