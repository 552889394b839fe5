// Canonical bytes: protobuf writes the same bytes for the message that it reads from them.
#include "wire/canonical.h"

#include <gtest/gtest.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "testing/predicates.h"
#include "testing/random_message.h"
#include "wire/message.h"

namespace onnxc::testing {
namespace {

using namespace std::string_view_literals;

bool AreCanonical(std::string_view bytes) { return wire::IsCanonical(bytes, *onnx::NodeProto::descriptor()); }

TEST(Canonical, AreBytesThatProtobufWrites) {
  EXPECT_TRUE(AreCanonical(""));
  EXPECT_TRUE(
      AreCanonical("\x0a\x01"
                   "a"
                   "\x0a\x01"
                   "b"
                   "\x12\x01"
                   "c"));
}

TEST(Canonical, AreFieldsInTheirOrder) {
  EXPECT_FALSE(
      AreCanonical("\x12\x01"
                   "c"
                   "\x0a\x01"
                   "a"));
  EXPECT_FALSE(
      AreCanonical("\x1a\x01"
                   "a"
                   "\x1a\x01"
                   "b"))
      << "the first of two names is lost";
}

TEST(Canonical, AreKnownFields) {
  EXPECT_FALSE(
      AreCanonical("\x7a\x01"
                   "a"));
  EXPECT_FALSE(
      AreCanonical("\x0d"
                   "abcd"))
      << "an input of another wire type";
}

TEST(Canonical, AreShortestNumbers) {
  EXPECT_FALSE(
      AreCanonical("\x0a\x81\x00"
                   "a"sv));
  EXPECT_FALSE(
      AreCanonical("\x8a\x00\x01"
                   "a"sv));
  EXPECT_TRUE(AreCanonical("\x2a\x02\x18\x01"sv)) << "an attribute with i";
  EXPECT_FALSE(AreCanonical("\x2a\x03\x18\x81\x00"sv));
}

TEST(Canonical, AreEnumeratorsOfToday) {
  EXPECT_TRUE(AreCanonical("\x2a\x03\xa0\x01\x01"sv));
  EXPECT_FALSE(AreCanonical("\x2a\x03\xa0\x01\x3f"sv));
}

TEST(Canonical, AreListsAsTheSchemaHasThem) {
  EXPECT_FALSE(AreCanonical("\x2a\x03\x42\x01\x05"sv)) << "ints, which are not packed";
  EXPECT_FALSE(AreCanonical("\x2a\x04\x2a\x02\x3a\x00"sv)) << "no int64_data";
  EXPECT_FALSE(AreCanonical("\x2a\x04\x2a\x02\x38\x05"sv)) << "int64_data, which are packed";
  EXPECT_TRUE(AreCanonical("\x2a\x05\x2a\x03\x3a\x01\x05"sv));
  EXPECT_FALSE(AreCanonical("\x2a\x08\x2a\x06\x3a\x01\x05\x3a\x01\x05"sv)) << "int64_data in two parts";
}

// A dimension has a value or a name.
TEST(Canonical, AreSingleAlternatives) {
  const auto are_canonical = [](std::string_view bytes) {
    return wire::IsCanonical(bytes, *onnx::TensorShapeProto::descriptor());
  };
  EXPECT_TRUE(are_canonical("\x0a\x02\x08\x05"));
  EXPECT_FALSE(are_canonical("\x0a\x05\x08\x05\x12\x01N"));
}

// Whichever byte is changed: if the bytes are considered canonical, protobuf writes the same bytes.
TEST(Canonical, IsTrueOnlyOfBytesThatAreWrittenAgain) {
  int canonical = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    std::string bytes = wire::ToWire(model);
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 300); ++i) {
      for (const unsigned bit : {1U, 8U, 128U}) {
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ bit);
        onnx::ModelProto read;
        if (wire::IsCanonical(bytes, *onnx::ModelProto::descriptor()) && read.ParseFromString(bytes)) {
          EXPECT_TRUE(testing::AreSame(wire::ToWire(read), bytes)) << "seed " << seed << ", byte " << i;
          ++canonical;
        }
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ bit);
      }
    }
  }
  EXPECT_GT(canonical, 100);
}

}  // namespace
}  // namespace onnxc::testing
