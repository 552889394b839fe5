#include "codec/json_place.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace onnxc::codec {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Walks over a text that is known to be valid JSON.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) { SkipBlanks(); }

  /// Moves to the value of the member `name` of the object at the current position, or to its key if `to_key` is set.
  /// Returns false if there is no such member.
  bool EnterMember(std::string_view name, bool to_key) {
    if (!Take('{')) return false;
    while (Next() == '"') {
      const std::size_t key = at_;
      SkipValue();
      const std::string_view word = text_.substr(key + 1, at_ - key - 2);
      if (FieldOfKey(word) == FieldOfKey(name)) {
        if (to_key) at_ = key;
        return to_key || Take(':');
      }
      if (!Take(':')) return false;
      SkipValue();
      if (!Take(',')) return false;
    }
    return false;
  }

  /// Moves to an element of the list at the current position. Returns false if there is no such element. A value that
  /// is not a list is treated as a list with one element, as in protobuf.
  bool EnterElement(std::size_t index) {
    if (Next() != '[') return index == 0;
    (void)Take('[');
    for (; index > 0; --index) {
      SkipValue();
      if (!Take(',')) return false;
    }
    return Next() != ']';
  }

  /// Returns the range of the value at the current position. For an object or a list, this is the range of its opening
  /// bracket.
  [[nodiscard]] SourceRange Value() {
    const std::size_t begin = at_;
    if (Next() == '{' || Next() == '[') return {begin, begin + 1};
    SkipValue();
    return {begin, at_};
  }

 private:
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  bool Take(char c) {
    SkipBlanks();
    if (Next() != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }

  void SkipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1 : 0;
    ++at_;
  }

  void SkipValue() {
    std::size_t depth = 0;
    do {
      const char c = Next();
      if (c == '"') {
        SkipString();
      } else if (c == '{' || c == '[' || c == '}' || c == ']') {
        depth += c == '{' || c == '[' ? 1 : std::size_t{0} - 1;
        ++at_;
      } else {
        at_ = std::min(text_.find_first_of("\"{}[],: \t\r\n", at_ + (depth > 0 ? 1 : 0)), text_.size());
      }
    } while (depth > 0 && at_ < text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string FieldOfKey(std::string_view key) {
  std::string field;
  for (const char c : key) {
    if (c != '_') field += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return field;
}

SourceRange FindJson(std::string_view text, std::string_view path, std::string_view member) {
  JsonWalk walk(text);
  while (!path.empty()) {
    const bool is_element = path.front() == '[';
    const std::size_t end = std::min(path.find_first_of(is_element ? "]" : ".[", 1), path.size());
    const std::string_view word = path.substr(is_element ? 1 : 0, end - (is_element ? 1 : 0));
    std::size_t index = 0;
    std::from_chars(word.data(), word.data() + word.size(), index);
    if (!(is_element ? walk.EnterElement(index) : walk.EnterMember(word, false))) return kNowhere;
    path.remove_prefix(std::min(path.size(), end + (is_element ? 1 : 0)));
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  if (!member.empty() && !walk.EnterMember(member, true)) return kNowhere;
  return walk.Value();
}

}  // namespace onnxc::codec
