// Converts messages to bytes and back.
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "codec/json_error.h"
#include "codec/json_place.h"
#include "source/affixes.h"
#include "source/message_cast.h"
#include "source/protobuf_compat.h"
#include "source/report.h"
#include "source/unicode.h"
#include "tables/limits.h"
#include "wire/message.h"
#include "wire/nesting.h"
#include "wire/wire.h"

namespace onnxc {
namespace {

namespace pb = google::protobuf;

/// Calls `visitor` with the message as its own type, and with its row in the table of kinds.
template <typename MessageOrConst, typename Visitor>
void WithType(MessageOrConst& message, Visitor&& visitor) {
  ForEachKind([&](const auto& row) {
    using Proto = typename std::decay_t<decltype(row)>::Message;
    using Typed = std::conditional_t<std::is_const_v<MessageOrConst>, const Proto, Proto>;
    if (MessageCast<Proto>(message) != nullptr) visitor(static_cast<Typed&>(message), row);
  });
}

/// Returns whether an error of protobuf's parsers for text says that messages are nested too deeply.
bool IsAboutDepth(std::string_view sentence) {
  return sentence.starts_with("Message is too deep") || sentence.find("ax recursion depth") != std::string_view::npos;
}

// ---- text format

/// Converts the positions of protobuf's tokenizer to offsets. The tokenizer's columns count bytes, and a TAB advances
/// to the next multiple of 8.
class TextProtoErrors : public protobuf::ErrorCollector {
 public:
  explicit TextProtoErrors(std::string_view text) : text_(text) {}

  void Add(int line, int column, std::string_view sentence) override {
    if (sentence.ends_with('.')) sentence.remove_suffix(1);
    const std::size_t offset = OffsetOf(line, column);
    if (IsAboutDepth(sentence)) return found_.Add(MakeDiagnostic(diag::kNestingTooDeep, {offset, offset}));
    const SourceRange range = WordAt(offset, sentence);
    found_.Add(MakeDiagnostic(diag::kMalformedTextProto, range, Shown(sentence)));
  }

  [[nodiscard]] Diagnostics Take() { return std::move(found_); }

 private:
  struct Place {
    int line = 0;
    int column = 0;
    std::size_t offset = 0;
  };

  /// Returns the range of the wrong word. If protobuf has already read this word, it reports the position after the
  /// word. The message then has the word in quotes at its end or before " for field ". Otherwise, for example if the
  /// message contains "got: ", the word begins at the reported position.
  [[nodiscard]] SourceRange WordAt(std::size_t offset, std::string_view sentence) const {
    sentence = sentence.substr(0, sentence.find(" for field "));
    const std::size_t end = sentence.rfind('"');
    const std::size_t begin = end == std::string_view::npos || end == 0 ? end : sentence.rfind('"', end - 1);
    if (begin == std::string_view::npos || begin == end || sentence.find("got: ") != std::string_view::npos) {
      return {offset, offset};
    }
    const std::string_view word = sentence.substr(begin + 1, end - begin - 1);
    const std::size_t at = text_.substr(0, offset).rfind(word);
    return word.empty() || at == std::string_view::npos ? SourceRange{offset, offset}
                                                        : SourceRange{at, at + word.size()};
  }

  /// Returns the offset of a position. Continues from the last position, so that the total time is linear even if there
  /// are many errors.
  [[nodiscard]] std::size_t OffsetOf(int line, int column) {
    if (std::pair(line, column) < std::pair(last_.line, last_.column)) last_ = {};
    for (; last_.line < line; ++last_.line) {
      last_.offset = std::min(text_.find('\n', last_.offset), text_.size() - 1) + 1;
      last_.column = 0;
    }
    for (; last_.column < column && last_.offset < text_.size() && text_[last_.offset] != '\n'; ++last_.offset) {
      last_.column = text_[last_.offset] == '\t' ? (last_.column / 8 + 1) * 8 : last_.column + 1;
    }
    return last_.offset;
  }

