// Converts typed data to raw_data: each entry becomes the bytes of its type; if an entry does not fit, there is no
// result.
#include "tables/raw_data.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/proto.h"

namespace onnxc::testing {
namespace {

struct Case {
  std::string_view type;
  std::string data;  // in protobuf's text format
  std::string raw;   // "none" if it does not fit
};

std::string RawOf(const Case& row) {
  const ElementType* const type = FindElementType(row.type);
  std::string raw;
  if (type == nullptr) return "no type";
  return AppendRaw(FromTextProto<onnx::TensorProto>(row.data), *type, &raw) ? raw : "none";
}

TEST(RawData, HasEachEntryInTheBytesOfItsType) {
  using namespace std::string_literals;
  const std::vector<Case> cases = {
      {"int8", "int32_data: [-128, 127]", "\x80\x7f"},
      {"int8", "int32_data: 128", "none"},
      {"int8", "int32_data: -129", "none"},
      {"uint8", "int32_data: [0, 255]", "\0\xff"s},
      {"uint8", "int32_data: 256", "none"},
      {"uint8", "int32_data: -1", "none"},
      {"bool", "int32_data: [1, 255]", "\1\xff"},
      {"int16", "int32_data: [-32768, 32767]", "\0\x80\xff\x7f"s},
      {"int16", "int32_data: 32768", "none"},
      {"int16", "int32_data: -32769", "none"},
      {"uint16", "int32_data: [0, 65535]", "\0\0\xff\xff"s},
      {"uint16", "int32_data: -1", "none"},
      {"float16", "int32_data: 65535", "\xff\xff"},
      {"float16", "int32_data: 65536", "none"},
      {"int4", "int32_data: 255", "\xff"},
      {"int4", "int32_data: 256", "none"},
      {"int32", "int32_data: -1", "\xff\xff\xff\xff"},
      {"uint32", "uint64_data: 4294967295", "\xff\xff\xff\xff"},
      {"uint32", "uint64_data: 4294967296", "none"},
      {"uint64", "uint64_data: 18446744073709551615", "\xff\xff\xff\xff\xff\xff\xff\xff"},
      {"int64", "int64_data: -1", "\xff\xff\xff\xff\xff\xff\xff\xff"},
      {"float", "float_data: 1", "\0\0\x80\x3f"s},
      {"complex64", "float_data: [1, 1]", "\0\0\x80\x3f\0\0\x80\x3f"s},
      {"double", "double_data: 1", "\0\0\0\0\0\0\xf0\x3f"s},
      {"string", "string_data: 'a'", "none"},
  };
  for (const Case& row : cases) EXPECT_EQ(RawOf(row), row.raw) << row.type << " " << row.data;
}

}  // namespace
}  // namespace onnxc::testing
