#include "syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "syntax/quoted.h"

namespace onnxc::syntax {
namespace {

constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool IsIdentifier(std::string_view name) {
  static constexpr auto kIsPart = [] {
    std::array<bool, 256> is_part{};
    for (int c = 0; c < 256; ++c) is_part[c] = IsLetter(static_cast<char>(c)) || IsDigit(static_cast<char>(c));
    return is_part;
  }();
  if (name.empty() || IsDigit(name.front())) return false;
  return std::ranges::all_of(name, [](char c) { return kIsPart[static_cast<unsigned char>(c)]; });
}

std::string NearestIdentifier(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    if (!IsLetter(c) && !IsDigit(c)) c = '_';
  }
  if (identifier.empty() || IsDigit(identifier.front())) identifier.insert(0, 1, '_');
  return identifier;
}

void AppendQuoted(std::string_view text, std::string* out) {
  out->push_back('"');
  const char* begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at; (at = FindQuoteOrBackslash(begin, end)) != end; begin = at + 1) {
    out->append(begin, at).push_back('\\');
    out->push_back(*at);
  }
  out->append(begin, end).push_back('"');
}

bool HasWord(std::string_view text, std::string_view word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

}  // namespace onnxc::syntax
