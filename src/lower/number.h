// Reads one number. Inline, because lists may have millions of numbers.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "platform/from_chars.h"
#include "source/eight_bytes.h"

namespace onnxc::lower {

// Each function reads the number that begins at `begin` and returns its end. It returns null if no number begins there,
// or if the number is out of the range of `Number`. The longest match is read. The caller must check the character
// after it.

/// Reads any number by the standard library. Not inlined, because it is rarely called.
template <typename Number>
[[gnu::noinline]] const char* ConvertAny(const char* begin, const char* end, Number* value) {
  const char* digits = begin + (begin != end && *begin == '-' ? 1 : 0);
  if (digits == end) return nullptr;
  if constexpr (std::is_floating_point_v<Number>) {
    if (*digits == '.') return nullptr;  // FromChars() would accept `.5`
  }
  const std::from_chars_result result = FromChars(begin, end, value);
  return result.ec == std::errc() ? result.ptr : nullptr;
}

/// Returns 1 if there is a minus, otherwise 0. It does not use a comparison, because compilers put the result of a
/// comparison into a part of a register, and the processor then waits for the previous value of that register, which
/// comes from the division of the last number.
inline unsigned SignOf(const char* begin) { return (static_cast<unsigned char>(*begin ^ '-') - 1u) >> 31; }

/// Appends the digits at `at` to those in `value`. The value is correct only if there are at most 19 digits.
inline const char* TakeFewDigits(const char* at, const char* end, std::uint64_t* value) {
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0';
    if (digit > 9) break;
    *value = *value * 10 + digit;
  }
  return at;
}

// ---- eight digits at once: the number of digits then needs no branch, which would be unpredictable

inline constexpr std::array<std::uint64_t, 9> kPowersOfTen = {1,      10,      100,      1000,     10000,
                                                              100000, 1000000, 10000000, 100000000};

/// Loads eight characters, and converts each to the digit that it represents.
inline std::uint64_t LoadDigits(const char* at) { return LoadEight(at) ^ kEachByte * '0'; }