  std::string_view text_;
  Place last_;
  Diagnostics found_;
};

Diagnostics DecodeTextProto(std::string_view bytes, pb::Message* message, std::size_t limit) {
  TextProtoErrors errors(bytes);
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMaxDepth);
  pb::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  const bool done = parser.Parse(&stream, message);
  Diagnostics found = errors.Take();
  if (!done && found.ok()) {
    found.Add(MakeDiagnostic(diag::kMalformedTextProto, kNowhere, "protobuf cannot read it"));
  }
  found.Finish(limit);
  return found;
}

// ---- JSON

/// Iterates over bytes and stores its position in `*reached`.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  reference operator*() const { return *at; }
  Cursor& operator++() {
    *reached = ++at;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at == other.at; }

  const char* at;
  const char** reached;
};

/// Reads JSON only to find its errors. Protobuf reports no positions, and if a key appears twice, it silently uses the
/// second value.
class JsonErrors : public nlohmann::json_sax<nlohmann::json> {
 public:
  static std::optional<Diagnostic> Find(std::string_view text) {
    JsonErrors errors(text);
    const char* end = text.data() + text.size();
    const char* unused = nullptr;
    (void)nlohmann::json::sax_parse(Cursor{text.data(), &errors.reached_}, Cursor{end, &unused}, &errors);
    return std::move(errors.found_);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }

  bool key(string_t& key) override {
    if (keys_.back().insert(codec::FieldOfKey(key)).second) return true;
    const auto end = static_cast<std::size_t>(reached_ - text_.data());
    found_ = MakeDiagnostic(diag::kDuplicateJsonKey, {text_.rfind('"', end - 2), end}, Shown(key));
    return false;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) override {
    std::string_view reason = error.what();
    if (const std::size_t id = reason.find("] "); id != std::string_view::npos) reason.remove_prefix(id + 2);
    if (const std::size_t colon = reason.find(": "); colon != std::string_view::npos) reason.remove_prefix(colon + 2);
    const std::size_t end = std::min(position, text_.size());  // the end of the text counts as one more byte
    const std::size_t begin = position == 0 ? 0 : std::min(position - 1, end);
    if (begin < end && text_[begin] == '/') reason = "JSON has no comments";
    found_ = MakeDiagnostic(diag::kMalformedJson, {begin, end}, Shown(reason));
    return false;
  }

 private:
  explicit JsonErrors(std::string_view text) : text_(text), reached_(text.data()) {}

  std::string_view text_;
  const char* reached_;
  std::vector<std::set<std::string>> keys_;  // the keys of each open object
  std::optional<Diagnostic> found_;
};

Diagnostics DecodeJson(std::string_view bytes, pb::Message* message) {
  if (std::optional<Diagnostic> error = JsonErrors::Find(bytes)) return Only(*std::move(error));
  const auto status = pb::util::JsonStringToMessage({bytes.data(), bytes.size()}, message);
  if (status.ok()) return {};
  const std::string_view reason(status.message().data(), status.message().size());
  if (IsAboutDepth(reason)) return Only(MakeDiagnostic(diag::kNestingTooDeep, kNowhere));
  return Only(codec::JsonError(reason, bytes, *message->GetDescriptor()));
}

/// Returns the JSON text with `-0.0` for each negative zero. Protobuf writes `-0`, and would read this as the integer
/// 0.
std::string WithSignedZeros(const std::string& json) {
  std::string signed_json;
  signed_json.reserve(json.size());
  bool is_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    signed_json += c;
    if (is_string && c == '\\') {
      signed_json += json[++at];
    } else if (c == '"') {
      is_string = !is_string;
    } else if (!is_string && c == '-' && json.compare(at, 2, "-0") == 0 &&
               std::strchr(",]} \n", json[at + 2]) != nullptr) {
      signed_json += "0.0";
      ++at;
    }
  }
  return signed_json;
}

