// The fast functions that read numbers give the same results as std::from_chars.
#include "lower/number.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace onnxc::lower {
namespace {

constexpr int kLiterals = 150'000;

template <typename Number>
class ReadsNumbers : public ::testing::Test {
 protected:
  /// Returns false, with a message, if the two functions differ, whether or not text follows the literal.
  bool Same(const std::string& literal) { return SameHere(literal) && SameHere(literal + ",1234567890123456789"); }

  std::mt19937_64 random_{1};
  int common_ = 0;  // literals that ConvertCommon() accepted

 private:
  /// Compares the bits of the value, and the end of the literal.
  bool SameHere(const std::string& literal) {
    const char* const begin = literal.data();
    const char* const end = begin + literal.size();
    Number value{};
    Number expected{};
    const char* const at = Convert(begin, end, &value);
    const char* const expected_at = ConvertAny(begin, end, &expected);
    bool is_same = at == expected_at && (at == nullptr || std::memcmp(&value, &expected, sizeof value) == 0);
    if (end - begin > kLongestCommon) {  // the fast function for lists, which needs enough text to read
      const char* const common_at = ConvertCommon(begin, &value);
      const bool is_taken = common_at != nullptr && *common_at == ',';
      is_same &= !is_taken || (common_at == at && std::memcmp(&value, &expected, sizeof value) == 0);
      common_ += is_taken ? 1 : 0;
    }
    EXPECT_TRUE(is_same) << literal << " gives " << value << ", not " << expected;
    return is_same;
  }
};

using Numbers = ::testing::Types<float, double, std::int32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(ReadsNumbers, Numbers);

TYPED_TEST(ReadsNumbers, OfAnyDigits) {
  const auto below = [&](std::uint64_t limit) { return this->random_() % limit; };
  const auto digits = [&](std::string* literal, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) *literal += static_cast<char>('0' + below(10));
  };
  constexpr std::string_view kBehind = ",. e-+x}0";
  for (int i = 0; i < kLiterals; ++i) {
    std::string literal = below(2) == 0 ? "-" : "";
    if (below(8) == 0) literal += std::string(below(30), '0');
    digits(&literal, below(3) == 0 ? 1 : below(22));
    if (below(2) == 0) {
      literal += '.';
      if (below(8) == 0) literal += std::string(below(30), '0');
      digits(&literal, below(22));
    }
    if (below(3) == 0) {
      literal += below(2) == 0 ? 'e' : 'E';
      literal += std::array{"", "-", "+"}[below(3)];
      literal += fmt::to_string(below(below(2) == 0 ? 30 : 330));
    }
    if (below(4) == 0) literal += kBehind[below(kBehind.size())];
    if (!this->Same(literal)) return;
  }
  EXPECT_GT(this->common_, kLiterals / 100);
}

TYPED_TEST(ReadsNumbers, AtTheLimits) {
  using Limits = std::numeric_limits<TypeParam>;
  const auto literals = [](auto number) { return fmt::format("{}", number); };
  for (const char* sign : {"", "-"}) {
    for (std::uint64_t distance = 0; distance < 3; ++distance) {
      for (const std::uint64_t near :
           {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 53,
            std::uint64_t{1} << 63, std::uint64_t{999999999999999999}}) {
        EXPECT_TRUE(this->Same(sign + literals(near + distance)) && this->Same(sign + literals(near - distance)));
      }
    }
    for (const char* word : {"",
                             "inf",
                             "nan",
                             "nan0x7fc00001",
                             "infinity",
                             "0",
                             "00",
                             "0.",
                             ".5",
                             "1e",
                             "1e+",
                             "1e-",
                             "0e99999999999999999999",
                             "1e99999999999999999999",
                             "1e-99999999999999999999",
                             "1e0000000000000000001",
                             "0x10",
                             "1.e5",
                             "1..5",
                             "9223372036854775808"}) {
      EXPECT_TRUE(this->Same(std::string(sign) + word));
    }
  }
  EXPECT_TRUE(this->Same(literals(Limits::max())) && this->Same(literals(Limits::lowest())));
  EXPECT_TRUE(this->Same(literals(Limits::min())));
}

template <typename Number>
class ReadsFloats : public ReadsNumbers<Number> {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReadsFloats, Floats);

// Decimals of random numbers and of the midpoints to their neighbours: exactly, and with one digit more or less.
TYPED_TEST(ReadsFloats, OfAnyBits) {
  using Bits = std::conditional_t<sizeof(TypeParam) == 4, std::uint32_t, std::uint64_t>;
  for (int i = 0; i < kLiterals; ++i) {
    auto number = std::bit_cast<TypeParam>(static_cast<Bits>(this->random_()));
    if (i % 2 == 0)
      number = static_cast<TypeParam>(std::ldexp(1 + static_cast<double>(this->random_() % 4096) / 4096,
                                                 static_cast<int>(this->random_() % 60) - 30));
    if (!std::isfinite(number)) continue;
    if (!this->Same(fmt::format("{}", number)) || !this->Same(fmt::format("{:.17}", number))) return;
    if constexpr (sizeof(TypeParam) == 4) {
      const float next = std::nextafter(number, std::numeric_limits<float>::infinity());
      if (!std::isfinite(next)) continue;
      const double half_way = (static_cast<double>(number) + static_cast<double>(next)) / 2;
      for (const double near : {half_way, std::nextafter(half_way, -1e300), std::nextafter(half_way, 1e300)}) {
        for (const int precision : {8, 12, 15, 16, 17, 30}) {
          if (!this->Same(fmt::format("{:.{}g}", near, precision))) return;
        }
        if (std::abs(near) < 1e15 && !this->Same(fmt::format("{:.17f}", near))) return;
      }
    }
  }
}

}  // namespace
}  // namespace onnxc::lower
