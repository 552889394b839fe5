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
/// Takes linear time, for what formatting does: lines correspond where equally many characters other than white space
/// stand before them. Of texts that differ in more, the difference is right but need not be small.
[[nodiscard]] std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace onnxc::format