Diagnostics EncodeJson(const pb::Message& message, std::string* bytes) {
  pb::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  const protobuf::LogSilencer silencer;  // protobuf also writes its failures to standard error
  const auto status = pb::util::MessageToJsonString(message, bytes, options);
  if (status.ok()) {
    *bytes = WithSignedZeros(*bytes);
    return {};
  }
  return Only(MakeDiagnostic(diag::kLossyFormat, kNowhere, "JSON", Shown(status.ToString())));
}

// ---- all formats

/// Returns what is lost according to protobuf's description of a difference, such as `modified: domain: "\377" -> ""`.
/// The result does not contain the string that takes the place of a lost string, because versions of protobuf differ in
/// it.
std::string Lost(std::string_view difference) {
  const std::size_t arrow = difference.find("\" -> \"");  // a quote within a string is escaped
  if (arrow == std::string_view::npos) return std::string(difference);
  difference = difference.substr(0, arrow);
  (void)RemovePrefix("modified: ", &difference);
  return std::string(difference).append("\" would change");
}

/// Returns what would be lost if `message` were written to `bytes` and read again; "" if nothing.
std::string FindLoss(const pb::Message& message, const std::string& bytes, Format format) {
  const std::unique_ptr<pb::Message> back(message.New());
  if (!Decode(bytes, format, back.get()).ok()) return "a field would be lost";
  if (wire::ToWire(*back) == wire::ToWire(message)) return {};
  std::string difference;
  pb::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  if (differencer.Compare(message, *back)) return "the sign of a zero, or the bits of a NaN, would be lost";
  return Quoted(Lost(std::string_view(difference).substr(0, difference.find('\n'))));
}

}  // namespace

Diagnostics Decode(std::string_view bytes, Format format, pb::Message* message, const ParseOptions& options) {
  message->Clear();
  Diagnostics found;
  if (format == Format::kText) {
    WithType(*message, [&](auto& typed, const auto&) { found = Parse(bytes, &typed, options); });
    return found;
  }
  if (bytes.size() > options.max_bytes) return InputTooLarge(options.max_bytes);
  if (bytes.size() > INT_MAX) return wire::TooLargeToRead(bytes.size());
  switch (format) {
    case Format::kTextProto: found = DecodeTextProto(bytes, message, options.max_diagnostics); break;
    case Format::kJson: found = DecodeJson(bytes, message); break;
    default: found = wire::FromWire(bytes, message); break;
  }
  if (!found.ok()) message->Clear();
  return found;
}

Diagnostics Encode(const pb::Message& message, Format format, std::string* bytes, const PrintOptions& options) {
  bytes->clear();
  if (Diagnostics deep = wire::CheckNesting(message); !deep.ok()) return deep;
  if (format == Format::kText) {
    PrintResult result;
    WithType(message, [&](const auto& typed, const auto&) { result = Print(typed, options); });
    *bytes = std::move(result.text);
    return std::move(result.diagnostics);
  }
  if (format == Format::kBinary) return wire::ToWire(message, bytes);
  if (const std::size_t size = message.ByteSizeLong(); size > INT_MAX) return Only(wire::TooLargeToWrite(size));

  Diagnostics found;
  if (format == Format::kJson) {
    found = EncodeJson(message, bytes);
  } else {
    (void)pb::TextFormat::PrintToString(message, bytes);  // it fails only if the output stream fails
  }
  const std::string loss = found.ok() ? FindLoss(message, *bytes, format) : std::string();
  if (!loss.empty()) {
    const std::string_view name = format == Format::kJson ? "JSON" : "protobuf's text format";
    found.Add(MakeDiagnostic(diag::kLossyFormat, kNowhere, name, loss));
  }
  if (!found.ok()) bytes->clear();
  return found;
}

}  // namespace onnxc
