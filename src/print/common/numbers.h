// Numbers as text.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "source/eight_bytes.h"

namespace onnxc::print {

/// No number that is written here is longer: the longest double has 24 bytes.
inline constexpr std::size_t kLongestNumber = 32;
/// What has to be free where a number is written; bytes behind its end may be written to.
inline constexpr std::size_t kRoomForNumber = 40;

/// 0000 to 9999. Characters are held in numbers, the first one in the highest byte: to drop it is to shift left.
extern const std::array<std::uint32_t, 10'000> kFourDigits;

/// Of a number below 10^8, with zeros in front.
[[nodiscard]] inline std::uint64_t EightDigits(std::uint32_t number) {
  return std::uint64_t{kFourDigits[number / 10'000]} << 32 | kFourDigits[number % 10'000];
}
inline constexpr std::uint64_t kEightZeros = 0x30303030'30303030;

inline void WriteEight(std::uint64_t characters, char* at) { StoreEight(__builtin_bswap64(characters), at); }

// Each writes a number at `at`, where kRoomForNumber bytes are free, and returns its end. Signs and lengths are hard to
// foresee, so that few branches depend on them: what a number may have is written, and is written over if it has not.

template <std::integral Integer>
char* WriteNumber(Integer value, char* at) {
  using Unsigned = std::make_unsigned_t<Integer>;
  auto size = static_cast<Unsigned>(value);
  if constexpr (std::is_signed_v<Integer>) {
    *at = '-';
    at += value < 0;
    if (value < 0) size = static_cast<Unsigned>(Unsigned{0} - size);
  }
  if constexpr (sizeof(Integer) > sizeof(std::uint16_t)) {
    constexpr Unsigned kHundredMillion = 100'000'000;
    if (size >= kHundredMillion) {
      at = WriteNumber(static_cast<Unsigned>(size / kHundredMillion), at);
      WriteEight(EightDigits(static_cast<std::uint32_t>(size % kHundredMillion)), at);
      return at + 8;
    }
  }
  const std::uint64_t digits = EightDigits(static_cast<std::uint32_t>(size));
  const int zeros = std::countl_zero((digits - kEightZeros) | 1) / 8;  // those in front: 0 itself has a digit too
  WriteEight(digits << (8 * zeros), at);
  return at + 8 - zeros;
}

/// What std::to_chars() writes: the shortest decimal that reads back as the same number, as 0.0012 or as 1.2e-03,
/// whichever is shorter. `nan0x` and its bits if it is another NaN than the usual one.
char* WriteNumber(float value, char* at);
char* WriteNumber(double value, char* at);

}  // namespace onnxc::print
