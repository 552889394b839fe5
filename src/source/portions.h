// The sizes from which on work is cut into portions, or shared by threads.
#pragma once

#include <cstddef>

namespace onnxc {

/// `usual`, but a thousandth of it in builds with ONNXC_SMALL_PORTIONS: there small inputs reach the code that is for
/// large ones, which the fuzzers would not reach otherwise.
[[nodiscard]] constexpr std::size_t PortionSize(std::size_t usual) {
#ifdef ONNXC_SMALL_PORTIONS
  return usual < 2048 ? 2 : usual / 1024;
#else
  return usual;
#endif
}

}  // namespace onnxc
