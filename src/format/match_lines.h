// Finds the equal lines of two texts.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace onnxc::format {

/// A line of the old text that is equal to a line of the new text.
struct Pair {
  std::size_t old_line;
  std::size_t new_line;
};

/// Returns pairs of equal lines, in the order of both texts. Lines that occur once in both texts are matched wherever
/// they are, and the other lines are matched between them (as in a "patience diff"). If only a few lines differ, all
/// equal lines are found. Takes time about linear in the size of both texts.
[[nodiscard]] std::vector<Pair> MatchLines(std::span<const std::string_view> before,
                                           std::span<const std::string_view> after);

}  // namespace onnxc::format
