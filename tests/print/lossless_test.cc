// The texts of the dialect `onnxc` for each construct; parsing each text gives the same bytes.
#include <gmock/gmock.h>

#include <bit>
#include <cstdint>

#include "print/printing.h"
#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

std::string Bytes(const google::protobuf::Message& message) { return message.SerializeAsString(); }

template <typename Proto>
void ExpectText(const Proto& message, const std::string& text, const PrintOptions& options = {}) {
  const PrintResult result = Print(message, options);
  EXPECT_TRUE(testing::Ok(result.diagnostics));
  EXPECT_EQ(result.text, text);
  Proto back;
  EXPECT_TRUE(testing::Ok(Parse(result.text, &back))) << result.text;
  EXPECT_EQ(Bytes(back), Bytes(message)) << back.DebugString();
}

template <typename Proto>
void ExpectText(const std::string& fields, const std::string& text, const PrintOptions& options = {}) {
  ExpectText(FromTextProto<Proto>(fields), text, options);
}

void ExpectAttribute(const std::string& fields, const std::string& text) {
  ExpectText<onnx::AttributeProto>("name: 'k' " + fields, text);
}

TEST(PrintLossless, AttributesTellTheirTypeByTheirForm) {
  ExpectAttribute("type: INT i: -3", "k = -3");
  ExpectAttribute("type: FLOAT f: 5", "k = 5.0");
  ExpectAttribute("type: FLOAT f: 1e10", "k = 1e+10");
  ExpectAttribute("type: FLOAT f: -0", "k = -0.0");
  ExpectAttribute("type: FLOAT f: inf", "k = inf");
  ExpectAttribute("type: STRING s: 'a\"b'", R"(k = "a\"b")");
  ExpectAttribute("type: FLOATS floats: 1 floats: 2", "k = [1.0, 2]");
  ExpectAttribute("type: INTS ints: 1 ints: 2", "k = [1, 2]");
  ExpectAttribute("type: STRINGS", "k: strings = []");
  ExpectAttribute("type: TENSOR t { data_type: 1 float_data: 2 }", "k = float {2}");
  ExpectAttribute("type: TYPE_PROTO tp { tensor_type { elem_type: 1 } }", "k = float[]");
  ExpectAttribute("type: GRAPH g { name: 'float' }", "k = \"float\" () => () {\n}");
  ExpectAttribute("type: INT ref_attr_name: 'p'", "k: int = @p");
}

TEST(PrintLossless, AttributesWithoutWhatTheirFormSays) {
  ExpectAttribute("i: 1", "# onnxc: unset AttributeProto.type\nk = 1");
  ExpectAttribute("type: INT", "# onnxc: unset AttributeProto.i\nk = 0");
  ExpectAttribute("type: INT i: 1 f: 2", "@f 2 k = 1");
  ExpectAttribute("type: INT i: 1 f: 0", "# onnxc: set f\nk = 1");
  ExpectAttribute("type: INT i: 1 doc_string: 'd'", "@doc_string \"d\" k = 1");
  ExpectAttribute("type: TENSOR", "@{name: \"k\", type: TENSOR}");
  ExpectAttribute("", "@{name: \"k\"}");
  ExpectText<onnx::AttributeProto>("name: 'a b' type: INT i: 1", "\"a b\" = 1");
}

TEST(PrintLossless, NaNsKeepTheirPayload) {
  onnx::AttributeProto attribute = FromTextProto<onnx::AttributeProto>("name: 'k' type: FLOATS");
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7fc00001u}) {
    attribute.add_floats(std::bit_cast<float>(bits));
  }
  ExpectText(attribute, "k = [nan, -nan, nan0x7fc00001]");
}

TEST(PrintLossless, Strings) {
  ExpectAttribute("type: STRING s: 'a\\n\\tb'", "k = \"a\n\tb\"");
  ExpectAttribute("type: STRING s: '\\303\\244'", "k = \"\303\244\"");
  ExpectAttribute("type: STRING s: '\\303\\377\\000\\r\"'", "k = b\"\\xc3\\xff\\x00\\r\\\"\"");
}

