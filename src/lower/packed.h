// Writes numbers as elements of packed fields.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "source/eight_bytes.h"

namespace onnxc::lower {

/// The number of bytes that WriteElement() may write to, however short the element is.
inline constexpr std::size_t kRoomForElement = 10;

/// Writes a varint. One byte takes as long as ten bytes, because there is no branch on the length.
inline std::uint8_t* WriteVarint(std::uint64_t value, std::uint8_t* at) {
  constexpr std::uint64_t kMore = kHighBits;  // the mark of bytes that are not the last one
  static constexpr std::array<std::uint64_t, 11> kMoreBefore = {
      0, 0, kMore >> 56, kMore >> 48, kMore >> 40, kMore >> 32, kMore >> 24, kMore >> 16, kMore >> 8, kMore, kMore};
  // Puts each group of seven bits of the lowest 56 bits into a byte: first it separates halves, then quarters, then
  // eighths.
  std::uint64_t low = (value & 0x000000000FFFFFFF) | (value & 0x00FFFFFFF0000000) << 4;
  low = (low & 0x00003FFF00003FFF) | (low & 0x0FFFC0000FFFC000) << 2;
  low = (low & 0x007F007F007F007F) | (low & 0x3F803F803F803F80) << 1;
  const auto bits = static_cast<unsigned>(std::bit_width(value | 1));
  const unsigned length = (bits * 9 + 64) / 64;  // bits / 7, rounded up
  low |= kMoreBefore[length];
  StoreEight(low, at);
  at[8] = static_cast<std::uint8_t>((value >> 56 & 0x7F) | (value >> 63) << 7);
  at[9] = static_cast<std::uint8_t>(value >> 63);
  return at + length;
}

/// Writes an element of a packed list at `at`, where kRoomForElement bytes must be free. Returns the end of the
/// element.
template <typename Number>
std::uint8_t* WriteElement(Number number, std::uint8_t* at) {
  if constexpr (std::is_integral_v<Number>) {
    return WriteVarint(static_cast<std::uint64_t>(number), at);  // a negative number is extended to 64 bits
  } else if constexpr (sizeof(number) == sizeof(std::uint64_t)) {
    StoreEight(std::bit_cast<std::uint64_t>(number), at);
    return at + sizeof(number);
  } else {
    auto bits = std::bit_cast<std::uint32_t>(number);
    if constexpr (std::endian::native == std::endian::big) bits = __builtin_bswap32(bits);
    std::memcpy(at, &bits, sizeof(bits));
    return at + sizeof(number);
  }
}

}  // namespace onnxc::lower
