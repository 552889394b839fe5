#include "tables/small_float.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tables/element_types.h"

namespace onnxc {
namespace {

const SmallFloat& Format(int code) { return *FindSmallFloat(code); }
std::uint32_t Bits(int code, std::string_view literal) { return EncodeSmallFloat(Format(code), literal).bits; }
SmallFloatError Error(int code, std::string_view literal) { return EncodeSmallFloat(Format(code), literal).error; }

constexpr int kFloat16 = 10;
constexpr int kBfloat16 = 16;
constexpr int kE4m3fn = 17;
constexpr int kE4m3fnuz = 18;
constexpr int kE5m2 = 19;
constexpr int kE5m2fnuz = 20;
constexpr int kE2m1 = 23;
constexpr int kE8m0 = 24;
constexpr int kE2m3 = 27;
constexpr int kE3m2 = 28;

TEST(SmallFloat, EveryPatternPrintsAndReadsBack) {
  for (const int code : {kFloat16, kBfloat16, kE4m3fn, kE4m3fnuz, kE5m2, kE5m2fnuz, kE2m1, kE8m0, kE2m3, kE3m2}) {
    const SmallFloat& format = Format(code);
    const std::uint32_t count = 1u << (format.exponent_bits + format.mantissa_bits + (format.has_sign ? 1 : 0));
    for (std::uint32_t bits = 0; bits < count; ++bits) {
      const std::optional<std::string> literal = SmallFloatLiteral(format, bits);
      if (!literal) {
        EXPECT_TRUE(std::isnan(DecodeSmallFloat(format, bits))) << code << " " << bits;
        continue;
      }
      ASSERT_EQ(Bits(code, *literal), bits) << code << " " << *literal;
    }
  }
}

TEST(SmallFloat, KnownValues) {
  EXPECT_EQ(Bits(kFloat16, "1.0"), 0x3c00u);
  EXPECT_EQ(Bits(kFloat16, "-65504"), 0xfbffu);
  EXPECT_EQ(Bits(kFloat16, "5.960464477539063e-08"), 1u);
  EXPECT_EQ(Bits(kFloat16, "-inf"), 0xfc00u);
  EXPECT_EQ(Bits(kBfloat16, "1.0"), 0x3f80u);
  EXPECT_EQ(Bits(kE4m3fn, "448"), 0x7eu);
  EXPECT_EQ(Bits(kE4m3fnuz, "240"), 0x7fu);
  EXPECT_EQ(Bits(kE5m2, "57344"), 0x7bu);
  EXPECT_EQ(Bits(kE5m2fnuz, "57344"), 0x7fu);
  EXPECT_EQ(Bits(kE2m1, "6.0"), 7u);
  EXPECT_EQ(Bits(kE8m0, "1.0"), 127u);
  EXPECT_EQ(Bits(kE2m3, "-7.5"), 0x3fu);
  EXPECT_EQ(Bits(kE2m3, "0.125"), 1u);
  EXPECT_EQ(Bits(kE3m2, "28.0"), 0x1fu);
  EXPECT_EQ(Bits(kE3m2, "0.0625"), 1u);
  EXPECT_EQ(*SmallFloatLiteral(Format(kFloat16), 0x2e66), "0.1");
  EXPECT_EQ(*SmallFloatLiteral(Format(kFloat16), 0x3c00), "1.0");
  EXPECT_EQ(DecodeSmallFloat(Format(kE8m0), 0), std::ldexp(1.0, -127));
}

// Literals of all types whose elements are written as bits; a type without a row would have no values.
TEST(SmallFloat, EveryTypeOfBitsHasARow) {
  for (const ElementType& type : kElementTypes) {
    EXPECT_EQ(FindSmallFloat(type.code) != nullptr, type.literal == Literal::kBits) << type.keyword;
  }
}

TEST(SmallFloat, FarExponents) {
  EXPECT_EQ(Error(kFloat16, "1e9223372036854775807"), SmallFloatError::kTooLarge);
  EXPECT_EQ(Error(kFloat16, "1e+99999999999999999999"), SmallFloatError::kTooLarge);
  EXPECT_EQ(Bits(kFloat16, "1e-9223372036854775808"), 0u);
  EXPECT_EQ(Bits(kFloat16, "1e-99999999999999999999"), 0u);
}

TEST(SmallFloat, RoundsToNearestEven) {
  EXPECT_EQ(Bits(kFloat16, "2049"), Bits(kFloat16, "2048"));
  EXPECT_EQ(Bits(kFloat16, "2051"), Bits(kFloat16, "2052"));
  EXPECT_EQ(Bits(kE2m1, "2.5"), Bits(kE2m1, "2.0"));
  EXPECT_EQ(Bits(kE2m1, "3.5"), Bits(kE2m1, "4.0"));
  // Numbers that differ from a midpoint by less than a double can represent.
  EXPECT_EQ(Bits(kFloat16, "2049.0000000000000000000000001"), Bits(kFloat16, "2050"));
  EXPECT_EQ(Bits(kFloat16, "2048.9999999999999999999999999"), Bits(kFloat16, "2048"));
  EXPECT_EQ(Bits(kFloat16, "2.98023223876953125e-08"), 0u);
  EXPECT_EQ(Bits(kFloat16, "2.980232238769531250000000000000001e-08"), 1u);
}

TEST(SmallFloat, NothingSaturates) {
  EXPECT_EQ(Error(kFloat16, "65519.99"), SmallFloatError::kNone);
  EXPECT_EQ(Error(kFloat16, "65520"), SmallFloatError::kTooLarge);
  EXPECT_EQ(Error(kFloat16, "1e999"), SmallFloatError::kTooLarge);
  EXPECT_EQ(Error(kE4m3fn, "464"), SmallFloatError::kNone);  // the midpoint above 448, which is even
  EXPECT_EQ(Error(kE4m3fn, "465"), SmallFloatError::kTooLarge);
  EXPECT_EQ(Error(kE4m3fn, "inf"), SmallFloatError::kNoInfinity);
  EXPECT_EQ(Error(kE2m1, "nan"), SmallFloatError::kNoNan);
  EXPECT_EQ(Error(kE8m0, "-1.0"), SmallFloatError::kNoSign);
  EXPECT_EQ(Error(kE8m0, "0.0"), SmallFloatError::kNoZero);
  EXPECT_EQ(Bits(kE4m3fnuz, "-0.0"), 0u);
  EXPECT_EQ(Bits(kE4m3fnuz, "nan"), 0x80u);
}

}  // namespace
}  // namespace onnxc
