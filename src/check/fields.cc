// Rules for the fields of every message: no unknown fields, and all strings are UTF-8.
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "check/context.h"
#include "source/clean.h"
#include "source/message_cast.h"
#include "source/unicode.h"
#include "tables/limits.h"

namespace onnxc::check {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Returns whether the field contains text. This is true for fields of type string, and for all fields of type bytes
/// except raw_data, because the schema declares the strings of attributes and tensors as bytes.
bool HoldsText(const FieldDescriptor& field) {
  if (field.type() == FieldDescriptor::TYPE_STRING) return true;
  return field.type() == FieldDescriptor::TYPE_BYTES && field.name() != "raw_data";
}

/// Walks over all messages of a model. Numeric fields are skipped, so the size of tensors does not matter.
class FieldWalk {
 public:
  explicit FieldWalk(Run& run) : run_(run) {}

  void Check(const Place& place) {
    const auto* const model = MessageCast<onnx::ModelProto>(place.message);
    if (model != nullptr && run_.clean.contains(&model->graph()) && IsCleanBesideNodes(*model)) return;
    const auto* const graph = MessageCast<onnx::GraphProto>(place.message);
    if (graph != nullptr && run_.clean.contains(graph) && IsCleanBesideNodes(*graph)) return;
    const IsClean is_clean = IsCleanOf(*place.message.GetDescriptor());
    if (is_clean == nullptr || !is_clean(place.message)) Check(place, TypeOf(place.message), 0);
  }

 private:
  struct Type;

  /// A field with messages or text. It caches what protobuf would otherwise compute again for each message.
  struct Field {
    const FieldDescriptor* descriptor;
    int number;
    bool is_repeated;
    bool is_message;
    bool is_node;
    Type* type = nullptr;  ///< the type of the field's messages; null until such a message is found
  };

  struct Type {
    const Reflection* reflection;
    std::vector<Field> fields;
    IsClean is_clean;
  };

  Type& TypeOf(const Message& message) {
    const Descriptor& descriptor = *message.GetDescriptor();
    const auto [found, is_new] =
        types_.try_emplace(&descriptor, Type{message.GetReflection(), {}, IsCleanOf(descriptor)});
    for (int i = 0; is_new && i < descriptor.field_count(); ++i) {
      const FieldDescriptor& field = *descriptor.field(i);
      const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      const bool is_node = is_message && field.message_type() == onnx::NodeProto::descriptor();
      if (is_message || HoldsText(field)) {
        found->second.fields.push_back({&field, field.number(), field.is_repeated(), is_message, is_node});
      }
    }
    return found->second;
  }

  /// Checks the message and its submessages. `depth` is the number of enclosing messages. Messages nested deeper than
  /// protobuf can read are skipped, because another rule reports them.
  void Check(const Place& place, Type& type, int depth) {
    if (depth == kMaxDepth) return;
    if (!type.reflection->GetUnknownFields(place.message).empty()) ReportUnknown(place);
    for (Field& field : type.fields) {
      field.is_message ? CheckMessages(place, *type.reflection, field, depth)
                       : CheckTexts(place, *type.reflection, field);
    }
  }

  void CheckMessages(const Place& place, const Reflection& reflection, Field& field, int depth) {
    const Message& message = place.message;
    if (field.is_node && run_.clean.contains(&message)) return;
    if (field.is_repeated) {
      const int size = reflection.FieldSize(message, field.descriptor);
      for (int i = 0; i < size; ++i) {
        CheckMessage(place, reflection.GetRepeatedMessage(message, field.descriptor, i), field, i, depth);
      }
    } else if (reflection.HasField(message, field.descriptor)) {
      CheckMessage(place, reflection.GetMessage(message, field.descriptor), field, 0, depth);
    }
  }

  void CheckMessage(const Place& around, const Message& message, Field& field, int index, int depth) {
    if (field.type == nullptr) field.type = &TypeOf(message);
    if (field.type->is_clean != nullptr && field.type->is_clean(message)) return;
    Check(around.Child(message, field.number, index), *field.type, depth + 1);
  }

  void CheckTexts(const Place& place, const Reflection& reflection, const Field& field) {
    const Message& message = place.message;
    const int size = field.is_repeated ? reflection.FieldSize(message, field.descriptor) : 1;
    std::string scratch;
    for (int i = 0; i < size; ++i) {
      const std::string& text = field.is_repeated
                                    ? reflection.GetRepeatedStringReference(message, field.descriptor, i, &scratch)
                                    : reflection.GetStringReference(message, field.descriptor, &scratch);
      if (!IsUtf8(text)) run_.findings.Report(diag::kNotUtf8, {place, field.number, i});
    }
  }

  /// Reports each unknown field number once, even if the field is repeated.
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
  std::unordered_map<const Descriptor*, Type> types_;
};

}  // namespace

void CheckFields(const Place& place, Run& run) { FieldWalk(run).Check(place); }

}  // namespace onnxc::check
