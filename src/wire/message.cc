#include "wire/message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format.h>
#include <onnxc/kind.h>
#include <onnxc/proto.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "source/clean.h"
#include "source/foreign_file.h"
#include "source/message_cast.h"
#include "source/report.h"
#include "source/unicode.h"
#include "tables/limits.h"
#include "wire/wire.h"

namespace onnxc::wire {
namespace {

namespace pb = google::protobuf;

std::string KindWord(const pb::Message& message) {
  std::string word;
  ForEachKind([&](const auto& row) {
    if (message.GetDescriptor() == std::decay_t<decltype(row)>::Message::descriptor()) word = row.word;
  });
  return word;
}

/// Counts the bytes of unknown fields, and of strings that are not valid text, in a message and its singular
/// submessages.
std::size_t CountForeignBytes(const pb::Message& message) {
  const pb::Reflection& reflection = *message.GetReflection();
  const pb::UnknownFieldSet& unknown = reflection.GetUnknownFields(message);
  std::size_t count = unknown.empty() ? 0 : pb::internal::WireFormat::ComputeUnknownFieldsSize(unknown);
  std::vector<const pb::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (field->is_repeated() && field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (field->type() == pb::FieldDescriptor::TYPE_STRING) {
      std::string scratch;
      const std::string& text = reflection.GetStringReference(message, field, &scratch);
      const bool is_text = IsUtf8(text) && text.find('\0') == std::string::npos;
      if (!is_text) count += text.size();
    } else if (field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE && !field->is_repeated()) {
      count += CountForeignBytes(reflection.GetMessage(message, field));
    } else if (field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      const IsClean is_clean = IsCleanOf(*field->message_type());
      const int items = reflection.FieldSize(message, field);  // looks up the field, like each function of reflection
      for (int i = 0; i < items; ++i) {
        const pb::Message& item = reflection.GetRepeatedMessage(message, field, i);
        if (is_clean == nullptr || !is_clean(item)) count += CountForeignBytes(item);
      }
    }
  }
  return count;
}

std::vector<const pb::FieldDescriptor*> FieldsIn(const pb::Message& message) {
  std::vector<const pb::FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

/// Returns whether the field, a message or a list of messages, holds a message with fields.
bool HoldsFields(const pb::Message& message, const pb::FieldDescriptor* field) {
  const pb::Reflection& reflection = *message.GetReflection();
  if (!field->is_repeated()) return !FieldsIn(reflection.GetMessage(message, field)).empty();
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    if (!FieldsIn(reflection.GetRepeatedMessage(message, field, i)).empty()) return true;
  }
  return false;
}

/// Returns whether the message is a model that contains a message with contents, such as its graph. It is treated as a
/// model, whatever unknown fields it has, so that no model is refused because of unknown fields. (Numbers, strings and
/// pairs of strings prove nothing: nodes and attributes have strings, which may be empty, and types in the same fields,
/// and the files of other programs often begin with a number and a string.)
bool HoldsItems(const onnx::ModelProto& model) {
  if (!model.graph().node().empty()) return true;
  return std::ranges::any_of(FieldsIn(model), [&](const pb::FieldDescriptor* field) {
    return field->message_type() != nullptr && field->message_type() != onnx::StringStringEntryProto::descriptor() &&
           HoldsFields(model, field);
  });
}

/// Returns whether the message is a graph with a name, no unknown field, and a first node that fits the schema and
/// calls an operator. Bytes of another kind hardly ever give such a graph.
bool HoldsNodes(const onnx::GraphProto& graph) {
  if (!graph.unknown_fields().empty() || graph.name().empty() || graph.node().empty()) return false;
  const onnx::NodeProto& node = graph.node(0);
  const IsClean is_clean = IsCleanOf(*onnx::NodeProto::descriptor());
  return !node.op_type().empty() && is_clean != nullptr && is_clean(node);
}

/// Returns whether the fields leave no doubt about the kind of the message. This test is much faster than that of
/// LooksForeign().
bool IsCertainlyOfItsKind(const pb::Message& message) {
  if (const auto* const model = MessageCast<onnx::ModelProto>(message)) return HoldsItems(*model);
  const auto* const graph = MessageCast<onnx::GraphProto>(message);
  return graph != nullptr && HoldsNodes(*graph);
}

/// Returns whether `bytes`, from which the message was read, are of another kind of message or file. Nearly all bytes
/// can be parsed as some message. But if they are of another kind, the fields do not fit the schema: a known number has
/// another type, or all numbers are unknown, or most bytes are in unknown fields.
bool LooksForeign(std::string_view bytes, const pb::Message& message) {
  if (IsCertainlyOfItsKind(message)) return false;
  const pb::UnknownFieldSet& unknown = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const pb::FieldDescriptor* field = message.GetDescriptor()->FindFieldByNumber(unknown.field(i).number());
    const bool is_later_value = field != nullptr && field->type() == pb::FieldDescriptor::TYPE_ENUM;
    if (field != nullptr && !is_later_value) return true;
  }
  if (!unknown.empty() && FieldsIn(message).empty()) return true;
  constexpr std::size_t kEnough = 64;  // a few unknown fields may come from a later version
  if (bytes.size() <= kEnough) return false;
  const std::size_t foreign = CountForeignBytes(message);
  return foreign > kEnough && 2 * foreign > message.ByteSizeLong();
}

/// Returns whether the bytes are a value of this kind (a sequence, a map or an optional) whose contents match its
/// declared type.
bool IsRunValue(std::string_view bytes, onnx::MapProto map) {
  return ReadFields(bytes, &map, kMaxDepth) && map.unknown_fields().empty() && map.has_key_type() && map.has_values();
}

template <typename Values>
bool IsRunValue(std::string_view bytes, Values values) {
  if (!ReadFields(bytes, &values, kMaxDepth) || !values.unknown_fields().empty()) return false;
  const int type = values.elem_type();
  if (Values::descriptor()->FindEnumTypeByName("DataType")->FindValueByNumber(type) == nullptr) return false;
  const pb::FieldDescriptor* const field = Values::descriptor()->FindFieldByNumber(type + 2);
  if (field == nullptr || field->message_type() == nullptr) return false;
  return std::ranges::count(FieldsIn(values), field) > 0;
}

std::vector<std::string_view> KindsOfRunValue(std::string_view bytes) {
  std::vector<std::string_view> words;
  if (IsRunValue(bytes, onnx::SequenceProto())) words.push_back(Name(Kind::kSequence));
  if (IsRunValue(bytes, onnx::MapProto())) words.push_back(Name(Kind::kMap));
  if (IsRunValue(bytes, onnx::OptionalProto())) words.push_back(Name(Kind::kOptional));
  return words;
}

/// Returns whether the bytes are a value that exists only when a model runs (a sequence, a map or an optional). Such
/// bytes can be parsed as a model without a version and a graph, because models have strings in the same fields.
bool HoldsRunValue(std::string_view bytes, const pb::Message& message) {
  const auto* const model = MessageCast<onnx::ModelProto>(message);
  if (model == nullptr) return false;
  const bool is_model = model->has_ir_version() || model->has_graph() || model->unknown_fields().empty();
  return !is_model && !KindsOfRunValue(bytes).empty();
}

/// Returns the end of a message that lists the kinds whose fields match all bytes, such as "; they may be a tensor".
std::string OtherKinds(std::string_view bytes) {
  std::vector<std::string_view> words = KindsOfRunValue(bytes);
  const bool is_run_value = !words.empty();
  ForEachKind([&](const auto& row) {
    if (is_run_value) return;
    typename std::decay_t<decltype(row)>::Message message;
    const bool is_read = !bytes.empty() && ReadFields(bytes, &message, kMaxDepth);
    if (is_read && message.unknown_fields().empty() && !LooksForeign(bytes, message)) {
      words.push_back(row.word);
    }
  });
  if (words.empty()) return "";
  const bool has_vowel = std::string_view("aeiou").find(words.front().front()) != std::string_view::npos;
  return fmt::format("; they may be {} {} (--kind{})", has_vowel ? "an" : "a", fmt::join(words, " or "),
                     words.size() == 1 ? " " + std::string(words.front()) : "");
}

}  // namespace

