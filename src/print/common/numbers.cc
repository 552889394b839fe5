#include "print/common/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "print/common/shortest.h"

namespace onnxc::print {

constinit const std::array<std::uint32_t, 10'000> kFourDigits = [] {
  std::array<std::uint32_t, 10'000> all{};
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::uint32_t digits = i / 1000 << 24 | i / 100 % 10 << 16 | i / 10 % 10 << 8 | i % 10;
    all[i] = static_cast<std::uint32_t>(kEightZeros) + digits;
  }
  return all;
}();

namespace {

/// Writes an exponent, such as e-05, e+38 or e-308.
char* WriteExponent(int exponent, char* at) {
  const auto size = static_cast<std::uint32_t>(std::abs(exponent));
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  const int dropped = size < 100 ? 2 : 1;  // how many of the four digits are dropped
  WriteEight(std::uint64_t{kFourDigits[size]} << (32 + 8 * dropped), at);
  return at + 4 - dropped;
}

/// Writes zero, powers of two, subnormal numbers, infinities and NaNs. This function is not inlined, so that
/// WriteNumber() needs no stack for other numbers.
[[gnu::noinline]] char* WriteRare(float value, char* at) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value) && (bits & 0x7fffffffu) != 0x7fc00000u) return fmt::format_to(at, "nan0x{:08x}", bits);
  // For these values, to_chars() never chooses the form with an exponent.
  *at = '-';
  at += std::signbit(value);
  if (std::fabs(value) < 0x1p24F && std::trunc(value) == value) {
    return WriteNumber(static_cast<std::uint32_t>(std::fabs(value)), at);
  }
  return std::to_chars(at, at + kLongestNumber, std::fabs(value)).ptr;  // libc++ writes "-nan(ind)" for a negative NaN
}

/// significand * 10^exponent. The significand has `count` digits.
struct DoubleDecimal {
  std::uint64_t significand;
  int exponent;
  int count;
};

/// Returns the shortest decimal that reads back as `value`. {fmt}'s Dragonbox finds the digits in half of the time that
/// std::to_chars() needs. The public functions of {fmt} also write the digits as text, which would take at least the
/// other half. This is the only function that uses names from fmt::detail, which may change in any version of {fmt}; it
/// was tested with {fmt} 9.1 and 10.1.
DoubleDecimal ShortestDigits(double value) {
  const auto decimal = fmt::detail::dragonbox::to_decimal(value);
  return {decimal.significand, decimal.exponent, fmt::detail::count_digits(decimal.significand)};
}

char* WriteFinite(double value, char* at) {
  constexpr int kDigits = 17;
  const DoubleDecimal decimal = ShortestDigits(std::fabs(value));
  // This is for zero, and for numbers that have more digits before the decimal point than the shortest decimal has. In
  // a form without an exponent, these additional digits must be those of the exact value, not zeros.
  if (decimal.exponent > 0 || value == 0) return std::to_chars(at, at + kLongestNumber, value).ptr;
  *at = '-';
  at += std::signbit(value);
  constexpr std::uint64_t kHundredMillion = 100'000'000;
  std::array<char, 3 * kDigits> buffer;
  buffer[0] = static_cast<char>('0' + decimal.significand / kHundredMillion / kHundredMillion);
  WriteEight(EightDigits(static_cast<std::uint32_t>(decimal.significand / kHundredMillion % kHundredMillion)),
             &buffer[1]);
  WriteEight(EightDigits(static_cast<std::uint32_t>(decimal.significand % kHundredMillion)), &buffer[9]);
  const int count = decimal.count;
  const char* const digits = buffer.data() + kDigits - count;
  const int point = count + decimal.exponent;  // number of digits before the decimal point
  if (point > 0) {
    std::memcpy(at, digits, kDigits);
    if (decimal.exponent == 0) return at + count;
    std::memcpy(at + point + 1, digits + point, kDigits);
    at[point] = '.';
    return at + count + 1;
  }
  if (point >= (count > 1 ? -3 : -2)) {
    WriteEight(kEightZeros, at);
    at[1] = '.';
    std::memcpy(at + 2 - point, digits, kDigits);
    return at + 2 - point + count;
  }
  *at++ = digits[0];
  *at = '.';
  std::memcpy(at + 1, digits + 1, kDigits);
  if (count > 1) at += count;
  return WriteExponent(point - 1, at);
}

}  // namespace

char* WriteNumber(float value, char* at) {
  const float size = std::fabs(value);
  const auto bits = std::bit_cast<std::uint32_t>(size);
  if ((bits & 0x7fffffu) == 0 || !std::isnormal(value)) return WriteRare(value, at);
  *at = '-';
  at += std::signbit(value);
  // There are nine digits: `digits` holds eight of them as characters, and `last` is the ninth. Some of them may be
  // leading or trailing zeros.
  const auto [tens, last, exponent] = ShortestDecimal(bits);
  std::uint64_t digits = EightDigits(tens);
  const auto last_digit = static_cast<char>('0' + last);
  const int zeros_behind = int{last == 0} * (1 + std::countr_zero(digits - kEightZeros) / 8);

  // This is the form 0.0ddd, in which the zeros before the digits are part of the eight characters. It is not used for
  // a number such as 0.0005, because 5e-04 is shorter.
  const int length = 2 - exponent - zeros_behind;
  if (size < 1 && (size >= 1e-3F || (size >= 1e-4F && length > 6))) {
    WriteEight(kEightZeros, at);
    WriteEight(digits, at - exponent - 7);
    at[1] = '.';
    at[1 - exponent] = last_digit;
    return at + length;
  }

  const int zeros = 2 - int{tens >= 1'000'000} - int{tens >= 10'000'000};  // zeros before the digits
  const int count = 9 - zeros - zeros_behind;
  const int point = 9 - zeros + exponent;  // number of digits before the decimal point
  const bool is_fixed = size >= 1 && point <= count + int{count > 1} + 4;
  if (is_fixed && exponent >= 0) return WriteRare(size, at);
  const int before = is_fixed ? point : 1;
  digits <<= 8 * zeros;
  WriteEight(digits, at);
  at[before] = '.';
  WriteEight(digits << (8 * before), at + before + 1);
  at[9 - zeros] = last_digit;
  at += count > before ? count + 1 : before;
  return is_fixed ? at : WriteExponent(point - 1, at);
}

char* WriteNumber(double value, char* at) {
  if (std::isfinite(value)) return WriteFinite(value, at);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (std::isinf(value) || (bits & 0x7fffffffffffffffu) == 0x7ff8000000000000u) {
    *at = '-';
    at += std::signbit(value);
    return std::to_chars(at, at + kLongestNumber, std::fabs(value)).ptr;  // see WriteRare()
  }
  return fmt::format_to(at, "nan0x{:016x}", bits);
}

}  // namespace onnxc::print
