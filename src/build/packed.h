// Numbers as elements of packed fields.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace onnxc {

static_assert(std::endian::native == std::endian::little, "elements are written as they stand in memory");

/// What WriteElement() may write to, however short the element is.
inline constexpr std::size_t kRoomForElement = 10;

/// A varint, as fast for one byte as for ten: there is no branch on the length.
inline std::uint8_t* WriteVarint(std::uint64_t value, std::uint8_t* at) {
  constexpr std::uint64_t kMore = 0x8080808080808080;  // the bits of bytes that others follow
  static constexpr std::array<std::uint64_t, 11> kMoreBefore = {
      0, 0, kMore >> 56, kMore >> 48, kMore >> 40, kMore >> 32, kMore >> 24, kMore >> 16, kMore >> 8, kMore, kMore};
  // Each seven of the lowest 56 bits into a byte: halves apart, quarters apart, eighths apart.
  std::uint64_t low = (value & 0x000000000FFFFFFF) | (value & 0x00FFFFFFF0000000) << 4;
  low = (low & 0x00003FFF00003FFF) | (low & 0x0FFFC0000FFFC000) << 2;
  low = (low & 0x007F007F007F007F) | (low & 0x3F803F803F803F80) << 1;
  const auto bits = static_cast<unsigned>(std::bit_width(value | 1));
  const unsigned length = (bits * 9 + 64) / 64;  // bits / 7, rounded up
  low |= kMoreBefore[length];
  const auto high = static_cast<std::uint16_t>((value >> 56 & 0x7F) | (value >> 63) * 0x180);
  std::memcpy(at, &low, sizeof(low));
  std::memcpy(at + sizeof(low), &high, sizeof(high));
  return at + length;
}

/// Writes an element of a packed list at `at`, where there are kRoomForElement bytes. Returns its end.
template <typename Number>
std::uint8_t* WriteElement(Number number, std::uint8_t* at) {
  if constexpr (std::is_integral_v<Number>) {
    return WriteVarint(static_cast<std::uint64_t>(number), at);  // negative ones with the sign in all bits
  } else {
    std::memcpy(at, &number, sizeof(number));
    return at + sizeof(number);
  }
}

}  // namespace onnxc
