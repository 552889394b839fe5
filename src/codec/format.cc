#include <onnxc/model_io.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codec/suffixes.h"
#include "wire/wire.h"

namespace onnxc {
namespace {

constexpr std::size_t kSample = 65536;  // bytes that are searched for control characters

/// Returns whether there are control characters other than white space. The loop does not stop at the first one, so
/// that the compiler can use vector instructions.
bool HasControls(std::string_view bytes) {
  std::uint8_t found = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    const bool is_space = static_cast<std::uint8_t>(byte - '\t') <= '\r' - '\t';
    found |= static_cast<std::uint8_t>((byte < 0x20 && !is_space) || byte == 0x7F);
  }
  return found != 0;
}

/// Returns whether bytes that could also be a text are a binary message: all of their fields are in the schema, and
/// they do not look like a text.
bool IsMessage(std::string_view bytes, Kind kind) {
  bool is_message = false;
  WithKind(kind, [&](const auto& row) {
    typename std::decay_t<decltype(row)>::Message message;
    is_message = message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
                 message.GetReflection()->GetUnknownFields(message).empty() && !Parse(bytes, &message).ok();
  });
  return is_message;
}

bool IsBinary(std::string_view bytes, std::optional<Format> by_suffix, Kind kind) {
  const bool suffix_says_binary = by_suffix == Format::kBinary;
  if (bytes.empty()) return suffix_says_binary;
  const std::string_view sample = bytes.substr(0, kSample);
  const bool has_controls = HasControls(sample);
  const bool is_wire = wire::IsWireFormat(bytes);
  if (is_wire && has_controls) return true;
  if (!is_wire && !has_controls) return false;
  // This may be a short message without control characters, a damaged file, or a text with stray bytes, so the suffix
  // decides.
  if (by_suffix) return suffix_says_binary;
  if (is_wire) return bytes.size() <= kSample && IsMessage(bytes, kind);
  return HasControls(sample.substr(0, 1));
}

/// Returns the offset after the string or comment that begins at `at`.
std::size_t BehindQuiet(std::string_view text, std::size_t at) {
  const char open = text[at];
  if (open == '#') return text.find('\n', at);
  const std::string_view stops = open == '"' ? "\"\\" : "'\\";
  at = text.find_first_of(stops, at + 1);
  while (at < text.size() && text[at] == '\\') at = text.find_first_of(stops, at + 2);
  return at == std::string_view::npos ? at : at + 1;
}

/// Returns whether `=>` appears near the beginning, outside of strings and comments: only the ONNX text syntax has it.
bool HasArrow(std::string_view text) {
  std::size_t seen = 0;  // bytes outside of strings and comments
  for (std::size_t at = 0; at < text.size() && seen < kSample;) {
    const std::size_t next = text.substr(0, at + kSample).find_first_of("\"'#=", at);
    if (next == std::string_view::npos) return false;
    if (text.substr(next, 2) == "=>") return true;
    seen += next - at + 1;
    at = text[next] == '=' ? next + 1 : BehindQuiet(text, next);
  }
  return false;
}

/// Reads the first tokens of a text. It skips white space and comments, which have the same form in all formats except
/// JSON.
class Peek {
 public:
  explicit Peek(std::string_view text) : text_(text) { SkipBlanks(); }

  [[nodiscard]] bool AtEnd() const { return text_.empty(); }
  [[nodiscard]] char Next() const { return text_.empty() ? '\0' : text_.front(); }

  [[nodiscard]] bool HasArrow() const { return onnxc::HasArrow(text_); }

  void SkipCharacter() {
    if (!text_.empty()) text_.remove_prefix(1);
    SkipBlanks();
  }

  /// Returns the word at the current position, which may be empty, and skips it.
  std::string_view TakeWord() {
    const auto is_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    const auto end = static_cast<std::size_t>(std::find_if_not(text_.begin(), text_.end(), is_word) - text_.begin());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    SkipBlanks();
    return word;
  }

 private:
  void SkipBlanks() {
    for (;;) {
      text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n\v\f"), text_.size()));
      if (!text_.starts_with('#')) return;
      text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
    }
  }

  std::string_view text_;
};

/// Returns whether the text begins with `field: value` or `field {`. The ONNX text syntax has such a beginning only for
/// an attribute, `name: type = value`.
bool IsTextProto(Peek text, Kind kind, bool suffix_says_so) {
  const std::string word(text.TakeWord());
  if (word.empty()) return false;
  bool is_field = false;
  WithKind(kind, [&](const auto& row) {
    using Message = typename std::decay_t<decltype(row)>::Message;
    is_field = Message::descriptor()->FindFieldByName(word) != nullptr;
  });
  if (!is_field && !suffix_says_so) return false;
  if (text.Next() == '{') return true;
  if (text.Next() != ':' || (!suffix_says_so && text.HasArrow())) return false;
  text.SkipCharacter();
  const bool is_attribute = kind == Kind::kAttribute && !text.TakeWord().empty() && text.Next() == '=';
  return !is_attribute;
}

/// Returns whether the text begins with `{`. The ONNX text syntax has such a beginning only for a shape, `{dim:
/// [...]}`, whose names have no quotes. A header in braces is a mistake, which the parser of that syntax explains.
bool IsJson(Peek text, Kind kind) {
  if (text.Next() != '{') return false;
  text.SkipCharacter();
  return text.Next() == '"' || text.Next() == '}' || (kind != Kind::kShape && !text.HasArrow());
}

/// Returns whether a name ends with a suffix, in lower or upper case.
bool EndsWith(std::string_view name, std::string_view suffix) {
  const auto is_same = [](char in_name, char in_suffix) {
    return (in_name >= 'A' && in_name <= 'Z' ? in_name - 'A' + 'a' : in_name) == in_suffix;
  };
  return name.size() >= suffix.size() && std::ranges::equal(name.substr(name.size() - suffix.size()), suffix, is_same);
}

}  // namespace

std::optional<Format> FormatOfSuffix(std::string_view file_name) {
  for (const Suffix& row : kSuffixes) {
    if (EndsWith(file_name, row.suffix)) return row.format;
  }
  return std::nullopt;
}

Format DetectFormat(std::string_view bytes, std::string_view file_name, Kind kind) {
  const std::optional<Format> by_suffix = FormatOfSuffix(file_name);
  if (IsBinary(bytes, by_suffix, kind)) return Format::kBinary;
  const Peek text(bytes);
  if (text.AtEnd()) return by_suffix && *by_suffix != Format::kBinary ? *by_suffix : Format::kText;
  if (IsJson(text, kind)) return Format::kJson;
  return IsTextProto(text, kind, by_suffix == Format::kTextProto) ? Format::kTextProto : Format::kText;
}

}  // namespace onnxc
