// The tables of types have a row for each value of the enums in the schema, with the names of the fields.
#include "tables/attribute_types.h"

#include <gtest/gtest.h>

#include "tables/element_types.h"

namespace onnxc {
namespace {

TEST(AttributeTypes, AreThoseOfTheSchema) {
  const auto* const codes = onnx::AttributeProto::AttributeType_descriptor();
  ASSERT_EQ(static_cast<int>(kAttributeTypes.size()), codes->value_count())
      << "src/tables/attribute_types.h lacks a row";
  for (const AttributeType& type : kAttributeTypes) {
    ASSERT_NE(codes->FindValueByNumber(type.code), nullptr);
    if (type.code == 0) continue;
    const auto* const field = onnx::AttributeProto::descriptor()->FindFieldByNumber(type.field);
    ASSERT_NE(field, nullptr) << type.keyword;
    EXPECT_EQ(field->is_repeated(), type.is_list) << type.keyword;
    EXPECT_EQ(FindAttributeType(type.other)->other, type.code) << type.keyword;
    EXPECT_EQ(type.is_message, !type.is_list && field->message_type() != nullptr) << type.keyword;
  }
}

TEST(ElementTypes, AreThoseOfTheSchema) {
  const auto* const codes = onnx::TensorProto::DataType_descriptor();
  ASSERT_EQ(static_cast<int>(kElementTypes.size()), codes->value_count()) << "src/tables/element_types.h lacks a row";
  for (const ElementType& type : kElementTypes) ASSERT_NE(codes->FindValueByNumber(type.code), nullptr);
}

}  // namespace
}  // namespace onnxc
