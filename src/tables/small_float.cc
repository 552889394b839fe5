#include "tables/small_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "platform/from_chars.h"

namespace onnxc {
namespace {

constexpr SmallFloat kFormats[] = {
    // code, exponent, mantissa, bias, sign, infinity, subnormals, nan, max
    {10, 5, 10, 15, true, true, true, 0x7e00, 0x7bff},  // float16
    {16, 8, 7, 127, true, true, true, 0x7fc0, 0x7f7f},  // bfloat16
    {17, 4, 3, 7, true, false, true, 0x7f, 0x7e},       // float8e4m3fn
    {18, 4, 3, 8, true, false, true, 0x80, 0x7f},       // float8e4m3fnuz: the bits of -0 are NaN
    {19, 5, 2, 15, true, true, true, 0x7e, 0x7b},       // float8e5m2
    {20, 5, 2, 16, true, false, true, 0x80, 0x7f},      // float8e5m2fnuz
    {23, 2, 1, 1, true, false, true, 0, 0x7},           // float4e2m1
    {24, 8, 0, 127, false, false, false, 0xff, 0xfe},   // float8e8m0: powers of two
    {27, 2, 3, 1, true, false, true, 0, 0x1f},          // float6e2m3
    {28, 3, 2, 3, true, false, true, 0, 0x1f},          // float6e3m2
};

std::uint32_t SignBit(const SmallFloat& format) {
  return format.has_sign ? 1u << (format.exponent_bits + format.mantissa_bits) : 0;
}

// Returns whether the format has no -0, because the bits of -0 represent NaN.
bool IsUnsignedZero(const SmallFloat& format) { return format.nan != 0 && format.nan == SignBit(format); }

// A decimal number as its digits and the power of ten of its first digit, for exact comparison. Zeros at both ends are
// removed.
struct Decimal {
  std::string digits;
  long long exponent = 0;
};

Decimal ToDecimal(std::string_view literal) {
  Decimal decimal;
  long long before_dot = 0;
  bool seen_dot = false;
  for (const char c : literal.substr(0, literal.find_first_of("eE"))) {
    if (c == '.') {
      seen_dot = true;
    } else {
      decimal.digits.push_back(c);
      before_dot += seen_dot ? 0 : 1;
    }
  }
  const std::size_t first = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.exponent = DecimalExponent(literal) + before_dot - static_cast<long long>(first);
  decimal.digits.erase(0, first);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  return decimal;
}

// Compares a decimal literal with a double exactly. Returns a negative number, zero or a positive number if the literal
// is less than, equal to or greater than the double.
int Compare(std::string_view literal, double value) {
  const Decimal a = ToDecimal(literal);
  const Decimal b = ToDecimal(fmt::format("{:.800e}", value));  // a double has at most 767 digits
  if (a.digits.empty() || b.digits.empty())
    return static_cast<int>(!a.digits.empty()) - static_cast<int>(!b.digits.empty());
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits.compare(b.digits);
}

// Returns the bits of the largest number of the format that is not greater than the positive `value`.
std::uint32_t RoundDown(const SmallFloat& format, double value) {
  std::uint32_t low = 0;
  std::uint32_t high = format.max;
  while (low < high) {  // the bits of positive numbers have the same order as their values
    const std::uint32_t middle = low + (high - low + 1) / 2;
    if (DecodeSmallFloat(format, middle) <= value) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

SmallFloatBits EncodeMagnitude(const SmallFloat& format, std::string_view literal) {
  double value = 0;
  const std::from_chars_result result = FromChars(literal.data(), literal.data() + literal.size(), &value);
  if (result.ec == std::errc::result_out_of_range) {
    value = ToDecimal(literal).exponent > 0 ? HUGE_VAL : 0;
  }
  if (!format.has_subnormals && Compare(literal, 0) == 0) return {0, SmallFloatError::kNoZero};
  // The literal is compared exactly, because the double nearest to it may be halfway between two numbers of the format
  // although the literal itself is not.
  std::uint32_t bits = RoundDown(format, value);
  const double low = DecodeSmallFloat(format, bits);
  const bool is_max = bits == format.max;
  const double step = is_max ? low - DecodeSmallFloat(format, bits - 1) : DecodeSmallFloat(format, bits + 1) - low;
  const double middle = format.mantissa_bits == 0 && is_max ? low * 1.5 : low + step / 2;
  int order = std::isinf(value) ? 1 : value < middle ? -1 : value > middle ? 1 : Compare(literal, middle);
  if (order == 0) order = (bits & 1u) != 0 ? 1 : -1;
  if (order < 0) return {bits, SmallFloatError::kNone};
  if (is_max) return {bits, SmallFloatError::kTooLarge};
  return {bits + 1, SmallFloatError::kNone};
}

}  // namespace

long long DecimalExponent(std::string_view literal) {
  constexpr long long kFar = 1'000'000'000'000;
  const std::size_t mark = literal.find_first_of("eE");
  if (mark == std::string_view::npos) return 0;
  std::string_view power = literal.substr(mark + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  long long exponent = 0;
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range) {
    exponent = power.starts_with('-') ? -kFar : kFar;
  }
  return std::clamp(exponent, -kFar, kFar);
}

const SmallFloat* FindSmallFloat(int data_type) {
  const auto* row = std::ranges::find(kFormats, data_type, &SmallFloat::code);
  return row == std::end(kFormats) ? nullptr : row;
}

double DecodeSmallFloat(const SmallFloat& format, std::uint32_t bits) {
  const std::uint32_t sign = bits & SignBit(format);
  const std::uint32_t magnitude = bits & ~SignBit(format);
  const double factor = sign != 0 ? -1 : 1;
  const bool is_nan = IsUnsignedZero(format) ? bits == format.nan : format.nan != 0 && magnitude > format.max;
  const std::uint32_t infinity = format.max + 1;
  if (format.has_infinity && magnitude == infinity) return factor * HUGE_VAL;
  if (is_nan) return std::copysign(std::nan(""), factor);
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const bool is_subnormal = exponent == 0 && format.has_subnormals;
  const double fraction = mantissa + (is_subnormal ? 0 : std::ldexp(1.0, format.mantissa_bits));
  return factor * std::ldexp(fraction, (is_subnormal ? 1 : exponent) - format.bias - format.mantissa_bits);
}

SmallFloatBits EncodeSmallFloat(const SmallFloat& format, std::string_view literal) {
  const bool is_negative = literal.starts_with('-');
  if (is_negative) literal.remove_prefix(1);
  const char first = static_cast<char>(literal.front() | 0x20);
  SmallFloatBits result;
  if (first == 'n') {
    if (format.nan == 0) return {0, SmallFloatError::kNoNan};
    result.bits = format.nan;
    if (IsUnsignedZero(format)) return result;
  } else if (first == 'i') {
    if (!format.has_infinity) return {0, SmallFloatError::kNoInfinity};
    result.bits = format.max + 1;
  } else {
    result = EncodeMagnitude(format, literal);
  }
  if (!is_negative) return result;
  if (!format.has_sign) return {0, SmallFloatError::kNoSign};
  if (result.bits != 0 || !IsUnsignedZero(format)) result.bits |= SignBit(format);
  return result;
}

std::optional<std::string> SmallFloatLiteral(const SmallFloat& format, std::uint32_t bits) {
  const double value = DecodeSmallFloat(format, bits);
  const auto encodes = [&](std::string_view literal) {
    const SmallFloatBits encoded = EncodeSmallFloat(format, literal);
    return encoded.error == SmallFloatError::kNone && encoded.bits == bits;
  };
  if (std::isnan(value) || std::isinf(value)) {
    std::string word = fmt::format("{}{}", std::signbit(value) ? "-" : "", std::isnan(value) ? "nan" : "inf");
    return encodes(word) ? std::optional(std::move(word)) : std::nullopt;
  }
  for (int precision = 1;; ++precision) {
    std::string literal = fmt::format("{:.{}g}", value, precision);
    if (!encodes(literal)) continue;
    if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
    return literal;
  }
}

}  // namespace onnxc
