// Floating-point types of 16 bits and less: their values as text. One row a format, for builder and printer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc {

/// The layout of a type: sign, exponent, mantissa, from the highest bit. Subnormals where the lowest exponent is not a
/// power of two of its own.
struct SmallFloat {
  int code;  ///< TensorProto.DataType
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;
  bool has_infinity;
  bool has_subnormals;
  std::uint32_t nan;  ///< the bits of a positive NaN; 0 where there is none
  std::uint32_t max;  ///< the bits of the largest finite number
};

/// The row of a TensorProto.DataType, or null where it is no such type.
[[nodiscard]] const SmallFloat* FindSmallFloat(int data_type);

/// The exponent behind the `e` of a decimal literal, 0 where it has none; no further from 0 than 10^12.
[[nodiscard]] long long DecimalExponent(std::string_view literal);

/// What became of a literal.
enum class SmallFloatError { kNone, kTooLarge, kNoInfinity, kNoNan, kNoSign, kNoZero };

struct [[nodiscard]] SmallFloatBits {
  std::uint32_t bits = 0;
  SmallFloatError error = SmallFloatError::kNone;
};

/// The number nearest to a decimal literal (or inf, infinity, nan, each with or without `-`), ties to even.
/// kTooLarge: it would round to more than the largest finite number.
SmallFloatBits EncodeSmallFloat(const SmallFloat& format, std::string_view literal);

/// The value of a bit pattern, exact.
[[nodiscard]] double DecodeSmallFloat(const SmallFloat& format, std::uint32_t bits);

/// The shortest decimal, with a dot, an exponent or a special word, that encodes to these bits; nothing where none does
/// (a NaN other than the type's usual one).
[[nodiscard]] std::optional<std::string> SmallFloatLiteral(const SmallFloat& format, std::uint32_t bits);

}  // namespace onnxc
