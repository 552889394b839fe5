// The fast test in bare.h finds each field that the native syntax of a message does not show. If a new field of the
// schema is not yet in bare.h, this test fails; until then, printing is only slower.
#include "print/common/bare.h"

#include <gtest/gtest.h>

#include "tables/carried.h"

namespace onnxc::testing {

using print::AttributeForm;
using print::IsBare;
using print::IsKnownSchema;

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Sets the field to a value, or adds an element to its list.
void Set(const FieldDescriptor& field, Message* message) {
  const auto& reflection = *message->GetReflection();
  const bool is_list = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      (void)(is_list ? reflection.AddMessage(message, &field) : reflection.MutableMessage(message, &field));
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      return is_list ? reflection.AddString(message, &field, "s") : reflection.SetString(message, &field, "s");
    case FieldDescriptor::CPPTYPE_INT64:
      return is_list ? reflection.AddInt64(message, &field, 1) : reflection.SetInt64(message, &field, 1);
    case FieldDescriptor::CPPTYPE_INT32:
      return is_list ? reflection.AddInt32(message, &field, 1) : reflection.SetInt32(message, &field, 1);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return is_list ? reflection.AddFloat(message, &field, 1) : reflection.SetFloat(message, &field, 1);
    case FieldDescriptor::CPPTYPE_ENUM: return reflection.SetEnumValue(message, &field, 1);
    default: FAIL() << field.full_name();
  }
}

template <typename Proto, typename... Form>
void ExpectSeen(const Form&... form) {
  const auto* const type = Proto::descriptor();
  EXPECT_TRUE(IsBare(Proto(), form...)) << type->name();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor& field = *type->field(i);
    Proto message;
    Set(field, &message);
    const bool is_carried = field.number() < 64 && ((kCarried<Proto> >> field.number()) & 1) != 0;
    EXPECT_EQ(IsBare(message, form...), is_carried) << field.full_name() << ": src/print/common/bare.h";
  }
  Proto unknown;
  unknown.GetReflection()->MutableUnknownFields(&unknown)->AddVarint(1000, 1);
  EXPECT_FALSE(IsBare(unknown, form...)) << type->name();
}

TEST(Bare, SeesEachFieldOfTheSchema) {
  EXPECT_TRUE(IsKnownSchema()) << "the schema has another field: src/print/common/bare.h";
  ExpectSeen<onnx::NodeProto>();
  ExpectSeen<onnx::AttributeProto>(AttributeForm());
  ExpectSeen<onnx::ValueInfoProto>();
  ExpectSeen<onnx::TypeProto>();
  ExpectSeen<onnx::TypeProto::Tensor>();
  ExpectSeen<onnx::TensorShapeProto>();
  ExpectSeen<onnx::TensorShapeProto::Dimension>();
  ExpectSeen<onnx::GraphProto>();
}

TEST(Bare, SeesValuesOfOtherTypes) {
  for (const AttributeType& own : kAttributeTypes) {
    for (const AttributeType& other : kAttributeTypes) {
      if (own.code == 0 || other.code == 0) continue;
      onnx::AttributeProto attribute;
      Set(*attribute.GetDescriptor()->FindFieldByNumber(other.field), &attribute);
      EXPECT_EQ(IsBare(attribute, AttributeForm{AttributeForm::Kind::kValue, &own}), own.code == other.code)
          << own.keyword << " " << other.keyword;
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
