// Finds the common beginning and end of two texts, at memory speed. What is known to be common is not compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace onnxc {

inline constexpr std::size_t kComparedAtOnce = 4096;  // bytes

/// Returns how many bytes at the beginning of both texts are the same.
[[nodiscard]] inline std::size_t CommonBegin(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (most - same >= kComparedAtOnce && a.substr(same, kComparedAtOnce) == b.substr(same, kComparedAtOnce)) {
    same += kComparedAtOnce;
  }
  while (same < most && a[same] == b[same]) ++same;
  return same;
}

/// Returns how many bytes at the end of both texts are the same.
[[nodiscard]] inline std::size_t CommonEnd(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  const auto before = [](std::string_view text, std::size_t end) {
    return text.substr(text.size() - end - kComparedAtOnce, kComparedAtOnce);
  };
  std::size_t same = 0;
  while (most - same >= kComparedAtOnce && before(a, same) == before(b, same)) same += kComparedAtOnce;
  while (same < most && a[a.size() - same - 1] == b[b.size() - same - 1]) ++same;
  return same;
}

/// The sizes of a beginning and an end that two texts have in common. The two parts overlap only if the texts are the
/// same.
struct CommonEnds {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Returns the longest common beginning, and the longest common end of what follows it. `known` are ends that are known
/// to be common. They affect only the time, not the result.
[[nodiscard]] inline CommonEnds CommonEndsOf(std::string_view a, std::string_view b, CommonEnds known = {}) {
  const std::size_t begin = known.begin + CommonBegin(a.substr(known.begin), b.substr(known.begin));
  const std::size_t end = std::min(known.end, std::min(a.size(), b.size()) - begin);
  return {begin, end + CommonEnd(a.substr(begin, a.size() - end - begin), b.substr(begin, b.size() - end - begin))};
}

/// An earlier version of a text, and what its text is known to have in common with the current text.
template <typename Pointer>
struct Earlier {
  Pointer version = nullptr;
  CommonEnds same = {};
};

/// Returns ends that the texts A and C have in common, given those of A and B, and those of B and C.
[[nodiscard]] inline CommonEnds Joined(CommonEnds a, CommonEnds b) {
  return {std::min(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace onnxc
