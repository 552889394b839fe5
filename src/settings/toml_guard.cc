#include "settings/toml_guard.h"

#include <fmt/format.h>

#include <algorithm>

namespace onnxc::toml_guard {
namespace {

constexpr std::size_t kMostParts = 16;
constexpr std::string_view kSpaces = " \t";

bool MayBeginKey(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-\"'").find(c) != std::string_view::npos;
}

/// Inspects one line at a time. This is possible because strings that continue on the next line are refused.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  std::optional<Unreadable> Find() {
    for (std::size_t begin = 0; begin < text_.size(); begin = end_ + 1) {
      end_ = std::min(text_.find('\n', begin), text_.size());
      if (auto found = FindHeader(begin)) return found;
      if (auto found = FindIn(begin)) return found;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Unreadable> FindIn(std::size_t begin) const {
    std::size_t parts = 1;
    for (std::size_t at = begin; at < end_; ++at) {
      const char c = text_[at];
      if (c == '#') return std::nullopt;
      if (c == '"' || c == '\'') {
        if (text_.substr(at, 3) == std::string(3, c)) {
          return Unreadable{at, "settings cannot contain strings of several lines: write \"...\""};
        }
        at = EndOfString(at);
      }
      if (std::string_view("=,[]{}").find(c) != std::string_view::npos) parts = 1;
      if (c == '.' && ++parts > kMostParts) {
        return Unreadable{at, fmt::format("a key cannot have more than {} parts", kMostParts)};
      }
    }
    return std::nullopt;
  }

  /// Returns the offset of the closing quote of the string that begins at offset `at`, or the end of the line if there
  /// is no closing quote.
  [[nodiscard]] std::size_t EndOfString(std::size_t at) const {
    const char quote = text_[at];
    for (++at; at < end_ && text_[at] != quote; ++at) {
      if (quote == '"' && text_[at] == '\\') ++at;
    }
    return at;
  }

  /// Reports a header that does not begin with a key, such as `[.key]`. A key may have quotes.
  [[nodiscard]] std::optional<Unreadable> FindHeader(std::size_t at) const {
    at = text_.find_first_not_of(kSpaces, at);
    if (at >= end_ || text_[at] != '[') return std::nullopt;
    if (++at < end_ && text_[at] == '[') ++at;
    at = text_.find_first_not_of(kSpaces, at);
    if (at >= end_ || MayBeginKey(text_[at]) || text_[at] == ']') return std::nullopt;
    const bool is_shown = text_[at] > ' ' && text_[at] <= '~';
    return Unreadable{at, fmt::format("this is not TOML: a key begins a table header{}",
                                      is_shown ? fmt::format(", not '{}'", text_[at]) : "")};
  }

  std::string_view text_;
  std::size_t end_ = 0;  // the end of the line
};

}  // namespace

void ThrowBroken() { throw Broken(); }

std::optional<Unreadable> FindUnreadable(std::string_view text) { return Lines(text).Find(); }

}  // namespace onnxc::toml_guard