TEST(PrintLossless, Nodes) {
  ExpectText<onnx::NodeProto>("output: 'y' op_type: 'Conv' input: 'x' input: '' name: 'conv 1'",
                              "[\"conv 1\"] y = Conv (x, \"\")");
  ExpectText<onnx::NodeProto>("op_type: 'aten::add' domain: 'my-domain' overload: 'o'",
                              "= \"my-domain\".\"aten::add\":o ()");
  ExpectText<onnx::NodeProto>("op_type: 'A' domain: 'ai.onnx.ml'", "= ai.onnx.ml.A ()");
  ExpectText<onnx::NodeProto>("op_type: 'A' domain: '' doc_string: ''",
                              "# onnxc: set NodeProto.domain, set NodeProto.doc_string\n= A ()");
  ExpectText<onnx::NodeProto>("op_type: 'A' doc_string: 'd' metadata_props { key: 'k' value: 'v' }",
                              "@doc_string \"d\"\n@metadata_props [\"k\": \"v\"]\n= A ()");
  ExpectText<onnx::NodeProto>("domain: 'a'", "@{domain: \"a\"}");
  ExpectText<onnx::NodeProto>(
      "op_type: 'A' attribute { name: 'a' type: INT i: 1 } attribute { name: 'b' type: INT i: 2 }",
      "= A <a = 1, b = 2> ()");
}

TEST(PrintLossless, GraphsInAttributesStandBehindTheInputs) {
  ExpectText<onnx::NodeProto>(
      "op_type: 'If' input: 'c' attribute { name: 'then_branch' type: GRAPH g { name: 't' node { op_type: 'A' } } }",
      "= If (c) <\n   then_branch = t () => () {\n      = A ()\n   }\n>");
}

TEST(PrintLossless, APragmaGivesEachAttributeALine) {
  ExpectText<onnx::NodeProto>(
      "op_type: 'A' attribute { name: 'a' type: INT i: 1 } attribute { name: 'b' type: INT i: 2 "
      "f: 0 }",
      "= A <\n   a = 1,\n   # onnxc: set f\n   b = 2\n> ()");
}

TEST(PrintLossless, UnknownFieldsAreBytes) {
  onnx::NodeProto node;
  node.set_op_type("A");
  node.GetReflection()->MutableUnknownFields(&node)->AddVarint(1007, 5);
  ExpectText(node, "@unknown_fields b\"\\xf8>\\x05\"\n= A ()");
}

// A message in memory may have a known field among its unknown fields. A reader of the bytes sees the known field.
TEST(PrintLossless, KnownFieldsAmongTheUnknownArePrintedAsTheyAreReadBack) {
  onnx::NodeProto node;
  node.set_op_type("A");
  node.GetReflection()->MutableUnknownFields(&node)->AddLengthDelimited(onnx::NodeProto::kInputFieldNumber, "x");
  EXPECT_THAT(Print(node).text, ::testing::HasSubstr("= A (x)"));
  onnx::ModelProto model;
  *model.mutable_graph()->add_node() = node;
  EXPECT_THAT(Print(model).text, ::testing::HasSubstr("= A (x)"));
}

// A field with another wire type than in the schema, and an unknown value of an enum, are unknown to all readers.
TEST(PrintLossless, UnknownValuesOfKnownFieldsAreBytes) {
  onnx::NodeProto node;
  node.set_op_type("A");
  node.GetReflection()->MutableUnknownFields(&node)->AddVarint(onnx::NodeProto::kInputFieldNumber, 5);
  ExpectText(node, "@unknown_fields b\"\\x08\\x05\"\n= A ()");
}

