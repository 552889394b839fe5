// The difference of two texts, for people and for `patch`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onnxc::format {

struct DiffLine {
  char mark = ' ';  ///< ' ' in both texts, '-' in the first, '+' in the second
  std::string_view text;
};

/// All lines of both texts, with their breaks; of those that differ, first all that go, then all that come. What is
/// said of UnifiedDiff() holds here too.
[[nodiscard]] std::vector<DiffLine> CompareLines(std::string_view before, std::string_view after);

/// The unified format, with three lines of context; "" where the texts are the same. `name` is that of both texts.
///
/// What is the same is found by MatchLines(). The difference is right, and where a few lines were changed it shows
/// those alone; of texts that differ in much, it need not be the smallest one.
[[nodiscard]] std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace onnxc::format
