// Computes the difference between two texts, for people and for `patch`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onnxc::format {

struct DiffLine {
  char mark = ' ';  ///< ' ': the line is in both texts; '-': only in the first; '+': only in the second
  std::string_view text;
};

/// Returns all lines of both texts with their line breaks. Where the texts differ, the removed lines come before the
/// added lines. Lines are matched as in UnifiedDiff().
[[nodiscard]] std::vector<DiffLine> CompareLines(std::string_view before, std::string_view after);

/// Returns the difference in the unified format with three lines of context, or "" if the texts are equal. `name` is
/// the name of both texts.
///
/// MatchLines() finds the equal lines. The difference is always correct. If only a few lines changed, it contains only
/// these; for very different texts, it is not necessarily minimal.
[[nodiscard]] std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace onnxc::format
