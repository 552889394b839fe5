// The shortest decimal that reads back as the same float: Raffaello Giulietti's Schubfach, in 64 bits.
//
// A float is m * 2^q, where m has 24 bits. Its neighbours have the distance 2^q, so every number within 2^q / 2 reads
// back as the float; the edges of this interval do so if m is even. Let 10^k be the largest power of ten that is not
// greater than 2^q. Then some multiple of 10^k is in the interval, and at most one multiple of 10^(k+1) is. If there is
// one, it is the shortest decimal, without its trailing zeros. Otherwise, the shortest decimal is the nearest multiple
// of 10^k.
//
// The unit of the computation is 10^(k+1): the distance of neighbours is `unit`, between 0.1 and 1, and the float is m
// * unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace onnxc::print {

/// The number (10 * tens + last) * 10^exponent. If the last digit is 0, digits before it may also be 0.
struct Decimal {
  std::uint32_t tens;
  std::uint32_t last;
  int exponent;
};

/// A fraction below 1 with 192 bits. The first element has the highest bits. Bits below the 192 are truncated.
using Fraction = std::array<std::uint32_t, 6>;

constexpr Fraction Times(Fraction fraction, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::size_t i = fraction.size(); i-- > 0; carry >>= 32) {
    carry += std::uint64_t{fraction[i]} * factor;
    fraction[i] = static_cast<std::uint32_t>(carry);
  }
  return fraction;
}

constexpr Fraction Over(Fraction fraction, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::uint32_t& part : fraction) {
    rest = rest << 32 | part;
    part = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  return fraction;
}

/// The values on which the digits of a float depend, in addition to m.
struct Scale {
  std::uint64_t unit = 0;  // times 2^-64
  int k = 0;
};

/// The scale for each value of the exponent field in the bits of a float. The value of the exponent field is q + 150.
inline constexpr std::array<Scale, 255> kScales = [] {
  constexpr std::size_t kOne = 150;  // the index of q = 0
  constexpr Fraction kHalf{0x80000000u};
  constexpr Fraction kTenth = Over(kHalf, 5);
  constexpr Fraction kFifth = Times(kTenth, 2);
  std::array<Scale, 255> scales{};
  const auto set = [&](std::size_t i, const Fraction& unit, int k) {
    scales[i] = {std::uint64_t{unit[0]} << 32 | unit[1], k};
  };
  Fraction unit = kHalf;  // as long as 2^q is below 1, all values are exact: the longest is 5^44 / 2^105
  int k = -1;
  for (std::size_t i = kOne; i-- > 1;) {  // each step halves 2^q
    set(i, unit, k);
    const bool is_below = unit < kFifth;
    unit = is_below ? Times(unit, 5) : Over(unit, 2);
    k -= int{is_below};
  }
  unit = kTenth;
  k = 0;
  for (std::size_t i = kOne; i < scales.size(); ++i) {  // each step doubles 2^q
    set(i, unit, k);
    const bool is_above = unit >= kHalf;
    unit = is_above ? Over(unit, 5) : Times(unit, 2);
    k += int{is_above};
  }
  return scales;
}();

/// Returns the shortest decimal of the float with these bits. The float must be positive, normal and not a power of
/// two, because the neighbour below a power of two is nearer. No branch depends on the number. A test of all floats
/// shows that 64 bits of `unit` are enough: it compares the output with that of std::to_chars()
/// (Numbers.DISABLED_AllFloats).
[[nodiscard]] inline Decimal ShortestDecimal(std::uint32_t bits) {
  const Scale& scale = kScales[bits >> 23];
  const std::uint64_t m = (bits & 0x7fffffu) | 0x800000u;
  // The integer and the fractional part of m * unit.
  const auto tens = static_cast<std::uint32_t>((m * (scale.unit >> 32) + (m * (scale.unit & 0xffffffffu) >> 32)) >> 32);
  const std::uint64_t fraction = m * scale.unit;
  // The allowed distance to a multiple of 10^(k+1). The truncated bits of `unit` contribute less than 2^24 here, and
  // only a float exactly at the edge can be this close to the edge.
  constexpr std::uint64_t kError = std::uint64_t{1} << 25;
  const std::uint64_t reach = scale.unit / 2 + kError - (m & 1) * (2 * kError);
  const bool above = fraction >= std::uint64_t{0} - reach;
  const bool below = fraction <= reach;
  // The nearest digit, in units of 2^-60. A tie is 2.5 or 7.5 and is rounded to the even digit.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 59;
  constexpr std::uint64_t kQuarter = std::uint64_t{1} << 62;
  const std::uint64_t nearest = ((fraction >> 4) * 10 + kHalf - std::uint64_t{fraction == kQuarter}) >> 60;
  return {tens + std::uint32_t{above}, static_cast<std::uint32_t>(nearest) & (std::uint32_t{above || below} - 1),
          scale.k};
}

}  // namespace onnxc::print
