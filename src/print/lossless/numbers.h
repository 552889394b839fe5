// Numbers as text.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace onnxc {

/// No number that is written here is longer: the longest double has 24 bytes.
inline constexpr std::size_t kLongestNumber = 32;
/// What has to be free where a number is written; bytes behind its end may be written to.
inline constexpr std::size_t kRoomForNumber = 40;

// Each writes a number at `at`, where kRoomForNumber bytes are free, and returns its end.

/// 0000 to 9999, and as many bytes as may be copied from the last.
extern const std::array<char, 4 * 10'000 + 4> kFourDigits;

/// Most integers have few digits: these are copied from a table.
template <std::integral Integer>
char* WriteNumber(Integer value, char* at) {
  using Unsigned = std::make_unsigned_t<Integer>;
  auto size = static_cast<Unsigned>(value);
  if (std::is_signed_v<Integer> && value < 0) {
    size = static_cast<Unsigned>(Unsigned{0} - size);
    *at++ = '-';
  }
  if (size >= 100'000) return std::to_chars(at, at + kLongestNumber, size).ptr;
  const auto number = static_cast<std::uint32_t>(size);
  if (number >= 10'000) {
    *at++ = static_cast<char>('0' + number / 10'000);
    std::memcpy(at, &kFourDigits[4 * (number % 10'000)], 4);
    return at + 4;
  }
  const int digits = 1 + int{number >= 10} + int{number >= 100} + int{number >= 1000};
  std::memcpy(at, &kFourDigits[4 * number + 4 - static_cast<std::uint32_t>(digits)], 4);
  return at + digits;
}

/// The shortest decimal that reads back as the same number, or `nan0x` and its bits.
char* WriteNumber(float value, char* at);
char* WriteNumber(double value, char* at);

}  // namespace onnxc
