// Random numbers.
#pragma once

#include <cstdint>

namespace onnxc {

/// Returns a number that an attacker cannot predict.
[[nodiscard]] std::uint64_t DrawRandom();

}  // namespace onnxc
