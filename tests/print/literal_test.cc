#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "print/printing.h"

namespace onnxc::testing {
namespace {

std::string PrintedFloat(float value) {
  onnx::AttributeProto attribute;
  attribute.set_name("k");
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
  ExpectSame(ThereAndBack(attribute), attribute);
  return Printed(attribute).substr(std::string("k: float = ").size());
}

TEST(PrintLiteral, FloatsAreTheShortestThatReadBack) {
  EXPECT_EQ(PrintedFloat(5.0F), "5");
  EXPECT_EQ(PrintedFloat(-0.0F), "-0");
  EXPECT_EQ(PrintedFloat(0.1F), "0.1");
  EXPECT_EQ(PrintedFloat(0.001F), "0.001");
  EXPECT_EQ(PrintedFloat(0.0001F), "1e-04");
  EXPECT_EQ(PrintedFloat(10000.0F), "10000");
  EXPECT_EQ(PrintedFloat(1e5F), "1e+05");
  EXPECT_EQ(PrintedFloat(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(PrintedFloat(std::numeric_limits<float>::denorm_min()), "1e-45");
}

TEST(PrintLiteral, SpecialFloats) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(PrintedFloat(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(PrintedFloat(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(PrintedFloat(nan), "nan");
  EXPECT_EQ(PrintedFloat(std::copysign(nan, -1.0F)), "-nan");
}

TEST(PrintLiteral, NanPayloadIsALoss) {
  onnx::AttributeProto attribute;
  attribute.set_name("k");
  attribute.set_type(onnx::AttributeProto::FLOATS);
  attribute.add_floats(1.0F);
  attribute.add_floats(std::bit_cast<float>(std::uint32_t{0x7fc00001}));
  attribute.add_floats(std::bit_cast<float>(std::uint32_t{0x7fc00002}));
  EXPECT_EQ(Lost(attribute), Paths{"floats"});
}

TEST(PrintLiteral, NamesAreQuotedWhereTheyAreNoIdentifiers) {
  onnx::NodeProto node;
  for (const char* name : {"x", "_9", "float", "9x", "a.b", "", "a\"b\\c", "\xC3\xBC", "line\nbreak"}) {
    node.add_input(name);
  }
  node.set_op_type("Op");
  node.set_domain("");
  EXPECT_EQ(Printed(node),
            "    = Op (x, _9, float, \"9x\", \"a.b\", \"\", \"a\\\"b\\\\c\", \"\xC3\xBC\", \"line\nbreak\")\n");
  ExpectSame(ThereAndBack(node), node);
}

TEST(PrintLiteral, AnyBytesInAString) {
  onnx::AttributeProto attribute;
  attribute.set_name("k");
  attribute.set_type(onnx::AttributeProto::STRING);
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  attribute.set_s(bytes);
  ExpectSame(ThereAndBack(attribute), attribute);
}

}  // namespace
}  // namespace onnxc::testing
