#include "diff/equality.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace onnxc::diff {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Returns whether both values are equal: elements of a list, or single fields if `index` is -1. Floats are compared by
/// their bits.
bool SameValue(const Message& before, const Message& after, const FieldDescriptor& field, int index,
               Presence presence) {
  const Reflection& reflection = *before.GetReflection();
  const auto same = [&](auto get, auto get_element, auto form) {
    const auto value = [&](const Message& message) {
      return form(index < 0 ? (reflection.*get)(message, &field) : (reflection.*get_element)(message, &field, index));
    };
    return value(before) == value(after);
  };
  const auto as_it_is = [](auto value) { return value; };
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return same(&Reflection::GetInt32, &Reflection::GetRepeatedInt32, as_it_is);
    case FieldDescriptor::CPPTYPE_INT64: return same(&Reflection::GetInt64, &Reflection::GetRepeatedInt64, as_it_is);
    case FieldDescriptor::CPPTYPE_UINT32: return same(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32, as_it_is);
    case FieldDescriptor::CPPTYPE_UINT64: return same(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64, as_it_is);
    case FieldDescriptor::CPPTYPE_BOOL: return same(&Reflection::GetBool, &Reflection::GetRepeatedBool, as_it_is);
    case FieldDescriptor::CPPTYPE_ENUM:
      return same(&Reflection::GetEnumValue, &Reflection::GetRepeatedEnumValue, as_it_is);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return same(&Reflection::GetFloat, &Reflection::GetRepeatedFloat,
                  [](float value) { return std::bit_cast<std::uint32_t>(value); });
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return same(&Reflection::GetDouble, &Reflection::GetRepeatedDouble,
                  [](double value) { return std::bit_cast<std::uint64_t>(value); });
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string memory[2];
      const auto value = [&](const Message& message, std::string* scratch) -> const std::string& {
        return index < 0 ? reflection.GetStringReference(message, &field, scratch)
                         : reflection.GetRepeatedStringReference(message, &field, index, scratch);
      };
      return value(before, &memory[0]) == value(after, &memory[1]);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return index < 0
                 ? SameMessage(reflection.GetMessage(before, &field), reflection.GetMessage(after, &field), presence)
                 : SameMessage(reflection.GetRepeatedMessage(before, &field, index),
                               reflection.GetRepeatedMessage(after, &field, index), presence);
  }
  return false;
}

}  // namespace

bool SameField(const Message& before, const Message& after, const FieldDescriptor& field, Presence presence) {
  const Reflection& reflection = *before.GetReflection();
  if (!field.is_repeated()) {
    const bool present = reflection.HasField(before, &field);
    const bool same_presence = present == reflection.HasField(after, &field);
    const bool presence_counts =
        presence == Presence::kCounts || field.message_type() != nullptr || field.containing_oneof() != nullptr;
    if (!present && same_presence) return true;
    return (same_presence || !presence_counts) && SameValue(before, after, field, -1, presence);
  }
  const int size = reflection.FieldSize(before, &field);
  if (size != reflection.FieldSize(after, &field)) return false;
  for (int i = 0; i < size; ++i) {
    if (!SameValue(before, after, field, i, presence)) return false;
  }
  return true;
}

bool SameMessage(const Message& before, const Message& after, Presence presence) {
  const google::protobuf::Descriptor& type = *before.GetDescriptor();
  if (&type != after.GetDescriptor()) return false;
  for (int i = 0; i < type.field_count(); ++i) {
    if (!SameField(before, after, *type.field(i), presence)) return false;
  }
  return UnknownFields(before) == UnknownFields(after);
}

std::string UnknownFields(const Message& message) {
  const google::protobuf::UnknownFieldSet& fields = message.GetReflection()->GetUnknownFields(message);
  std::string bytes;
  if (!fields.empty()) (void)fields.SerializeToString(&bytes);
  return bytes;
}

}  // namespace onnxc::diff
