#include "tables/default_value.h"

#include <google/protobuf/descriptor.h>

#include <bit>
#include <cstdint>
#include <string>

namespace onnxc {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

bool HasDefault(const FieldDescriptor& field) {
  return !field.is_repeated() && field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE &&
         field.containing_oneof() == nullptr;
}

bool IsDefault(const Message& message, const FieldDescriptor& field) {
  if (!HasDefault(field)) return false;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return reflection.GetInt32(message, &field) == field.default_value_int32();
    case FieldDescriptor::CPPTYPE_INT64: return reflection.GetInt64(message, &field) == field.default_value_int64();
    case FieldDescriptor::CPPTYPE_UINT32: return reflection.GetUInt32(message, &field) == field.default_value_uint32();
    case FieldDescriptor::CPPTYPE_UINT64: return reflection.GetUInt64(message, &field) == field.default_value_uint64();
    case FieldDescriptor::CPPTYPE_BOOL: return reflection.GetBool(message, &field) == field.default_value_bool();
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.GetEnumValue(message, &field) == field.default_value_enum()->number();
    case FieldDescriptor::CPPTYPE_FLOAT:
      return std::bit_cast<std::uint32_t>(reflection.GetFloat(message, &field)) ==
             std::bit_cast<std::uint32_t>(field.default_value_float());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return std::bit_cast<std::uint64_t>(reflection.GetDouble(message, &field)) ==
             std::bit_cast<std::uint64_t>(field.default_value_double());
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string memory;
      return reflection.GetStringReference(message, &field, &memory) == field.default_value_string();
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: break;
  }
  return false;
}

}  // namespace onnxc
