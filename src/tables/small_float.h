// The values of floating-point types of 16 bits or less as text. The builder and the printer use the same row for a
// format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc {

/// The layout of a type: sign, exponent and mantissa, beginning at the highest bit. If `has_subnormals` is set, the
/// lowest exponent encodes subnormal numbers; otherwise it is an ordinary exponent.
struct SmallFloat {
  int code;  ///< TensorProto.DataType
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;
  bool has_infinity;
  bool has_subnormals;
  std::uint32_t nan;  ///< the bits of a positive NaN; 0 if there is none
  std::uint32_t max;  ///< the bits of the largest finite number
};

/// Returns the row of a TensorProto.DataType, or null if it is not a small floating-point type.
[[nodiscard]] const SmallFloat* FindSmallFloat(int data_type);

/// Returns the exponent after the `e` of a decimal literal, or 0 if it has none. The result is limited to an absolute
/// value of 10^12.
[[nodiscard]] long long DecimalExponent(std::string_view literal);

/// The result of encoding a literal.
enum class SmallFloatError { kNone, kTooLarge, kNoInfinity, kNoNan, kNoSign, kNoZero };

struct [[nodiscard]] SmallFloatBits {
  std::uint32_t bits = 0;
  SmallFloatError error = SmallFloatError::kNone;
};

/// Returns the number nearest to a decimal literal; ties round to even. The literal may also be inf, infinity or nan,
/// each with an optional `-`. kTooLarge means that the literal would round to more than the largest finite number.
SmallFloatBits EncodeSmallFloat(const SmallFloat& format, std::string_view literal);

/// Returns the exact value of a bit pattern.
[[nodiscard]] double DecodeSmallFloat(const SmallFloat& format, std::uint32_t bits);

/// Returns the shortest decimal literal that encodes to these bits. It has a dot or an exponent, or is a special word.
/// Returns nothing if there is none, as for a NaN other than the usual one of the type.
[[nodiscard]] std::optional<std::string> SmallFloatLiteral(const SmallFloat& format, std::uint32_t bits);

}  // namespace onnxc