TEST(PrintLossless, Types) {
  ExpectText<onnx::TypeProto>(
      "tensor_type { elem_type: 1 shape { dim { dim_value: 2 } dim { dim_param: 'N' } dim { } } }", "float[2, N, ?]");
  ExpectText<onnx::TypeProto>("denotation: 'IMAGE' tensor_type { elem_type: 1 shape { } }",
                              "@denotation \"IMAGE\" float");
  ExpectText<onnx::TypeProto>("tensor_type { elem_type: 1 shape { dim { denotation: 'B' dim_param: 'N' } } }",
                              "float[@denotation \"B\" N]");
  ExpectText<onnx::TypeProto>("sequence_type { elem_type { } }", "seq(@{})");
  ExpectText<onnx::TypeProto>("tensor_type { }", "@{tensor_type: {}}");
  ExpectText<onnx::TypeProto>("opaque_type { domain: 'a.b' name: 'c d' }", "opaque(a.b, \"c d\")");
  ExpectText<onnx::TypeProto>("map_type { key_type: 7 value_type { tensor_type { elem_type: 1 } } }",
                              "map(int64, float[])");
  ExpectText<onnx::TensorShapeProto>("dim { dim_value: 1 } dim { }", "1, ?");
  ExpectText<onnx::TensorShapeProto>("", "");
}

TEST(PrintLossless, Tensors) {
  ExpectText<onnx::TensorProto>("dims: 2 data_type: 1 float_data: 1 float_data: 2.5", "float[2] {1, 2.5}");
  ExpectText<onnx::TensorProto>("dims: 2 data_type: 1 name: 'a b' float_data: 1", "float[2] \"a b\" {1}");
  ExpectText<onnx::TensorProto>("dims: 1 data_type: 6 raw_data: '\\001\\000\\000\\000'", "# onnxc: raw\nint32[1] {1}");
  ExpectText<onnx::TensorProto>("data_type: 1 raw_data: ''", "# onnxc: set TensorProto.raw_data\nfloat {}");
  ExpectText<onnx::TensorProto>("data_type: 1 raw_data: 'abc'", "@raw_data \"abc\"\nfloat {}");
  ExpectText<onnx::TensorProto>("data_type: 1 int64_data: [1, 2]", "@int64_data [1, 2]\nfloat {}");
  ExpectText<onnx::TensorProto>("data_type: 99 dims: 1", "@{dims: [1], data_type: 99}");
  ExpectText<onnx::TensorProto>("data_type: 1 data_location: EXTERNAL external_data { key: 'location' value: 'f' }",
                                "float = [\"location\": \"f\"]");
  ExpectText<onnx::TensorProto>("data_type: 1 data_location: EXTERNAL", "@data_location EXTERNAL\nfloat {}");
  ExpectText<onnx::TensorProto>("data_type: 1 segment { begin: 1 }", "@segment {begin: 1}\nfloat {}");
}

TEST(PrintLossless, SmallFloatsAreBitsOrValues) {
  const auto tensor = FromTextProto<onnx::TensorProto>("dims: 3 data_type: 10 int32_data: [15872, 31744, 32769]");
  ExpectText(tensor, "float16[3] {15872, 31744, 32769}");
  ExpectText(tensor, "float16[3] {1.5, inf, -6e-08}", {.small_float_values = true});
}

/// Returns a tensor with the bytes `data`, in raw_data or one by one in int32_data.
onnx::TensorProto TensorOfBytes(int type, std::vector<std::int64_t> dims, std::string_view data, bool is_raw) {
  onnx::TensorProto tensor;
  tensor.set_data_type(type);
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  if (is_raw) tensor.set_raw_data(std::string(data));
  for (const char byte : is_raw ? "" : data) tensor.add_int32_data(static_cast<unsigned char>(byte));
  return tensor;
}

