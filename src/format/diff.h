// The difference of two texts, for people and for `patch`.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::format {

/// The unified format, with three lines of context; "" where the texts are the same. `name` is that of both texts.
///
/// Takes linear time, for what formatting does: lines correspond where equally many characters other than white space
/// stand before them. Of texts that differ in more, the difference is right but need not be small.
[[nodiscard]] std::string UnifiedDiff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace onnxc::format
