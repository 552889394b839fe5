// Writes numbers as text.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "source/eight_bytes.h"

namespace onnxc::print {

/// No written number is longer: the longest double has 24 characters.
inline constexpr std::size_t kLongestNumber = 32;
/// The number of bytes that must be free where a number is written. The functions may also overwrite bytes after the
/// end of the number.
inline constexpr std::size_t kRoomForNumber = 40;

/// The characters 0000 to 9999. The first character is in the highest byte of a number, so a left shift removes it.
extern const std::array<std::uint32_t, 10'000> kFourDigits;

/// Returns the digits of a number below 10^8, with leading zeros.
[[nodiscard]] inline std::uint64_t EightDigits(std::uint32_t number) {
  return std::uint64_t{kFourDigits[number / 10'000]} << 32 | kFourDigits[number % 10'000];
}
inline constexpr std::uint64_t kEightZeros = 0x30303030'30303030;

inline void WriteEight(std::uint64_t characters, char* at) { StoreEight(__builtin_bswap64(characters), at); }

// Each function writes a number at `at`, where kRoomForNumber bytes must be free, and returns its end. Signs and
// lengths are hard to predict, so the code avoids branches that depend on them: it always writes an optional part, and
// overwrites this part if the number does not have it.

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
  const int zeros = std::countl_zero((digits - kEightZeros) | 1) / 8;  // leading zeros; 0 itself has one digit
  WriteEight(digits << (8 * zeros), at);
  return at + 8 - zeros;
}

/// Writes the same text as std::to_chars(): the shortest decimal that reads back as the same number, in the shorter of
/// the forms 0.0012 and 1.2e-03. A NaN other than the usual one is written as `nan0x` and its bits.
char* WriteNumber(float value, char* at);
char* WriteNumber(double value, char* at);

}  // namespace onnxc::print
