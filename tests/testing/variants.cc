#include "testing/variants.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "testing/plain_message.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using namespace std::string_literals;

const std::vector<std::string>& Strings() {
  static const std::vector<std::string> strings = {"",      "x",         "a b",       "say \"hi\\\"\n",
                                                   "a\0b"s, "\xff\x80",  "\xc3\xa9",  "float",
                                                   "inf",   "nan",       "seq",       "a.b",
                                                   "a..b",  "aten::add", "my-domain", "@x",
                                                   "#c",    "1.0",       "b\"x\"",    "two  \nlines\t\n"};
  return strings;
}

template <typename Float, typename Bits>
std::vector<Float> Floats(Bits quiet, Bits signalling, Bits payload) {
  using Limits = std::numeric_limits<Float>;
  const auto of = [](Bits bits) { return std::bit_cast<Float>(bits); };
  return {Float{0},         -Float{0},     Float{1.5},           Float{5},           Limits::max(),
          Limits::lowest(), Limits::min(), Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
          of(quiet),        -of(quiet),    of(signalling),       of(payload),        -of(payload)};
}

template <typename Integer>
std::vector<Integer> Integers() {
  using Limits = std::numeric_limits<Integer>;
  std::vector<Integer> integers = {Limits::min(), Limits::max(), static_cast<Integer>(-1), 99};
  for (Integer i = 0; i <= 29; ++i) integers.push_back(i);  // all element types
  return integers;
}

template <typename Values, typename Set, typename Add>
void AddValues(const FieldDescriptor* field, const Values& values, Set set, Add add, std::vector<Variant>* variants) {
  const auto put = [=](Message* message, const auto& value) {
    const Reflection* reflection = message->GetReflection();
    field->is_repeated() ? (reflection->*add)(message, field, value) : (reflection->*set)(message, field, value);
  };
  for (const auto& value : values) {
    std::string name(field->name());
    if constexpr (requires { name + value; }) name += " \"" + value + "\"";
    if constexpr (requires { std::to_string(value); }) name += " " + std::to_string(value);
    variants->push_back({name, [=](Message* message) { put(message, value); }});
  }
  if (!field->is_repeated()) return;
  variants->push_back({std::string(field->name()) + " with many values", [=](Message* message) {
                         for (const auto& value : values) put(message, value);
                       }});
}

void AddEnumValues(const FieldDescriptor* field, std::vector<Variant>* variants) {
  for (int i = 0; i < field->enum_type()->value_count(); ++i) {
    const auto* value = field->enum_type()->value(i);
    variants->push_back({std::string(value->full_name()),
                         [=](Message* message) { message->GetReflection()->SetEnum(message, field, value); }});
  }
  variants->push_back({std::string(field->name()) + " unknown", [=](Message* message) {
                         message->GetReflection()->ClearField(message, field);
                         message->GetReflection()->MutableUnknownFields(message)->AddVarint(field->number(), 99);
                       }});
}

void AddMessageValues(const FieldDescriptor* field, std::vector<Variant>* variants) {
  const auto member = [field](Message* message) {
    const Reflection* reflection = message->GetReflection();
    return field->is_repeated() ? reflection->AddMessage(message, field) : reflection->MutableMessage(message, field);
  };
  variants->push_back({std::string(field->name()) + " empty", [=](Message* message) { member(message); }});
  variants->push_back({std::string(field->name()) + " plain", [=](Message* message) { MakePlain(member(message)); }});
  if (!field->is_repeated()) return;
  variants->push_back({std::string(field->name()) + " plain, empty, plain", [=](Message* message) {
                         MakePlain(member(message));
                         member(message);
                         MakePlain(member(message));
                       }});
}

}  // namespace

std::vector<Variant> VariantsOf(const FieldDescriptor* field) {
  std::vector<Variant> variants;
  variants.push_back({std::string(field->name()) + " unset",
                      [field](Message* message) { message->GetReflection()->ClearField(message, field); }});
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      AddValues(field, Strings(), StringSetter(&Reflection::SetString), StringSetter(&Reflection::AddString),
                &variants);
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      AddValues(field, Integers<std::int32_t>(), &Reflection::SetInt32, &Reflection::AddInt32, &variants);
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      AddValues(field,
                std::vector<std::int64_t>{0, 1, -1, std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max()},
                &Reflection::SetInt64, &Reflection::AddInt64, &variants);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      AddValues(field, std::vector<std::uint64_t>{0, 1, std::numeric_limits<std::uint64_t>::max()},
                &Reflection::SetUInt64, &Reflection::AddUInt64, &variants);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      AddValues(field, Floats<float>(0x7fc00000u, 0x7f800001u, 0x7fc12345u), &Reflection::SetFloat,
                &Reflection::AddFloat, &variants);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      AddValues(field, Floats<double>(0x7ff8000000000000u, 0x7ff0000000000001u, 0x7ff8000012345678u),
                &Reflection::SetDouble, &Reflection::AddDouble, &variants);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      AddValues(field, std::array{false, true}, &Reflection::SetBool, &Reflection::AddBool, &variants);
      break;
    case FieldDescriptor::CPPTYPE_ENUM: AddEnumValues(field, &variants); break;
    case FieldDescriptor::CPPTYPE_MESSAGE: AddMessageValues(field, &variants); break;
    default: ADD_FAILURE() << field->full_name() << " has a type of which no values are known here";
  }
  return variants;
}

}  // namespace onnxc::testing
