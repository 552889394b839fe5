// Numbers are written like std::to_chars() writes them.
#include "print/common/numbers.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace onnxc::testing {
namespace {

using print::kRoomForNumber;
using print::WriteNumber;

template <typename Number>
void ExpectSameNumber(Number value) {
  std::array<char, kRoomForNumber + 1> text{};
  text.back() = '#';
  std::array<char, kRoomForNumber> expected{};
  const char* const end = WriteNumber(value, text.data());
  const char* const expected_end = std::to_chars(expected.data(), expected.data() + expected.size(), value).ptr;
  ASSERT_EQ(std::string_view(text.data(), end), std::string_view(expected.data(), expected_end));
  ASSERT_EQ(text.back(), '#') << value;
}

void ExpectSameFloats(std::uint32_t step) {
  for (std::uint64_t bits = 0; bits <= UINT32_MAX && !::testing::Test::HasFatalFailure(); bits += step) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isnan(value)) ExpectSameNumber(value);
  }
}

TEST(Numbers, FloatsOfAllExponents) {
  constexpr std::uint32_t kPrime = 9973;  // a prime number, so that all bits of the tested floats vary
  ExpectSameFloats(kPrime);
}

// Proves that 64 bits are enough for the digits of a float; takes some minutes.
TEST(Numbers, DISABLED_AllFloats) { ExpectSameFloats(1); }

TEST(Numbers, FloatsAroundPowersOfTwo) {
  for (std::uint32_t bits = 0; bits < 0x7f800000; bits += 0x800000) {
    for (std::uint32_t offset = 0; offset < 100; ++offset) {
      ExpectSameNumber(std::bit_cast<float>(bits + offset));
      if (bits > 0) ExpectSameNumber(std::bit_cast<float>(bits - offset));
    }
  }
}

// Floats that end in 2.5 or 7.5 of their last digit, and floats for which a shorter decimal is exactly on the boundary
// of the range that reads back as the float. (The boundary belongs to the range if m is even, and does not if m is
// odd.)
TEST(Numbers, FloatsAtTies) {
  for (const float value : {31.2578125F, 53.8828125F, 130.890625F, 1121.90625F, 31.2578163F, 1201000064.F, 1274999936.F,
                            4.440064e+13F, 8.814592e+13F}) {
    for (const float near : {value, std::nextafter(value, 0.F), std::nextafter(value, INFINITY)}) {
      ExpectSameNumber(near);
      ExpectSameNumber(-near);
    }
  }
}

TEST(Numbers, NansWithTheirBits) {
  std::array<char, kRoomForNumber> text{};
  const auto written = [&](auto value) { return std::string(text.data(), WriteNumber(value, text.data())); };
  EXPECT_EQ(written(std::bit_cast<float>(0xffc00001u)), "nan0xffc00001");
  EXPECT_EQ(written(std::bit_cast<float>(0xffc00000u)), "-nan");
  EXPECT_EQ(written(std::bit_cast<double>(std::uint64_t{0xfff8000000000001})), "nan0xfff8000000000001");
}

TEST(Numbers, DoublesOfAllExponents) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value)) ExpectSameNumber(value);
  }
}

// Numbers with few digits, on both sides of the limits where 0.001 is written as 1e-03, and 1000000 as 1e+06.
TEST(Numbers, DecimalsOfAllLengths) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300'000; ++i) {
    const auto digits = static_cast<double>(random() >> (random() % 64));
    const double value = digits * std::pow(10.0, static_cast<int>(random() % 60) - 40);
    for (const double sign : {1.0, -1.0}) {
      ExpectSameNumber(sign * value);
      ExpectSameNumber(static_cast<float>(sign * value));
    }
  }
}

TEST(Numbers, IntegersOfAllLengths) {
  for (std::int32_t value = -110'000; value <= 110'000; ++value) {
    ExpectSameNumber(value);
    ExpectSameNumber(static_cast<std::int64_t>(value));
    ExpectSameNumber(static_cast<std::int16_t>(value));
    ExpectSameNumber(static_cast<std::uint16_t>(value));
    ExpectSameNumber(static_cast<std::int8_t>(value));
    ExpectSameNumber(static_cast<std::uint8_t>(value));
    ExpectSameNumber(static_cast<std::uint64_t>(value));
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    ExpectSameNumber(value);
    ExpectSameNumber(static_cast<std::int64_t>(value));
    ExpectSameNumber(static_cast<std::int32_t>(value));
  }
}

TEST(Numbers, IntegersAroundPowersOfTen) {
  for (std::uint64_t power = 1; power <= 1'000'000'000'000'000'000; power *= 10) {
    for (std::uint64_t value = power - 1; value <= power + 1; ++value) {
      ExpectSameNumber(value);
      ExpectSameNumber(static_cast<std::int64_t>(value));
      ExpectSameNumber(-static_cast<std::int64_t>(value));
      ExpectSameNumber(static_cast<std::uint32_t>(value));
      ExpectSameNumber(static_cast<std::int32_t>(value));
      ExpectSameNumber(static_cast<float>(value));
      ExpectSameNumber(static_cast<double>(value));
    }
  }
}

template <typename Number>
class NumbersOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(NumbersOf, Types);

TYPED_TEST(NumbersOf, EdgesOfTheType) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value :
       {TypeParam{0}, TypeParam{1}, TypeParam{10}, Limits::min(), Limits::max(), Limits::lowest(), Limits::denorm_min(),
        Limits::epsilon(), Limits::infinity(), Limits::quiet_NaN()}) {
    ExpectSameNumber(value);
    if (value != Limits::min() || !std::numeric_limits<TypeParam>::is_integer)
      ExpectSameNumber(static_cast<TypeParam>(-value));
  }
}

}  // namespace
}  // namespace onnxc::testing