bool ReadFields(std::string_view bytes, pb::Message* message, int deepest) {
  pb::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(deepest);
  return message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

Diagnostics TooLargeToRead(std::size_t size) { return Only(MakeDiagnostic(diag::kTooLarge, kNowhere, size, "")); }

Diagnostics FromWire(std::string_view bytes, pb::Message* message) {
  if (bytes.size() > INT_MAX) return TooLargeToRead(bytes.size());
  const bool is_read = ReadFields(bytes, message, kMaxDepth);
  if (is_read && !LooksForeign(bytes, *message) && !HoldsRunValue(bytes, *message)) return {};
  if (std::optional<Diagnostic> file = FindForeignFile(bytes)) return Only(*std::move(file));
  constexpr int kMuchDeeper = 2000;
  const bool too_deep = !is_read && ReadFields(bytes, message, kMuchDeeper);
  if (too_deep) return Only(MakeDiagnostic(diag::kNestingTooDeep, kNowhere));
  return Only(MakeDiagnostic(diag::kNotTheKind, kNowhere, KindWord(*message) + OtherKinds(bytes)));
}

std::string ToWire(const pb::Message& message) { return ToWireOfSize(message, message.ByteSizeLong()); }

std::string ToWireOfSize(const pb::Message& message, std::size_t size) {
  std::string bytes(size, '\0');  // no message has map fields, so the same message always gives the same bytes
  message.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(bytes.data()));
  return bytes;
}

Diagnostics ToWire(const pb::Message& message, std::string* bytes) {
  const std::size_t size = message.ByteSizeLong();
  if (size > INT_MAX) return Only(TooLargeToWrite(size));
  *bytes = ToWireOfSize(message, size);
  return {};
}

}  // namespace onnxc::wire
