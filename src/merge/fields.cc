#include "merge/fields.h"

#include <google/protobuf/reflection.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "diff/equality.h"

namespace onnxc::merge {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

template <typename Value>
void CopyList(const Message& from, const FieldDescriptor* field, Message* to) {
  to->GetReflection()->GetMutableRepeatedFieldRef<Value>(to, field).CopyFrom(
      from.GetReflection()->GetRepeatedFieldRef<Value>(from, field));
}

void CopyField(const Message& from, const FieldDescriptor* field, Message* to) {
  const Reflection& reflection = *from.GetReflection();
  if (!field->is_repeated() && !reflection.HasField(from, field)) return;
  const auto copy = [&]<typename Value>(auto set, auto get, Value) {
    field->is_repeated() ? CopyList<Value>(from, field, to)
                         : (reflection.*set)(to, field, (reflection.*get)(from, field));
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32: return copy(&Reflection::SetInt32, &Reflection::GetInt32, std::int32_t{});
    case FieldDescriptor::CPPTYPE_INT64: return copy(&Reflection::SetInt64, &Reflection::GetInt64, std::int64_t{});
    case FieldDescriptor::CPPTYPE_UINT32: return copy(&Reflection::SetUInt32, &Reflection::GetUInt32, std::uint32_t{});
    case FieldDescriptor::CPPTYPE_UINT64: return copy(&Reflection::SetUInt64, &Reflection::GetUInt64, std::uint64_t{});
    case FieldDescriptor::CPPTYPE_BOOL: return copy(&Reflection::SetBool, &Reflection::GetBool, bool{});
    case FieldDescriptor::CPPTYPE_ENUM: return copy(&Reflection::SetEnumValue, &Reflection::GetEnumValue, int{});
    case FieldDescriptor::CPPTYPE_FLOAT: return copy(&Reflection::SetFloat, &Reflection::GetFloat, float{});
    case FieldDescriptor::CPPTYPE_DOUBLE: return copy(&Reflection::SetDouble, &Reflection::GetDouble, double{});
    case FieldDescriptor::CPPTYPE_STRING: return copy(&Reflection::SetString, &Reflection::GetString, std::string());
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (field->is_repeated()) return CopyList<Message>(from, field, to);
      return reflection.MutableMessage(to, field)->CopyFrom(reflection.GetMessage(from, field));
  }
}

}  // namespace

std::vector<Unit> UnitsOf(const Descriptor& type, FieldSet together) {
  std::vector<Unit> units;
  Unit one;
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* const field = type.field(i);
    const auto* const oneof = field->real_containing_oneof();
    if ((together >> field->number() & 1) != 0) {
      one.push_back(field);
    } else if (oneof != nullptr && field != oneof->field(0)) {
      continue;  // in the unit of the first field
    } else {
      Unit& unit = units.emplace_back();
      for (int k = 0; oneof != nullptr && k < oneof->field_count(); ++k) unit.push_back(oneof->field(k));
      if (oneof == nullptr) unit.push_back(field);
    }
  }
  if (!one.empty()) units.push_back(std::move(one));
  return units;
}

bool SameUnit(const Message& one, const Message& other, const Unit& unit) {
  return std::ranges::all_of(
      unit, [&](const FieldDescriptor* field) { return diff::SameField(one, other, *field, diff::Presence::kCounts); });
}

void CopyUnit(const Message& from, const Unit& unit, Message* to) {
  for (const FieldDescriptor* field : unit) CopyField(from, field, to);
}

}  // namespace onnxc::merge
