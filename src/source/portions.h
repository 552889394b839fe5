// The minimum sizes for dividing work into portions or between threads.
#pragma once

#include <cstddef>

namespace onnxc {

/// Returns `usual`, or a thousandth of it in builds with ONNXC_SMALL_PORTIONS, so that small inputs, such as those of
/// fuzzers, reach the code for large ones.
[[nodiscard]] constexpr std::size_t PortionSize(std::size_t usual) {
#ifdef ONNXC_SMALL_PORTIONS
  return usual < 2048 ? 2 : usual / 1024;
#else
  return usual;
#endif
}

}  // namespace onnxc
