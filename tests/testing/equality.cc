#include "testing/equality.h"

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tables/element_types.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Whether all bits of a number or a string are 0. So -0.0 is not a default value.
bool HoldsDefault(const Message& message, const FieldDescriptor* field) {
  const Reflection& reflection = *message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return reflection.GetInt32(message, field) == 0;
    case FieldDescriptor::CPPTYPE_INT64: return reflection.GetInt64(message, field) == 0;
    case FieldDescriptor::CPPTYPE_UINT32: return reflection.GetUInt32(message, field) == 0;
    case FieldDescriptor::CPPTYPE_UINT64: return reflection.GetUInt64(message, field) == 0;
    case FieldDescriptor::CPPTYPE_FLOAT: return std::bit_cast<std::uint32_t>(reflection.GetFloat(message, field)) == 0;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return std::bit_cast<std::uint64_t>(reflection.GetDouble(message, field)) == 0;
    case FieldDescriptor::CPPTYPE_BOOL: return !reflection.GetBool(message, field);
    case FieldDescriptor::CPPTYPE_ENUM: return reflection.GetEnumValue(message, field) == 0;
    case FieldDescriptor::CPPTYPE_STRING: return reflection.GetString(message, field).empty();
    case FieldDescriptor::CPPTYPE_MESSAGE: return false;
  }
  return false;
}

template <typename Element, typename List>
void Append(const std::string& raw, List* list) {
  for (std::size_t at = 0; at + sizeof(Element) <= raw.size(); at += sizeof(Element)) {
    Element element;
    std::memcpy(&element, raw.data() + at,
                sizeof(Element));  // tensors and the machines that run this are little-endian
    list->Add(element);
  }
}

/// Moves raw_data to the typed field.
void Decode(onnx::TensorProto* tensor) {
  const ElementType* type = FindElementType(tensor->data_type());
  if (type == nullptr || !tensor->has_raw_data()) return;
  const std::string raw = tensor->raw_data();
  switch (type->storage) {
    case Storage::kInt32:
      if (type->bits == 32) Append<std::int32_t>(raw, tensor->mutable_int32_data());
      if (type->bits == 16 && type->code == onnx::TensorProto::INT16)
        Append<std::int16_t>(raw, tensor->mutable_int32_data());
      if (type->bits == 16 && type->code != onnx::TensorProto::INT16)
        Append<std::uint16_t>(raw, tensor->mutable_int32_data());
      if (type->bits <= 8 && type->code == onnx::TensorProto::INT8)
        Append<std::int8_t>(raw, tensor->mutable_int32_data());
      if (type->bits <= 8 && type->code != onnx::TensorProto::INT8)
        Append<std::uint8_t>(raw, tensor->mutable_int32_data());
      break;
    case Storage::kInt64: Append<std::int64_t>(raw, tensor->mutable_int64_data()); break;
    case Storage::kUint64:
      if (type->bits == 32) Append<std::uint32_t>(raw, tensor->mutable_uint64_data());
      if (type->bits == 64) Append<std::uint64_t>(raw, tensor->mutable_uint64_data());
      break;
    case Storage::kFloat: Append<float>(raw, tensor->mutable_float_data()); break;
    case Storage::kDouble: Append<double>(raw, tensor->mutable_double_data()); break;
    case Storage::kString:
    case Storage::kNone: return;
  }
  tensor->clear_raw_data();
}

}  // namespace

void ToMeaning(Message* message) {
  if (auto* tensor = dynamic_cast<onnx::TensorProto*>(message)) Decode(tensor);
  const Reflection* reflection = message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr) {
      if (!field->is_repeated() && field->containing_oneof() == nullptr && HoldsDefault(*message, field)) {
        reflection->ClearField(message, field);
      }
      continue;
    }
    if (!field->is_repeated()) ToMeaning(reflection->MutableMessage(message, field));
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(*message, field); ++i) {
      ToMeaning(reflection->MutableRepeatedMessage(message, field, i));
    }
  }
}

}  // namespace onnxc::testing
