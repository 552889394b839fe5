#include <cstring>

#include "print/printing.h"
#include "tables/element_types.h"
#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

onnx::TensorProto Tensor(const std::string& text) { return FromTextProto<onnx::TensorProto>(text); }

onnx::TensorProto Raw(int type, std::int64_t count, const std::string& bytes) {
  onnx::TensorProto tensor;
  tensor.add_dims(count);
  tensor.set_data_type(type);
  tensor.set_raw_data(bytes);
  return tensor;
}

TEST(PrintTensor, TypedDataOfEachElementType) {
  for (const ElementType& type : kElementTypes) {
    if (type.code == 0) continue;
    onnx::TensorProto tensor;
    tensor.set_data_type(type.code);
    tensor.add_dims(2);
    tensor.set_name("w");
    switch (type.storage) {
      case Storage::kInt32: tensor.add_int32_data(1), tensor.add_int32_data(-7); break;
      case Storage::kInt64: tensor.add_int64_data(1), tensor.add_int64_data(INT64_MIN); break;
      case Storage::kUint64: tensor.add_uint64_data(1), tensor.add_uint64_data(UINT64_MAX); break;
      case Storage::kFloat: tensor.add_float_data(1), tensor.add_float_data(-0.5F); break;
      case Storage::kDouble: tensor.add_double_data(1), tensor.add_double_data(5e-324); break;
      case Storage::kString: tensor.add_string_data("a"), tensor.add_string_data(""); break;
      case Storage::kNone: break;
    }
    ExpectSame(ThereAndBack(tensor), tensor);
  }
}

TEST(PrintTensor, RawDataIsDecoded) {
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::FLOAT, 1, std::string("\0\0\xC0\x3F", 4))), "float[1] {1.5}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::DOUBLE, 1, std::string("\0\0\0\0\0\0\xF8\x3F", 8))), "double[1] {1.5}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::INT8, 2, "\x01\xFF")), "int8[2] {1,-1}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::UINT8, 2, "\x01\xFF")), "uint8[2] {1,255}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::BOOL, 2, std::string("\x02\0", 2))), "bool[2] {2,0}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::INT16, 1, "\xFE\xFF")), "int16[1] {-2}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::UINT16, 1, "\xFE\xFF")), "uint16[1] {65534}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::INT32, 1, "\xFE\xFF\xFF\xFF")), "int32[1] {-2}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::UINT32, 1, "\xFE\xFF\xFF\xFF")), "uint32[1] {4294967294}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::INT64, 1, std::string(8, '\xFF'))), "int64[1] {-1}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::UINT64, 1, std::string(8, '\xFF'))), "uint64[1] {18446744073709551615}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::FLOAT16, 1, std::string("\0\xBC", 2))), "float16[1] {48128}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::BFLOAT16, 1, std::string("\x80\xBF", 2))), "bfloat16[1] {49024}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::FLOAT8E4M3FN, 1, "\xFF")), "float8e4m3fn[1] {255}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::COMPLEX64, 1, std::string("\0\0\x80\x3F\0\0\0\x40", 8))),
            "complex64[1] {1,2}");
}

TEST(PrintTensor, PackedRawDataIsANumberForEachByte) {
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::INT4, 3, "\xF1\x02")), "int4[3] {241,2}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::UINT2, 5, "\xFF\x01")), "uint2[5] {255,1}");
  EXPECT_EQ(Printed(Raw(onnx::TensorProto::FLOAT4E2M1, 2, "\x21")), "float4e2m1[2] {33}");
}

TEST(PrintTensor, EmptyData) {
  EXPECT_EQ(Printed(Tensor("dims: 0 data_type: 8 name: 's'")), "string[0] s{}");
  EXPECT_EQ(Printed(Tensor("dims: 2 data_type: 1")), "float[2] {}");
  EXPECT_EQ(Printed(Tensor("data_type: 14")), "complex64 {}");
  EXPECT_EQ(Printed(Tensor("dims: 1 data_type: 1 raw_data: '' float_data: 2")), "float[1] {2}");
}

TEST(PrintTensor, ExternalData) {
  const std::string external = "data_type: 1 data_location: EXTERNAL external_data { key: 'location' value: 'f' } ";
  EXPECT_EQ(Printed(Tensor(external + "name: 'w' dims: 2")), "float[2] w[\"location\": \"f\"]");
  EXPECT_EQ(Printed(Tensor(external)), "float = [\"location\": \"f\"]");
  ExpectSame(ThereAndBack(Tensor(external + "dims: 2")), Tensor(external + "dims: 2"));
  for (const char* name : {"", "name: 'w'"}) {
    const auto attribute =
        FromTextProto<onnx::AttributeProto>("name: 'k' type: TENSOR t { dims: 2 " + external + name + "}");
    const onnx::AttributeProto back = ThereAndBack(attribute);
    EXPECT_EQ(back.t().external_data(0).value(), "f");
    EXPECT_EQ(back.t().name(), attribute.t().name());
  }
}

TEST(PrintTensor, LossesOfExternalData) {
  EXPECT_EQ(Lost(Tensor("data_type: 1 data_location: EXTERNAL")), Paths{"data_location"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 external_data { key: 'location' value: 'f' }")), Paths{"external_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 data_location: EXTERNAL external_data { key: 'location' value: 'f' } "
                        "float_data: 1 raw_data: 'abcd'")),
            (Paths{"float_data", "raw_data"}));
}

TEST(PrintTensor, LossesOfInlineData) {
  EXPECT_EQ(Lost(Tensor("data_type: 7 dims: 1 float_data: 1")), Paths{"float_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 8 raw_data: 'abc'")), Paths{"raw_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 raw_data: 'abcd' float_data: 1")), Paths{"float_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 dims: 2 raw_data: 'abcd'")), Paths{"raw_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 raw_data: 'abc'")), Paths{"raw_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 dims: -1 raw_data: 'abcd'")), Paths{"raw_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 1 dims: 1099511627776 dims: 1099511627776 raw_data: 'abcd'")), Paths{"raw_data"});
  EXPECT_EQ(Lost(Tensor("data_type: 99 int32_data: 1")), (Paths{"data_type", "int32_data"}));
  EXPECT_EQ(Lost(Tensor("int32_data: 1")), (Paths{"data_type", "int32_data"}));
  EXPECT_EQ(Lost(Tensor("data_type: 11 raw_data: '\\001\\000\\000\\000\\000\\000\\360\\177'")), Paths{"raw_data"});
}

TEST(PrintTensor, DataOfAnotherSizeAreAnErrorAlsoWhereLossIsAllowed) {
  for (const char* const wrong : {"data_type: 1 dims: 2 raw_data: 'abcdef'", "data_type: 1 raw_data: 'abc'"}) {
    const PrintResult printed = Print(Tensor(wrong), {.dialect = Dialect::kReference, .allow_loss = true});
    EXPECT_FALSE(printed.diagnostics.ok()) << printed.text;
    EXPECT_EQ(printed.text, "");
  }
  EXPECT_TRUE(
      testing::Ok(Print(Tensor("doc_string: 'd'"), {.dialect = Dialect::kReference, .allow_loss = true}).diagnostics));
}

TEST(PrintTensor, LossesOfOtherFields) {
  EXPECT_EQ(Lost(Tensor("data_type: 1 segment { } doc_string: 'd' metadata_props { key: 'k' }")),
            (Paths{"segment", "doc_string", "metadata_props"}));
  EXPECT_EQ(Lost(Tensor("data_type: 1 name: 'a b'")), Paths{"name"});
}

}  // namespace
}  // namespace onnxc::testing
