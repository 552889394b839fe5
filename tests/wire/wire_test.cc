#include "wire/wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace onnxc::testing {

using wire::TakeVarint;

namespace {

std::string Varint(std::uint64_t value) {
  std::array<std::uint8_t, 10> bytes = {};
  return {bytes.data(), google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(value, bytes.data())};
}

// After the varint come no bytes, a few bytes, or enough bytes to read eight bytes at once.
TEST(Wire, TakesVarintsOfAllLengths) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> values = {0, 1, 127, 128, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (int i = 0; i < 100; ++i) values.push_back(random() >> shift);
  }
  for (const std::uint64_t value : values) {
    for (const std::string& behind :
         {std::string(), std::string("\x80"), std::string(20, '\xff'), std::string(20, 1)}) {
      const std::string bytes = Varint(value) + behind;
      std::string_view rest = bytes;
      EXPECT_EQ(TakeVarint(&rest), value);
      EXPECT_EQ(rest, behind);
    }
  }
}

// Forms that protobuf reads but does not write: superfluous zero bytes, and bits beyond the 64th.
TEST(Wire, TakesVarintsThatAreLongerThanTheyNeedBe) {
  const auto take = [](std::string bytes) {
    std::string_view rest = bytes;
    const std::optional<std::uint64_t> value = TakeVarint(&rest);
    std::uint64_t expected = 0;
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                  static_cast<int>(bytes.size()));
    EXPECT_EQ(stream.ReadVarint64(&expected) ? std::optional(expected) : std::nullopt, value);
    return value;
  };
  for (std::size_t length = 1; length <= 12; ++length) {
    for (const char last : {'\x00', '\x01', '\x7f'}) {
      for (const std::string& behind : {std::string(), std::string(20, '\xff')}) {
        const std::optional<std::uint64_t> value = take(std::string(length - 1, '\x80') + last + behind);
        EXPECT_EQ(value.has_value(), length <= 10) << length;
      }
    }
  }
  for (std::size_t length = 0; length <= 9; ++length) EXPECT_EQ(take(std::string(length, '\xff')), std::nullopt);
}

}  // namespace
}  // namespace onnxc::testing
