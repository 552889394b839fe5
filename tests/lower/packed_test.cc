// Elements of packed fields are written like protobuf writes them.
#include "lower/packed.h"

#include <google/protobuf/io/coded_stream.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <string>

namespace onnxc::lower {
namespace {

std::string Varint(std::uint64_t value) {
  std::array<std::uint8_t, kRoomForElement> room{};
  return {room.data(), google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(value, room.data())};
}

template <typename Number>
std::string Element(Number number) {
  std::array<std::uint8_t, kRoomForElement> room{};
  return {room.data(), WriteElement(number, room.data())};
}

TEST(PackedElements, AreVarintsOfAnyLength) {
  std::mt19937_64 random(1);
  for (unsigned bits = 0; bits < 64; ++bits) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    for (const std::uint64_t value : {power, power - 1, power + 1, ~power, 0 - power}) {
      EXPECT_EQ(Element(value), Varint(value)) << value;
    }
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t value = random() >> bits;
      ASSERT_EQ(Element(value), Varint(value)) << value;
    }
  }
}

TEST(PackedElements, KeepTheSignInAllBits) {
  for (const std::int32_t value :
       {0, 1, -1, 127, -128, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(Element(value), Varint(static_cast<std::uint64_t>(std::int64_t{value}))) << value;
    EXPECT_EQ(Element(std::int64_t{value}), Element(value)) << value;
  }
}

TEST(PackedElements, OfFloatsAreTheirBytes) {
  EXPECT_EQ(Element(1.0f), std::string("\0\0\x80\x3f", 4));
  EXPECT_EQ(Element(-2.0), std::string("\0\0\0\0\0\0\0\xc0", 8));
}

}  // namespace
}  // namespace onnxc::lower