TEST(PrintLossless, ElementsThatShareBytesAreNumbersOrValues) {
  constexpr PrintOptions kValues{.small_float_values = true};
  for (const bool is_raw : {false, true}) {
    const std::string head = is_raw ? "# onnxc: raw\n" : "";
    const auto expect = [&](int type, std::vector<std::int64_t> dims, std::string_view data, const std::string& text) {
      ExpectText(TensorOfBytes(type, std::move(dims), data, is_raw), head + text, kValues);
    };
    expect(onnx::TensorProto::INT4, {3}, "\xe1\x03", "int4[3] {{1, -2, 3}}");
    expect(onnx::TensorProto::UINT4, {1, 2}, "\xe1", "uint4[1, 2] {{1, 14}}");
    expect(onnx::TensorProto::INT2, {5}, std::string_view("\x1b\x02", 2), "int2[5] {{-1, -2, 1, 0, -2}}");
    expect(onnx::TensorProto::UINT2, {4}, "\x1b", "uint2[4] {{3, 2, 1, 0}}");
    expect(onnx::TensorProto::FLOAT4E2M1, {2}, "\xb1", "float4e2m1[2] {{0.5, -1.5}}");
    // If there are bits that belong to no element, or too few or too many bytes, the entries are printed as numbers.
    expect(onnx::TensorProto::INT4, {3}, "\xe1\x13", "int4[3] {225, 19}");
    expect(onnx::TensorProto::INT4, {5}, "\xe1\x03", "int4[5] {225, 3}");
    expect(onnx::TensorProto::INT4, {2}, "\xe1\x03", "int4[2] {225, 3}");
  }
  using onnx::TensorProto;
  ExpectText(TensorOfBytes(TensorProto::FLOAT6E2M3, {2}, "\x08\x2c", false), "float6e2m3[2] {1.0, -1.5}", kValues);
  ExpectText(TensorOfBytes(TensorProto::FLOAT6E2M3, {2}, "\x08\x0b", true), "# onnxc: raw\nfloat6e2m3[2] {{1.0, -1.5}}",
             kValues);
}

TEST(PrintLossless, SparseTensors) {
  ExpectAttribute(
      "type: SPARSE_TENSOR sparse_tensor { dims: [3, 4] values { dims: 2 data_type: 1 float_data: [1.5, 2] } "
      "indices { dims: [2, 2] data_type: 7 int64_data: [0, 1, 2, 3] } }",
      "k = sparse_tensor(float[3, 4]) {[0, 1]: 1.5, [2, 3]: 2}");
  ExpectAttribute(
      "type: SPARSE_TENSOR sparse_tensor { dims: 9 values { dims: 1 data_type: 1 float_data: 1 } "
      "indices { dims: 1 data_type: 7 int64_data: 8 } }",
      "k = sparse_tensor(float[9]) {8: 1}");
  ExpectAttribute("type: SPARSE_TENSOR sparse_tensor { dims: 9 values { data_type: 1 } }",
                  "k: sparse_tensor = @{values: (float {}), dims: [9]}");
}

TEST(PrintLossless, SparseTensorsOfRawData) {
  ExpectAttribute(
      R"(type: SPARSE_TENSOR sparse_tensor { dims: 4 values { dims: 2 data_type: 1 raw_data: "\000\000\240@\000\000\300@" }
         indices { dims: 2 data_type: 7 raw_data: "\000\000\000\000\000\000\000\000\002\000\000\000\000\000\000\000" } })",
      "# onnxc: raw\nk = sparse_tensor(float[4]) {0: 5, 2: 6}");
  ExpectAttribute(
      R"(type: SPARSE_TENSOR sparse_tensor { dims: [2, 2] values { dims: 1 data_type: 5 raw_data: "\377\377" }
         indices { dims: [1, 2] data_type: 7 raw_data: "\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000" } })",
      "# onnxc: raw\nk = sparse_tensor(int16[2, 2]) {[1, 0]: -1}");
}

