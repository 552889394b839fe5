// Rules for values at run time: sequences, maps and optionals. Their fields must be consistent, and tensors in them
// must follow the rules for tensors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/context.h"
#include "source/message_cast.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using onnx::MapProto;
using onnx::OptionalProto;
using onnx::SequenceProto;

/// Walks into a nested value. Levels that protobuf could not read are not checked.
class RunValueWalk {
 public:
  explicit RunValueWalk(Run& run) : run_(run) {}

  void Check(const Message& message, const Place& place) {
    if (depth_ == kMaxDepth) return;
    ++depth_;
    if (const auto* tensor = MessageCast<onnx::TensorProto>(message)) CheckTensorRules(*tensor, place, run_);
    if (const auto* sparse = MessageCast<onnx::SparseTensorProto>(message)) {
      CheckSparseTensorRules(*sparse, place, run_);
    }
    if (const auto* map = MessageCast<MapProto>(message)) CheckMap(*map, place);
    if (const auto* sequence = MessageCast<SequenceProto>(message)) {
      CheckFields(*sequence, sequence->elem_type(), place);
    }
    if (const auto* optional = MessageCast<OptionalProto>(message)) {
      CheckFields(*optional, optional->elem_type(), place);
    }
    --depth_;
  }

 private:
  /// A field with values of a type has the number of this type plus an offset, because the fields for the name and the
  /// type have the first numbers. The offset is the same for all types.
  static_assert(SequenceProto::kTensorValuesFieldNumber == SequenceProto::TENSOR + 2);
  static_assert(SequenceProto::kOptionalValuesFieldNumber == SequenceProto::OPTIONAL + 2);
  static_assert(OptionalProto::kTensorValueFieldNumber == OptionalProto::TENSOR + 2);
  static_assert(OptionalProto::kOptionalValueFieldNumber == OptionalProto::OPTIONAL + 2);

  void CheckFields(const Message& message, int type, const Place& place) {
    const EnumDescriptor& types = *message.GetDescriptor()->FindEnumTypeByName("DataType");
    const EnumValueDescriptor* const value = types.FindValueByNumber(type);
    if (value == nullptr) ReportType(message, type, types, place);
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const FieldDescriptor* const field : fields) {
      if (field->message_type() == nullptr) continue;
      if (value != nullptr && field->number() != type + 2) ReportField(message, *field, *value, place);
      CheckValues(message, *field, place);
    }
  }

  void ReportType(const Message& message, int type, const EnumDescriptor& types, const Place& place) {
    std::vector<std::string> words;
    for (int i = 0; i < types.value_count(); ++i) {
      words.push_back(fmt::format("{} ({})", types.value(i)->number(), types.value(i)->name()));
    }
    run_.findings.Report(diag::kRunValueType, {place, message.GetDescriptor()->FindFieldByName("elem_type")->number()},
                         type, fmt::format("{}", fmt::join(words, ", ")));
  }

  void ReportField(const Message& message, const FieldDescriptor& field, const EnumValueDescriptor& type,
                   const Place& place) {
    const FieldDescriptor* const right = message.GetDescriptor()->FindFieldByNumber(type.number() + 2);
    const std::string reason = type.number() == 0
                                   ? "elem_type is 0 (UNDEFINED)"
                                   : fmt::format("values of elem_type {} ({}) belong in '{}'", type.number(),
                                                 type.name(), right == nullptr ? "" : right->name());
    run_.findings.Report(diag::kRunValueField, place.Child(ValueAt(message, field, 0), field.number()), field.name(),
                         reason);
  }

  static const Message& ValueAt(const Message& message, const FieldDescriptor& field, int index) {
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    return field.is_repeated() ? reflection.GetRepeatedMessage(message, &field, index)
                               : reflection.GetMessage(message, &field);
  }

  void CheckValues(const Message& message, const FieldDescriptor& field, const Place& place) {
    const int size = field.is_repeated() ? message.GetReflection()->FieldSize(message, &field) : 1;
    for (int i = 0; i < size; ++i) {
      const Message& value = ValueAt(message, field, i);
      Check(value, place.Child(value, field.number(), i));
    }
  }

  void CheckMap(const MapProto& map, const Place& place) {
    CheckMapKey(map.key_type(), {place, MapProto::kKeyTypeFieldNumber}, run_);
    const bool has_strings = map.key_type() == onnx::TensorProto::STRING;
    if (has_strings ? map.keys_size() > 0 : map.string_keys_size() > 0) {
      const int field = has_strings ? MapProto::kKeysFieldNumber : MapProto::kStringKeysFieldNumber;
      run_.findings.Report(diag::kRunValueField, {place, field}, has_strings ? "keys" : "string_keys",
                           fmt::format("keys of type {} belong in '{}'", KeyTypeText(map.key_type()),
                                       has_strings ? "string_keys" : "keys"));
    }
    const SequenceProto& values = map.values();
    const int size = values.tensor_values_size() + values.sparse_tensor_values_size() + values.sequence_values_size() +
                     values.map_values_size() + values.optional_values_size();
    const int keys = map.keys_size() + map.string_keys_size();
    if (keys != size) run_.findings.Report(diag::kMapKeys, place, keys, size);
    if (map.has_values()) Check(values, place.Child(values, MapProto::kValuesFieldNumber));
  }

  Run& run_;
  int depth_ = 0;
};

}  // namespace

void CheckRunValue(const Message& value, const Place& place, Run& run) { RunValueWalk(run).Check(value, place); }

}  // namespace onnxc::check
