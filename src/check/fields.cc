// What holds for the fields of any message: the schema knows them, and strings are UTF-8.
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "check/context.h"
#include "source/unicode.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Bytes in the schema that hold text all the same: the strings of attributes and tensors.
bool HoldsText(const FieldDescriptor& field) {
  if (field.type() == FieldDescriptor::TYPE_STRING) return true;
  return field.type() == FieldDescriptor::TYPE_BYTES && field.name() != "raw_data";
}

bool IsLookedInto(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE || HoldsText(field);
}

/// Walks all messages of a model. Numbers are not looked at, so that tensors cost nothing.
class FieldWalk {
 public:
  explicit FieldWalk(Run& run) : run_(run) {}

  /// `depth` messages are around this one; what is deeper than protobuf reads is another rule's.
  void Check(const Place& place, int depth) {
    if (depth == kMaxDepth) return;
    const Message& message = place.message;
    const Reflection& reflection = *message.GetReflection();
    if (!reflection.GetUnknownFields(message).empty()) ReportUnknown(place);
    for (const FieldDescriptor* const field : FieldsOf(message)) {
      if (field->is_repeated()) {
        const int size = reflection.FieldSize(message, field);
        for (int i = 0; i < size; ++i) CheckField(place, *field, i, depth);
      } else if (reflection.HasField(message, field)) {
        CheckField(place, *field, 0, depth);
      }
    }
  }

 private:
  using Fields = std::vector<const FieldDescriptor*>;

  const Fields& FieldsOf(const Message& message) {
    const Descriptor& type = *message.GetDescriptor();
    const auto [found, is_new] = fields_.try_emplace(&type);
    for (int i = 0; is_new && i < type.field_count(); ++i) {
      if (IsLookedInto(*type.field(i))) found->second.push_back(type.field(i));
    }
    return found->second;
  }

  void CheckField(const Place& place, const FieldDescriptor& field, int index, int depth) {
    const Message& message = place.message;
    const Reflection& reflection = *message.GetReflection();
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      const Message& inside = field.is_repeated() ? reflection.GetRepeatedMessage(message, &field, index)
                                                  : reflection.GetMessage(message, &field);
      return Check(place.Child(inside, field.number(), index), depth + 1);
    }
    std::string scratch;
    const std::string& text = field.is_repeated()
                                  ? reflection.GetRepeatedStringReference(message, &field, index, &scratch)
                                  : reflection.GetStringReference(message, &field, &scratch);
    if (!IsUtf8(text)) run_.findings.Report(diag::kNotUtf8, {place, field.number(), index});
  }

  /// One finding for each number, which may stand many times.
  void ReportUnknown(const Place& place) {
    const Descriptor& type = *place.message.GetDescriptor();
    const auto& unknown = place.message.GetReflection()->GetUnknownFields(place.message);
    std::vector<int> numbers;
    for (int i = 0; i < unknown.field_count(); ++i) numbers.push_back(unknown.field(i).number());
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const int number : numbers) {
      const FieldDescriptor* const field = type.FindFieldByNumber(number);
      run_.findings.Report(diag::kFieldNotInSchema, place,
                           field == nullptr ? fmt::format("field {} of {}", number, type.name())
                                            : fmt::format("this value of '{}' in {}", field->name(), type.name()));
    }
  }

  Run& run_;
  std::unordered_map<const Descriptor*, Fields> fields_;
};

}  // namespace

void CheckFields(const Place& place, Run& run) { FieldWalk(run).Check(place, 0); }

}  // namespace onnxc::check
