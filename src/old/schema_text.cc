// Detects the schema of a model in protobuf's text format from the fields of its outermost message.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "old/schema.h"

namespace onnxc::old {
namespace {

bool IsOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads the fields of the outermost message one after the other. Stops at anything that is not valid in this format.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  struct Field {
    std::string_view name;
    char first = '\0';           ///< the first character of the value, or of the first value in a list
    std::string_view word = {};  ///< a value that is neither a string nor a message
  };

  /// Reads the next field. Returns false at the end.
  bool Next(Field* field) {
    SkipSpace();
    while (!text_.empty() && (text_.front() == ',' || text_.front() == ';')) {
      text_.remove_prefix(1);
      SkipSpace();
    }
    *field = {.name = TakeWord()};
    if (field->name.empty()) return false;
    SkipSpace();
    if (!text_.empty() && text_.front() == ':') text_.remove_prefix(1);
    SkipSpace();
    if (text_.empty()) return false;
    field->first = text_.front();
    if (field->first == '[') {
      std::string_view rest = text_.substr(1);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
      field->first = rest.empty() ? '\0' : rest.front();
    }
    return SkipValue(field);
  }

 private:
  void SkipSpace() {
    while (!text_.empty()) {
      if (text_.front() == '#') {
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      } else if (std::isspace(static_cast<unsigned char>(text_.front())) != 0) {
        text_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  std::string_view TakeWord() {
    std::size_t size = 0;
    while (size < text_.size() && IsOfWord(text_[size])) ++size;
    const std::string_view word = text_.substr(0, size);
    text_.remove_prefix(size);
    return word;
  }

  /// Skips consecutive strings, which are one value.
  void SkipStrings() {
    while (!text_.empty() && (text_.front() == '"' || text_.front() == '\'')) {
      const char quote = text_.front();
      std::size_t at = 1;
      while (at < text_.size() && text_[at] != quote) at += text_[at] == '\\' ? 2 : 1;
      text_.remove_prefix(std::min(at + 1, text_.size()));
      SkipSpace();
    }
  }

  /// Skips a value: a message, a list, one or several strings, or a word. Stores a word in `field->word`. Returns false
  /// if the value is not complete.
  bool SkipValue(Field* field) {
    int depth = 0;
    do {
      SkipSpace();
      if (text_.empty()) return depth == 0;
      const char c = text_.front();
      if (c == '"' || c == '\'') {
        SkipStrings();
      } else if (c == '{' || c == '<' || c == '[') {
        ++depth;
        text_.remove_prefix(1);
      } else if (c == '}' || c == '>' || c == ']') {
        --depth;
        text_.remove_prefix(1);
      } else if (depth == 0) {
        field->word = TakeWord();
        return !field->word.empty();
      } else {
        text_.remove_prefix(1);
      }
    } while (depth > 0);
    return depth == 0;
  }

  std::string_view text_;
};

/// Reads a number in any notation of the format. Returns -1 if the word is not a number.
std::int64_t NumberOf(std::string_view word) {
  int base = 10;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    base = 16;
    word.remove_prefix(2);
  } else if (word.size() > 1 && word.front() == '0') {
    base = 8;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  return error == std::errc() && end == word.data() + word.size() ? number : -1;
}

}  // namespace

std::optional<Schema> FindSchemaOfText(std::string_view text) {
  Fields fields(text);
  Fields::Field field;
  bool has_node = false;
  bool has_names = false;
  bool is_function = false;  // a function of the current schema, whose inputs and outputs are also names
  while (fields.Next(&field)) {
    if (field.name == "ir_version" && IsVersionOfTorch(NumberOf(field.word))) return Schema::kTorch;
    if (field.name == "graph") has_node = false;  // a field of a model, which has no nodes itself
    has_node = has_node || field.name == "node";
    const bool is_string = field.first == '"' || field.first == '\'';
    has_names = has_names || (is_string && (field.name == "input" || field.name == "output"));
    is_function = is_function || field.name == "opset_import" || field.name == "domain" || field.name == "overload" ||
                  field.name == "attribute" || field.name == "attribute_proto";
  }
  return has_node && has_names && !is_function ? std::optional(Schema::kOnnx01) : std::nullopt;
}

}  // namespace onnxc::old