TEST(PrintLossless, Graphs) {
  ExpectText<onnx::GraphProto>(
      "name: 'g' doc_string: 'd' input { name: 'x' type { denotation: 'I' tensor_type { elem_type: 1 } } } "
      "output { name: 'float' } initializer { name: 'w' data_type: 1 float_data: 1 } initializer { name: 'u' } "
      "value_info { name: 'v' doc_string: 'e' }",
      "@doc_string \"d\"\ng (@type.denotation \"I\" float[] x) => (\"float\") <\n   float w = {1},\n"
      "   @{name: \"u\"} =,\n   @doc_string \"e\" v\n> {\n}");
}

TEST(PrintLossless, LongSignaturesHaveAValueALine) {
  const std::string name(60, 'x');
  ExpectText<onnx::GraphProto>("name: 'g' input { name: 'a" + name + "' } input { name: 'b" + name + "' }",
                               "g (\n   a" + name + ",\n   b" + name + "\n) => () {\n}");
}

TEST(PrintLossless, LongListsAreFilled) {
  onnx::AttributeProto attribute = FromTextProto<onnx::AttributeProto>("name: 'k' type: INTS");
  for (int i = 0; i < 40; ++i) attribute.add_ints(100);
  const std::string text = Print(attribute).text;
  EXPECT_EQ(text.find('\n'), 99u) << text;
  EXPECT_EQ(text.substr(text.find('\n'), 7), "\n   100");
}

TEST(PrintLossless, Models) {
  ExpectText<onnx::ModelProto>(
      "ir_version: 8 opset_import { domain: '' version: 17 } graph { name: 'g' } "
      "functions { name: 'f' domain: 'd' attribute: 'a' input: 'x' }",
      "<\n   ir_version: 8,\n   opset_import: [\"\": 17]\n>\ng () => () {\n}\n\n"
      "<\n   domain: \"d\"\n>\nf <a> (x) => () {\n}");
  ExpectText<onnx::ModelProto>("graph { name: 'g' }", "g () => () {\n}");
  ExpectText<onnx::ModelProto>("functions { name: 'f' }", "# onnxc: functions\nf () => () {\n}");
  ExpectText<onnx::ModelProto>("ir_version: 1", "@{ir_version: 1}");
  ExpectText<onnx::ModelProto>("", "@{}");
}

TEST(PrintLossless, OneClauseAtTheTopStandsForWhatHoldsThroughout) {
  ExpectText<onnx::GraphProto>(
      "name: 'g' node { op_type: 'A' domain: '' } node { op_type: 'B' domain: '' } "
      "node { op_type: 'C' } node { op_type: 'D' domain: '' }",
      "# onnxc: set NodeProto.domain\ng () => () {\n   = A ()\n   = B ()\n"
      "   # onnxc: unset domain\n   = C ()\n   = D ()\n}");
}

TEST(PrintLossless, WhatNestsTooDeepIsAnError) {
  onnx::TypeProto type;
  onnx::TypeProto* inner = &type;
  for (int i = 0; i < 50; ++i) inner = inner->mutable_sequence_type()->mutable_elem_type();
  inner->mutable_opaque_type();
  EXPECT_FALSE(Print(type).diagnostics.ok());  // one level too deep
  inner->clear_opaque_type();
  EXPECT_TRUE(testing::Ok(Print(type).diagnostics));
  inner->mutable_opaque_type();
  const PrintResult allowed = Print(type, {.allow_loss = true});
  ASSERT_EQ(allowed.diagnostics.items().size(), 1u);
  EXPECT_EQ(allowed.diagnostics.items()[0].severity, Severity::kWarning);
  EXPECT_NE(allowed.text, "");
  inner->clear_opaque_type();
  for (int i = 0; i < 5'000; ++i) inner = inner->mutable_sequence_type()->mutable_elem_type();
  const PrintResult result = Print(type);
  EXPECT_FALSE(result.diagnostics.ok());
  EXPECT_EQ(result.text, "");
}

}  // namespace
}  // namespace onnxc::testing
