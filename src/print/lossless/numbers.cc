#include "print/lossless/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace onnxc {

constinit const std::array<char, 4 * 10'000 + 4> kFourDigits = [] {
  std::array<char, 4 * 10'000 + 4> all{};
  for (std::size_t i = 0; i < 10'000; ++i) {
    std::size_t rest = i;
    for (std::size_t digit = 4; digit-- > 0; rest /= 10) all[4 * i + digit] = static_cast<char>('0' + rest % 10);
  }
  return all;
}();

namespace {

/// Always as many digits, with zeros in front: no branch depends on the number. `kDigits` is a multiple of 4 and 1.
template <std::size_t kDigits, std::unsigned_integral Integer>
void WriteDigits(Integer value, char* at) {
  for (std::size_t i = kDigits - 4; i < kDigits; i -= 4) {
    std::memcpy(at + i, &kFourDigits[4 * static_cast<std::size_t>(value % 10'000)], 4);
    value /= 10'000;
  }
  at[0] = static_cast<char>('0' + value);
}

/// What std::to_chars() writes: the shorter of 0.0012 and 1.2e-03. {fmt}'s Dragonbox finds the digits, in half the time
/// that to_chars takes; {fmt}'s public functions take the other half and more to write them. What is copied is copied
/// at its longest, in one instruction or two, and what is behind the number's end is written over later.
template <typename Float>
char* WriteFinite(Float value, char* at) {
  constexpr std::size_t kDigits = std::is_same_v<Float, float> ? 9 : 17;
  const auto decimal = fmt::detail::dragonbox::to_decimal(std::fabs(value));
  // Zeros behind the digits, which are to be exact, and zero itself.
  if (decimal.exponent > 0 || value == 0) return std::to_chars(at, at + kLongestNumber, value).ptr;
  *at = '-';
  if (std::signbit(value)) ++at;
  std::array<char, 3 * kDigits> buffer;
  WriteDigits<kDigits>(decimal.significand, buffer.data());
  const int count = fmt::detail::count_digits(decimal.significand);
  const char* const digits = buffer.data() + kDigits - count;
  const int point = count + decimal.exponent;  // digits in front of the decimal point
  if (point > 0) {
    std::memcpy(at, digits, kDigits);
    if (decimal.exponent == 0) return at + count;
    std::memcpy(at + point + 1, digits + point, kDigits);
    at[point] = '.';
    return at + count + 1;
  }
  if (point >= (count > 1 ? -3 : -2)) {
    std::ranges::copy(std::string_view("0.000"), at);
    std::memcpy(at + 2 - point, digits, kDigits);
    return at + 2 - point + count;
  }
  *at++ = digits[0];
  *at = '.';
  std::memcpy(at + 1, digits + 1, kDigits);
  if (count > 1) at += count;
  *at++ = 'e';
  *at++ = '-';
  int exponent = 1 - point;
  if (exponent >= 100) *at++ = static_cast<char>('0' + exponent / 100);
  std::memcpy(at, &kFourDigits[4 * static_cast<std::size_t>(exponent % 100) + 2], 2);
  return at + 2;
}

}  // namespace

char* WriteNumber(float value, char* at) {
  if (std::isfinite(value)) return WriteFinite(value, at);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isinf(value) || (bits & 0x7fffffffu) == 0x7fc00000u) {
    return std::to_chars(at, at + kLongestNumber, value).ptr;
  }
  return fmt::format_to(at, "nan0x{:08x}", bits);
}

char* WriteNumber(double value, char* at) {
  if (std::isfinite(value)) return WriteFinite(value, at);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (std::isinf(value) || (bits & 0x7fffffffffffffffu) == 0x7ff8000000000000u) {
    return std::to_chars(at, at + kLongestNumber, value).ptr;
  }
  return fmt::format_to(at, "nan0x{:016x}", bits);
}

}  // namespace onnxc