/// Returns how many bytes, beginning with the lowest one, are digits.
inline unsigned CountDigits(std::uint64_t digits) {
  // The high bit is set in the first byte that is not a digit, and in some bytes after it.
  const std::uint64_t others = (digits | (digits + kEachByte * (0x80 - 10))) & kHighBits;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// Returns the value of the first `count` digits.
inline std::uint64_t ValueOfDigits(std::uint64_t digits, unsigned count) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  digits = digits << (4 * (8 - count)) << (4 * (8 - count));  // zeros are shifted in before the first digit
  digits = digits * 10 + (digits >> 8);
  return ((digits & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
          (digits >> 16 & kPairs) * (1 + (std::uint64_t{10000} << 32))) >>
         32;
}

/// Like TakeFewDigits().
inline const char* TakeDigits(const char* at, const char* end, std::uint64_t* value) {
  for (; end - at >= 8; at += 8) {
    const std::uint64_t digits = LoadDigits(at);
    const unsigned count = CountDigits(digits);
    *value = *value * kPowersOfTen[count] + ValueOfDigits(digits, count);
    if (count != 8) return at + count;
  }
  return TakeFewDigits(at, end, value);
}

// ---- integers

template <typename Number>
Number WithSign(std::uint64_t magnitude, unsigned sign) {
  return static_cast<Number>((magnitude ^ (0 - std::uint64_t{sign})) +
                             sign);  // negates the number if `sign` is set, without a branch
}

/// Reads an integer with up to 18 digits, as nearly all have.
template <typename Number>
const char* ConvertInteger(const char* begin, const char* end, Number* value) {
  constexpr std::ptrdiff_t kDigits = 18;
  const unsigned sign = begin == end ? 0 : SignOf(begin);
  const char* const digits = begin + sign;
  std::uint64_t magnitude = 0;
  const char* const at = TakeDigits(digits, end, &magnitude);
  const std::uint64_t largest =
      static_cast<std::uint64_t>(std::numeric_limits<Number>::max()) + (std::is_signed_v<Number> ? sign : 0);
  const bool is_out_of_range = magnitude > largest || (std::is_unsigned_v<Number> && sign != 0);
  if (at == digits || at - digits > kDigits || is_out_of_range) return ConvertAny(begin, end, value);
  *value = WithSign<Number>(magnitude, sign);
  return at;
}

/// Reads an integer with up to seven digits.
template <typename Number>
const char* ConvertCommonInteger(const char* begin, Number* value) {
  const unsigned sign = SignOf(begin);
  const std::uint64_t digits = LoadDigits(begin) >> (8 * sign);
  const unsigned count = CountDigits(digits);
  if (count == 0 || count == 8 || (std::is_unsigned_v<Number> && sign != 0)) return nullptr;
  *value = WithSign<Number>(ValueOfDigits(digits, count), sign);
  return begin + sign + count;
}

// ---- floating-point numbers

/// Clinger's fast path. If the digits and the power of ten are exact doubles, one multiplication or division gives the
/// double nearest to their product. Rounded to a float, this is also the nearest float, unless it is halfway between
/// two floats or not a normal float. Returns false if this method cannot be used.
template <typename Number>
bool Scale(std::uint64_t mantissa, std::int64_t power, unsigned sign, Number* value) {
  static constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int kLargestPower = 22;
  if (mantissa > std::uint64_t{1} << 53 || power > kLargestPower || power < -kLargestPower) return false;
  auto number = static_cast<double>(static_cast<std::int64_t>(mantissa));
  number = power < 0 ? number / kPowers[static_cast<std::size_t>(-power)]
                     : number * kPowers[static_cast<std::size_t>(power)];
  if constexpr (std::is_same_v<Number, float>) {
    // The bits of a double that a float does not have.
    constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
    const bool is_half_way = (std::bit_cast<std::uint64_t>(number) & kBelowFloat) == std::uint64_t{1} << 28;
    // There is no branch for zero, because it would be unpredictable: any number of a list may be zero.
    const bool is_too_small = (number < std::numeric_limits<float>::min()) & (mantissa != 0);
    if (is_half_way || is_too_small || number >= std::numeric_limits<float>::max()) return false;
  }
  using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
  const auto bits = std::bit_cast<Bits>(static_cast<Number>(number));
  *value = std::bit_cast<Number>(bits | Bits{sign} << (8 * sizeof(Bits) - 1));
  return true;
}

/// Reads a number with up to 18 digits, as nearly all have.
template <typename Number>
const char* ConvertFloat(const char* begin, const char* end, Number* value) {
  constexpr std::ptrdiff_t kDigits = 18;
  const unsigned sign = begin == end ? 0 : SignOf(begin);
  const char* const digits = begin + sign;
  std::uint64_t mantissa = 0;
  const char* at = TakeFewDigits(digits, end, &mantissa);
  std::ptrdiff_t count = at - digits;
  if (count == 0) return ConvertAny(begin, end, value);
  std::int64_t power = 0;
  if (at != end && *at == '.') {
    const char* const fraction = at + 1;
    at = TakeDigits(fraction, end, &mantissa);
    power = fraction - at;
    count += at - fraction;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    const bool is_small = exponent != end && *exponent == '-';
    if (exponent != end && (*exponent == '-' || *exponent == '+')) ++exponent;
    std::uint64_t magnitude = 0;
    at = TakeFewDigits(exponent, end, &magnitude);
    if (at == exponent || at - exponent > 4) return ConvertAny(begin, end, value);
    power += is_small ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  }
  return count <= kDigits && Scale(mantissa, power, sign, value) ? at : ConvertAny(begin, end, value);
}

/// Reads a single digit, or a digit, a dot and up to 15 more digits. An exponent may follow.
template <typename Number>
const char* ConvertCommonFloat(const char* begin, Number* value) {
  const unsigned sign = SignOf(begin);
  const char* const first = begin + sign;
  const char* const fraction = first + 2;
  std::uint64_t mantissa = static_cast<unsigned char>(*first) - std::uint64_t{'0'};
  if (mantissa > 9) return nullptr;
  if (first[1] != '.') return first[1] == ',' && Scale(mantissa, 0, sign, value) ? first + 1 : nullptr;
  const char* at = fraction;
  std::uint64_t digits = LoadDigits(at);
  unsigned count = CountDigits(digits);
  if (count == 8) {
    mantissa = mantissa * kPowersOfTen[8] + ValueOfDigits(digits, 8);
    at += 8;
    digits = LoadDigits(begin + 10) >> (8 * sign);  // the digits at `at`, but computed without waiting for the sign
    count = CountDigits(digits);
    if (count == 8) return nullptr;
  }
  mantissa = mantissa * kPowersOfTen[count] + ValueOfDigits(digits, count);
  at += count;
  return Scale(mantissa, fraction - at, sign, value) ? at : nullptr;
}

// ---- any number

template <typename Number>
const char* Convert(const char* begin, const char* end, Number* value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return ConvertFloat(begin, end, value);
  } else {
    return ConvertInteger(begin, end, value);
  }
}

/// ConvertCommon() may read this many characters even if the number is shorter.
inline constexpr std::ptrdiff_t kLongestCommon = 18;

/// Reads the most common forms of numbers in lists. It is faster than Convert(), because it does not check for the end
/// of the text and has few branches. Returns null for other forms. The caller must check the next character, because it
/// may belong to the number.
template <typename Number>
const char* ConvertCommon(const char* begin, Number* value) {
  if constexpr (std::is_floating_point_v<Number>) {
    return ConvertCommonFloat(begin, value);
  } else {
    return ConvertCommonInteger(begin, value);
  }
}

}  // namespace onnxc::lower
