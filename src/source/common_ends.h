// Finds the common beginning and end of two texts, at memory speed.
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

}  // namespace onnxc
