#include "wire/message.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnxc/kind.h>

#include <climits>
#include <string>
#include <type_traits>
#include <vector>

#include "source/report.h"
#include "tables/limits.h"

namespace onnxc {
namespace {

namespace pb = google::protobuf;

std::string KindWord(const pb::Message& message) {
  std::string word;
  ForEachKind([&](const auto& row) {
    if (message.GetDescriptor() == std::decay_t<decltype(row)>::Message::descriptor()) word = row.word;
  });
  return word;
}

bool ParseWire(std::string_view bytes, pb::Message* message, int deepest) {
  pb::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(deepest);
  return message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

/// Nearly all bytes are some message. Those of another kind show in fields that are not where the schema has them: a
/// known number with another type, or nothing but unknown numbers.
bool LooksForeign(const pb::Message& message) {
  const pb::UnknownFieldSet& unknown = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const pb::FieldDescriptor* field = message.GetDescriptor()->FindFieldByNumber(unknown.field(i).number());
    const bool is_later_value = field != nullptr && field->type() == pb::FieldDescriptor::TYPE_ENUM;
    if (field != nullptr && !is_later_value) return true;
  }
  std::vector<const pb::FieldDescriptor*> known;
  message.GetReflection()->ListFields(message, &known);
  return !unknown.empty() && known.empty();
}

/// "; they may be a tensor": the kinds whose fields account for all bytes.
std::string OtherKinds(std::string_view bytes) {
  std::vector<std::string_view> words;
  ForEachKind([&](const auto& row) {
    typename std::decay_t<decltype(row)>::Message message;
    if (!bytes.empty() && ParseWire(bytes, &message, kMaxDepth) && message.unknown_fields().empty()) {
      words.push_back(row.word);
    }
  });
  return words.empty() ? "" : fmt::format("; they may be a {}", fmt::join(words, " or "));
}

}  // namespace

Diagnostics TooLargeToRead(std::size_t size) { return Only(MakeDiagnostic(diag::kTooLarge, kNowhere, size, "")); }

Diagnostics FromWire(std::string_view bytes, pb::Message* message) {
  if (bytes.size() > INT_MAX) return TooLargeToRead(bytes.size());
  const bool is_empty_model = bytes.empty() && message->GetDescriptor() == onnx::ModelProto::descriptor();
  if (!is_empty_model && ParseWire(bytes, message, kMaxDepth) && !LooksForeign(*message)) return {};
  constexpr int kMuchDeeper = 2000;
  const bool too_deep = !ParseWire(bytes, message, kMaxDepth) && ParseWire(bytes, message, kMuchDeeper);
  if (too_deep) return Only(MakeDiagnostic(diag::kNestingTooDeep, kNowhere));
  return Only(MakeDiagnostic(diag::kNotTheKind, kNowhere, KindWord(*message) + OtherKinds(bytes)));
}

std::string ToWire(const pb::Message& message) {
  std::string bytes;
  bytes.reserve(message.ByteSizeLong());
  pb::io::StringOutputStream stream(&bytes);
  pb::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  (void)message.SerializeToCodedStream(&coded);  // only an output that fails makes it fail
  coded.Trim();
  return bytes;
}

}  // namespace onnxc
