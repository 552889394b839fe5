// The function that WebAssembly uses reads the same numbers as the one of this platform.
#include "platform/from_chars.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "platform/wasm/strtod.h"

namespace onnxc {
namespace {

constexpr int kLiterals = 200'000;

template <typename Number>
class ReadsSameFloats : public ::testing::Test {
 protected:
  /// Returns false, with a message, if the two functions differ in the end, the error or the bits of the value.
  bool Same(const std::string& literal) {
    const std::string text = literal + "5e7";  // what follows the end must not be read
    const char* const begin = text.data();
    return SameUpTo(begin, begin + literal.size()) && SameUpTo(begin, begin + text.size());
  }

  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }

  std::mt19937_64 random_{1};

 private:
  bool SameUpTo(const char* begin, const char* end) {
    Number value{};
    Number expected{};
    const std::from_chars_result result = wasm::FromCharsByStrtod(begin, end, &value);
    const std::from_chars_result wanted = FromChars(begin, end, &expected);
    const bool is_same = result.ptr == wanted.ptr && result.ec == wanted.ec &&
                         (wanted.ec != std::errc() || std::memcmp(&value, &expected, sizeof value) == 0);
    EXPECT_TRUE(is_same) << std::string_view(begin, end) << " gives " << value << " and " << result.ptr - begin
                         << " characters, not " << expected << " and " << wanted.ptr - begin;
    return is_same;
  }
};

using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReadsSameFloats, Floats);

TYPED_TEST(ReadsSameFloats, OfAnyCharacters) {
  constexpr std::string_view kPieces[] = {"-",   "+",    ".",   "e",     "E", "0",   "1",   "25",  "9",
                                          "00",  " ",    "(",   ")",     "_", "a",   "inf", "INF", "nan",
                                          "NaN", "in",   "ity", "inity", "x", "0x1", "p1",  "e-9", "e99999999",
                                          "e30", "e-30", ",",   "\t",    "n", "f"};
  for (int i = 0; i < kLiterals; ++i) {
    std::string literal;
    for (std::uint64_t count = this->Below(8); count > 0; --count) {
      literal += kPieces[this->Below(std::size(kPieces))];
    }
    if (!this->Same(literal)) return;
  }
}

TYPED_TEST(ReadsSameFloats, OutOfRange) {
  for (const char* literal :
       {"1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999", "-0e-400", "1e400", "-1e400",
        "1e-400", "-1e-400", "3.4028235e38", "3.4028236e38", "1.4e-45", "7.0e-46", "7.1e-46", "1.7976931348623157e308",
        "1.7976931348623159e308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324"}) {
    this->Same(literal);
  }
  this->Same("0." + std::string(500, '0') + "1e501");
  this->Same("1" + std::string(500, '0') + "e-500");
}

// Decimals of random numbers, and of the midpoints to their neighbours: exactly, and slightly more or less.
TYPED_TEST(ReadsSameFloats, OfAnyBits) {
  using Bits = std::conditional_t<sizeof(TypeParam) == 4, std::uint32_t, std::uint64_t>;
  for (int i = 0; i < kLiterals / 10; ++i) {
    const auto number = std::bit_cast<TypeParam>(static_cast<Bits>(this->random_()));
    const TypeParam next = std::nextafter(number, std::numeric_limits<TypeParam>::infinity());
    if (!std::isfinite(number) || !std::isfinite(next)) continue;
    const long double half_way = (static_cast<long double>(number) + static_cast<long double>(next)) / 2;
    const std::string exact = fmt::format("{:.800e}", half_way);
    std::string more = exact;
    more[exact.find('e') - 1] = '1';
    std::string less = fmt::format("{:.800e}", std::nextafter(half_way, -HUGE_VALL));
    if (!this->Same(fmt::format("{}", number)) || !this->Same(fmt::format("{:.20e}", number)) || !this->Same(exact) ||
        !this->Same(more) || !this->Same(less)) {
      return;
    }
  }
}

}  // namespace
}  // namespace onnxc
