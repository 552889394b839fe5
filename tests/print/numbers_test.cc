// Numbers are written as std::to_chars() writes them.
#include "print/lossless/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace onnxc::testing {
namespace {

template <typename Number>
void ExpectSame(Number value) {
  std::array<char, kRoomForNumber + 1> text{};
  text.back() = '#';
  std::array<char, kRoomForNumber> expected{};
  const char* const end = WriteNumber(value, text.data());
  const char* const expected_end = std::to_chars(expected.data(), expected.data() + expected.size(), value).ptr;
  ASSERT_EQ(std::string_view(text.data(), end), std::string_view(expected.data(), expected_end));
  ASSERT_EQ(text.back(), '#') << value;
}

TEST(Numbers, FloatsOfAllExponents) {
  constexpr std::uint32_t kPrime = 9973;  // so that the last bits differ too
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; bits += kPrime) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isnan(value)) ExpectSame(value);
  }
}

TEST(Numbers, DoublesOfAllExponents) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value)) ExpectSame(value);
  }
}

// With few digits, on both sides of where 0.001 becomes 1e-03, and 1000000 becomes 1e+06.
TEST(Numbers, DecimalsOfAllLengths) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300'000; ++i) {
    const auto digits = static_cast<double>(random() >> (random() % 64));
    const double value = digits * std::pow(10.0, static_cast<int>(random() % 60) - 40);
    for (const double sign : {1.0, -1.0}) {
      ExpectSame(sign * value);
      ExpectSame(static_cast<float>(sign * value));
    }
  }
}

TEST(Numbers, IntegersOfAllLengths) {
  for (std::int32_t value = -110'000; value <= 110'000; ++value) {
    ExpectSame(value);
    ExpectSame(static_cast<std::int64_t>(value));
    ExpectSame(static_cast<std::int16_t>(value));
    ExpectSame(static_cast<std::uint16_t>(value));
    ExpectSame(static_cast<std::int8_t>(value));
    ExpectSame(static_cast<std::uint8_t>(value));
    ExpectSame(static_cast<std::uint64_t>(value));
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    ExpectSame(value);
    ExpectSame(static_cast<std::int64_t>(value));
    ExpectSame(static_cast<std::int32_t>(value));
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
    ExpectSame(value);
    if (value != Limits::min() || !std::numeric_limits<TypeParam>::is_integer)
      ExpectSame(static_cast<TypeParam>(-value));
  }
}

}  // namespace
}  // namespace onnxc::testing
