#include "syntax/scanner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "source/unicode.h"
#include "syntax/OnnxTextParser.h"
#include "syntax/words.h"

namespace onnxc {
namespace {

using T = OnnxTextParser;

// Classes of bytes; a byte may belong to several.
enum : unsigned {
  kSpace = 1,
  kLetter = 2,  // letters and `_`
  kDigit = 4,
  kNumberPart = 8,  // what a list of plain numbers is made of, with its commas
};

constexpr std::array<std::uint8_t, 256> MakeClasses() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : std::string_view(" \t\n\v\f\r")) classes[static_cast<unsigned char>(c)] = kSpace;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  classes['_'] = kLetter;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = kDigit | kNumberPart;
  for (const char c : std::string_view("+-.,eE")) classes[static_cast<unsigned char>(c)] |= kNumberPart;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = MakeClasses();

constexpr bool Is(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

}  // namespace

void Scanner::Next(SyntaxToken& token) {
  SkipBlanks();
  std::size_t end = next_;
  token.type = Scan(next_, &end);
  token.begin = next_;
  token.text = text_.substr(next_, end - next_);
  token.next = nullptr;
  next_ = end;
  previous_ = token.type;
}

void Scanner::SkipBlanks() {
  while (next_ < text_.size()) {
    if (Is(text_[next_], kSpace)) {
      next_ = EndOf(kSpace, next_ + 1);
    } else if (text_[next_] == '#' && !IsPragma(next_)) {
      const std::size_t end = text_.find('\n', next_);
      next_ = end == std::string_view::npos ? text_.size() : end + 1;
    } else {
      return;
    }
  }
}

// `# onnxc:` begins a comment that is meant for us.
bool Scanner::IsPragma(std::size_t from) const {
  const std::size_t word = text_.find_first_not_of(" \t", from + 1);
  return word != std::string_view::npos && text_.substr(word).starts_with("onnxc:");
}

std::size_t Scanner::Scan(std::size_t begin, std::size_t* end) const {
  if (begin == text_.size()) return antlr4::Token::EOF;
  const char c = text_[begin];
  if (Is(c, kLetter)) {
    if (c == 'b' && begin + 1 < text_.size() && text_[begin + 1] == '"') return ScanBytes(begin, end);
    *end = WordEnd(begin);
    return WordType(text_.substr(begin, *end - begin));
  }
  const char after = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  if (Is(c, kDigit) || (c == '-' && Is(after, kDigit))) {
    bool is_float = false;
    *end = NumberEnd(begin, &is_float);
    return is_float ? T::FLOAT : T::INT;
  }
  *end = begin + 1;
  switch (c) {
    case '(': return T::LPAREN;
    case ')': return T::RPAREN;
    case '<': return T::LESS;
    case '>': return T::GREATER;
    case ',': return T::COMMA;
    case ':': return T::COLON;
    case '.': return T::DOT;
    case '?': return T::QUESTION;
    case '@':
      if (after != '{') return T::AT;
      *end = begin + 2;
      return T::AT_BRACE;
    case '#': *end = std::min(text_.find('\n', begin), text_.size()); return T::PRAGMA;
    case ']': return T::RBRACKET;
    case '}': return T::RBRACE;
    case '=':
      if (after != '>') return T::EQUALS;
      *end = begin + 2;
      return T::ARROW;
    case '[':
      if (previous_ != T::EQUALS) return T::LBRACKET;
      if (const std::size_t island = IslandEnd(begin, ']', kNumberPart | kSpace); island != 0) {
        *end = island;
        return T::NUMBERS;
      }
      return T::LBRACKET;
    case '{':
      if (!DataMayFollow()) return T::LBRACE;
      if (const std::size_t island = IslandEnd(begin, '}', kNumberPart | kLetter | kSpace); island != 0) {
        *end = island;
        return T::DATA;
      }
      return T::LBRACE;
    case '"': *end = StringEnd(begin); return *end == 0 ? (*end = text_.size(), T::INVALID) : T::STRING;
    case '-':  // only `-inf` and the like are left
      if (const std::size_t word_end = WordEnd(begin + 1);
          IsSpecialFloat(text_.substr(begin + 1, word_end - begin - 1))) {
        *end = word_end;
        return T::FLOAT;
      }
      return T::INVALID;
    default: *end = begin + DecodeCharacter(text_, begin).length; return T::INVALID;
  }
}

std::size_t Scanner::WordEnd(std::size_t from) const { return EndOf(kLetter | kDigit, from); }

// The first byte from `from` on that is of none of the classes.
std::size_t Scanner::EndOf(unsigned classes, std::size_t from) const {
  const char* const begin = text_.data();
  const char* at = begin + from;
  const char* const end = begin + text_.size();
  while (at != end && Is(*at, classes)) ++at;
  return static_cast<std::size_t>(at - begin);
}

std::size_t Scanner::NumberEnd(std::size_t from, bool* is_float) const {
  const auto skip_digits = [&] { from = EndOf(kDigit, from); };
  ++from;  // a digit or the sign
  skip_digits();
  if (from < text_.size() && text_[from] == '.') {
    *is_float = true;
    ++from;
    skip_digits();
  }
  if (from < text_.size() && (text_[from] == 'e' || text_[from] == 'E')) {
    *is_float = true;
    ++from;
    if (from < text_.size() && (text_[from] == '+' || text_[from] == '-')) ++from;
    skip_digits();
  }
  return from;
}

// 0 where the string does not end.
std::size_t Scanner::StringEnd(std::size_t from) const {
  for (++from; (from = text_.find_first_of("\"\\", from)) != std::string_view::npos; from += 2) {
    if (text_[from] == '"') return from + 1;
  }
  return 0;
}

// b"...", with C escapes that are checked here, so that whoever decodes them need not.
std::size_t Scanner::ScanBytes(std::size_t begin, std::size_t* end) const {
  *end = StringEnd(begin + 1);
  if (*end == 0) {
    *end = text_.size();
    return T::INVALID;
  }
  const std::string_view literal = text_.substr(begin, *end - begin);
  const auto is_hex = [&](std::size_t at) { return std::isxdigit(static_cast<unsigned char>(literal[at])) != 0; };
  for (std::size_t at = literal.find('\\'); at != std::string_view::npos; at = literal.find('\\', at + 2)) {
    if (std::string_view("\\\"nrt").find(literal[at + 1]) != std::string_view::npos) continue;
    if (literal[at + 1] != 'x' || at + 3 >= literal.size() || !is_hex(at + 2) || !is_hex(at + 3)) return T::INVALID;
  }
  return T::STRING;
}

// 0 where this is no island: before `close` stands a byte of no allowed class.
std::size_t Scanner::IslandEnd(std::size_t from, char close, unsigned allowed) const {
  const std::size_t first = ++from;
  from = EndOf(allowed, from);
  const bool is_closed = from < text_.size() && text_[from] == close;
  const bool is_empty_list = close == ']' && text_.find_first_not_of(" \t\n\v\f\r", first) == from;
  return is_closed && !is_empty_list ? from + 1 : 0;
}

bool Scanner::DataMayFollow() const {
  switch (previous_) {
    case T::EQUALS:
    case T::RBRACKET:
    case T::LBRACE: return true;                                        // the last for `{{1, 2}}`
    default: return previous_ >= T::ELEMENT && previous_ <= T::STRING;  // a type or a name
  }
}

std::vector<SourceRange> Comments(std::string_view text) {
  std::vector<SourceRange> comments;
  Scanner scanner(text);
  std::size_t gap = 0;
  for (SyntaxToken token; token.type != antlr4::Token::EOF; gap = token.range().end) {
    scanner.Next(token);
    const std::string_view before = text.substr(0, token.begin);
    while ((gap = before.find('#', gap)) != std::string_view::npos) {
      const std::size_t end = std::min(before.find('\n', gap), before.size());
      comments.push_back({gap, end});
      gap = end;
    }
  }
  return comments;
}

}  // namespace onnxc
