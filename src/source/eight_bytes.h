// Operations on eight bytes at once, stored in a number whose lowest byte is the first one.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace onnxc {

/// The product of a byte and this number is that byte eight times.
inline constexpr std::uint64_t kEachByte = 0x0101010101010101;
inline constexpr std::uint64_t kHighBits = kEachByte << 7;

[[nodiscard]] inline std::uint64_t LoadEight(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof(bytes));
  return std::endian::native == std::endian::little ? bytes : __builtin_bswap64(bytes);
}

inline void StoreEight(std::uint64_t bytes, void* at) {
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  std::memcpy(at, &bytes, sizeof(bytes));
}

}  // namespace onnxc
