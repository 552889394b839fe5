#include "syntax/other_strings.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "syntax/quoted.h"

namespace onnxc::syntax {
namespace {

constexpr std::size_t kLongestString = 1000;  // in bytes

struct Quotes {
  std::string_view open;
  std::string_view close;
};
constexpr Quotes kQuotes[] = {{"'", "'"},           {"`", "`"},           {"\u201C", "\u201D"}, {"\u201D", "\u201D"},
                              {"\u201E", "\u201C"}, {"\u2018", "\u2019"}, {"\u2019", "\u2019"}, {"\u00AB", "\u00BB"},
                              {"\u00B4", "\u00B4"}, {"\uFF02", "\uFF02"}};

bool IsPartOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns the end of the word at the offset. No prefix is longer than two bytes.
std::size_t EndOfPrefix(std::string_view text, std::size_t at) {
  if (at > 0 && IsPartOfWord(text[at - 1])) return at;
  std::size_t end = at;
  while (end < text.size() && end - at < 3 && IsPartOfWord(text[end])) ++end;
  return end;
}

}  // namespace

bool IsStringPrefix(std::string_view word) {
  constexpr std::string_view kPrefixes[] = {"r", "R", "u", "U", "f", "F", "B", "L", "u8", "rb", "br", "fr", "rf"};
  return std::ranges::find(kPrefixes, word) != std::end(kPrefixes);
}

bool OpensOtherString(std::string_view text) {
  return std::ranges::any_of(kQuotes, [&](const Quotes& quotes) { return text.starts_with(quotes.open); });
}

std::optional<OtherString> OtherStringAt(std::string_view text, std::size_t at) {
  const std::size_t open = EndOfPrefix(text, at);
  const std::string_view prefix = text.substr(at, open - at);
  if (!text.substr(open).starts_with('"') && !OpensOtherString(text.substr(open))) return std::nullopt;
  text = text.substr(0, std::min(text.size(), open + kLongestString));
  text = text.substr(0, text.find('\n', open));
  const std::string_view rest = text.substr(open);
  if (rest.starts_with('"')) {
    if (!IsStringPrefix(prefix)) return std::nullopt;
    const char* const end = FindStringEnd(rest.data(), rest.data() + rest.size());
    if (end == nullptr || end[-1] != '"') return std::nullopt;
    const std::size_t close = static_cast<std::size_t>(end - text.data()) - 1;
    const std::string_view inner = text.substr(open + 1, close - open - 1);
    const bool is_format = prefix.find_first_of("fF") != std::string_view::npos;
    const bool is_plain = inner.find_first_of(is_format ? "\\{}" : "\\") == std::string_view::npos;
    return OtherString{{at, close + 1}, prefix, {open, open + 1}, {close, close + 1}, false, is_plain};
  }
  if (!prefix.empty() && !IsStringPrefix(prefix) && prefix != "b") return std::nullopt;
  const auto* quotes = std::ranges::find_if(kQuotes, [&](const Quotes& q) { return rest.starts_with(q.open); });
  if (quotes == std::end(kQuotes)) return std::nullopt;
  const std::size_t close = text.find(quotes->close, open + quotes->open.size());
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inner = text.substr(open + quotes->open.size(), close - open - quotes->open.size());
  const bool is_format = prefix.find_first_of("fF") != std::string_view::npos;
  const bool is_plain = inner.find_first_of(is_format ? "\"\\{}" : "\"\\") == std::string_view::npos;
  const std::size_t end = close + quotes->close.size();
  return OtherString{{at, end}, prefix, {open, open + quotes->open.size()}, {close, end}, true, is_plain};
}

void RewriteString(const OtherString& string, std::vector<FixIt>* edits) {
  if (!string.has_other_quotes) return edits->push_back({{string.range.begin, string.open.begin}, ""});
  edits->push_back({{string.range.begin, string.open.end}, "\""});
  edits->push_back({string.close, "\""});
}

namespace {

/// Adds the edits, and returns where reading ended. Sets `*is_valid` to false if there must be no edits.
std::size_t RewriteStrings(std::string_view text, std::size_t at, bool ends_at_comma, bool* is_valid,
                           std::vector<FixIt>* edits) {
  constexpr std::string_view kOpening = "([{<";
  constexpr std::string_view kClosing = ")]}>";
  constexpr std::string_view kOpeners = "'`\"";  // those of ASCII
  *is_valid = false;
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    const bool may_open = kOpeners.find(c) != std::string_view::npos || (c & 0x80) != 0;
    const bool may_begin = may_open || (IsPartOfWord(c) && (at == 0 || !IsPartOfWord(text[at - 1])));  // with a prefix
    if (const auto string = may_begin ? OtherStringAt(text, at) : std::nullopt) {
      if (!string->is_plain) return at;
      RewriteString(*string, edits);
      at = string->range.end;
      continue;
    }
    if (may_open && OpensOtherString(text.substr(at))) return at;  // it is not closed
    if (c == '"') {
      const char* const end = FindStringEnd(text.data() + at, text.data() + text.size());
      if (end == nullptr) return text.size();
      at = static_cast<std::size_t>(end - text.data());
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const bool is_arrow = c == '>' && at > 0 && (text[at - 1] == '=' || text[at - 1] == '-');
    if (kOpening.find(c) != std::string_view::npos) ++depth;
    const bool is_end = kClosing.find(c) != std::string_view::npos && !is_arrow && depth-- == 0;
    if (is_end || (depth == 0 && (c == '\n' || (c == ',' && ends_at_comma)))) break;
    ++at;
  }
  *is_valid = true;
  return at;
}

}  // namespace

std::vector<FixIt> RewriteStringsFrom(std::string_view text, std::size_t at, bool ends_at_comma, std::size_t* end) {
  const bool is_cut = text.size() > at + kMostRewritten;
  text = text.substr(0, std::min(text.size(), at + kMostRewritten));
  std::vector<FixIt> edits;
  bool is_valid = false;
  const std::size_t last = RewriteStrings(text, at, ends_at_comma, &is_valid, &edits);
  if (end != nullptr) *end = last;
  if (!is_valid || (is_cut && last == text.size())) edits.clear();
  return edits;
}

}  // namespace onnxc::syntax
