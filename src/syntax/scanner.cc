#include "syntax/scanner.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "source/unicode.h"
#include "syntax/OnnxTextParser.h"
#include "syntax/quoted.h"
#include "syntax/words.h"

namespace onnxc::syntax {
namespace {

using T = OnnxTextParser;

// Classes of bytes. A byte may belong to several classes.
enum : unsigned {
  kSpace = 1,
  kLetter = 2,  // letters and `_`
  kDigit = 4,
  kNumberPart = 8,  // the bytes of a list of plain numbers, including commas
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

// Returns the first byte that is in none of the classes.
inline const char* Skip(unsigned classes, const char* at, const char* end) {
  for (; end - at >= 4; at += 4) {  // one check for the end for four bytes
    if (!Is(at[0], classes)) return at;
    if (!Is(at[1], classes)) return at + 1;
    if (!Is(at[2], classes)) return at + 2;
    if (!Is(at[3], classes)) return at + 3;
  }
  while (at != end && Is(*at, classes)) ++at;
  return at;
}

// Like Is(), for the bytes of list tokens, without a table and only with bytes, so that the compiler can vectorize it.
template <unsigned kAllowed>
constexpr std::uint8_t IsListByte(std::uint8_t c) {
  using Byte = std::uint8_t;
  const auto in = [](Byte x, Byte first, Byte last) { return Byte(Byte(x - first) <= Byte(last - first)); };
  const Byte lower = c | 0x20;
  const Byte is_letter = (kAllowed & kLetter) != 0 ? Byte(in(lower, 'a', 'z') | Byte(c == '_')) : Byte(lower == 'e');
  return is_letter | Byte(in(c, '+', '9') & Byte(c != '/')) | Byte(c == ' ') | in(c, '\t', '\r');
}
template <unsigned kAllowed>
constexpr bool AgreesWithTable() {
  for (int c = 0; c < 256; ++c) {
    if ((IsListByte<kAllowed>(static_cast<std::uint8_t>(c)) != 0) != Is(static_cast<char>(c), kAllowed)) return false;
  }
  return true;
}

// Skips allowed bytes. Weights have megabytes of them, so all but small list tokens are skipped in blocks.
template <unsigned kAllowed>
inline const char* SkipListBytes(const char* at, const char* end) {
  static_assert(AgreesWithTable<kAllowed>());
  constexpr std::ptrdiff_t kBlock = 64;
  const char* const small = at + std::min(kBlock, end - at);
  at = Skip(kAllowed, at, small);
  if (at != small) return at;
  for (; end - at >= kBlock; at += kBlock) {
    std::uint8_t allowed = 0;  // a count, because clang does not vectorize a conjunction for WebAssembly
    for (std::ptrdiff_t i = 0; i < kBlock; ++i) {
      allowed = static_cast<std::uint8_t>(allowed + IsListByte<kAllowed>(static_cast<std::uint8_t>(at[i])));
    }
    if (allowed != kBlock) break;
  }
  return Skip(kAllowed, at, end);
}

// Returns, for each byte that is always a token by itself, the token's type, and 0 for other bytes.
constexpr std::array<std::uint8_t, 256> MakeSingles() {
  std::array<std::uint8_t, 256> singles{};
  singles['('] = T::LPAREN;
  singles[')'] = T::RPAREN;
  singles['<'] = T::LESS;
  singles['>'] = T::GREATER;
  singles[','] = T::COMMA;
  singles[':'] = T::COLON;
  singles['.'] = T::DOT;
  singles['?'] = T::QUESTION;
  singles[']'] = T::RBRACKET;
  singles['}'] = T::RBRACE;
  return singles;
}
constexpr std::array<std::uint8_t, 256> kSingles = MakeSingles();

}  // namespace

inline void Scanner::Take(SyntaxToken& token, std::size_t type, const char* begin, const char* end) {
  token.type = type;
  token.text = {begin, end};
  token.begin = Offset(begin);
  token.next = nullptr;
  at_ = end;
  previous_ = type;
}

// Most tokens are a single byte, a word that is not a keyword, or a string. They are handled here without a function
// call, which would have to save registers and guard the stack for each token.
void Scanner::Next(SyntaxToken& token) {
  const char* const at = Skip(kSpace, at_, End());
  if (at == End()) return Take(token, antlr4::Token::EOF, at, at);
  if (const std::size_t single = kSingles[static_cast<unsigned char>(*at)]) return Take(token, single, at, at + 1);
  if (Is(*at, kLetter)) {
    const char* const end = Skip(kLetter | kDigit, at, End());
    const std::string_view word(at, end);
    const bool is_bytes = word == "b" && end != End() && *end == '"';
    if (!is_bytes) return MayBeKeyword(word) ? NextKeyword(token, word) : Take(token, T::ID, at, end);
  }
  if (*at == '"') {
    const char* const end = FindStringEnd(at, End());
    if (end != nullptr) return Take(token, T::STRING, at, end);
  }
  *at == '#' ? NextBehindComments(token, at) : NextOther(token, at);
}

void Scanner::NextKeyword(SyntaxToken& token, std::string_view word) {
  Take(token, WordType(word), word.data(), word.data() + word.size());
}

void Scanner::NextOther(SyntaxToken& token, const char* at) {
  std::size_t end = 0;
  const std::size_t type = Scan(Offset(at), &end);
  Take(token, type, at, text_.data() + end);
}

void Scanner::NextBehindComments(SyntaxToken& token, const char* at) {
  while (at != End() && *at == '#') {
    const char* const line_end = std::find(at, End(), '\n');
    if (IsPragma(Offset(at))) return Take(token, T::PRAGMA, at, line_end);
    at = Skip(kSpace, line_end, End());
  }
  at_ = at;
  Next(token);
}

// Returns whether the comment begins with `# onnxc:`, which makes it a pragma.
bool Scanner::IsPragma(std::size_t from) const {
  const std::size_t word = text_.find_first_not_of(" \t", from + 1);
  return word != std::string_view::npos && text_.substr(word).starts_with("onnxc:");
}

// Scans a token that is neither a word nor a single byte.
std::size_t Scanner::Scan(std::size_t begin, std::size_t* end) const {
  const char c = text_[begin];
  const char after = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  if (Is(c, kDigit) || (c == '-' && Is(after, kDigit))) {
    bool is_float = false;
    *end = NumberEnd(begin, &is_float);
    return is_float ? T::FLOAT : T::INT;
  }
  *end = begin + 1;
  switch (c) {
    case 'b': return ScanBytes(begin, end);
    case '@':
      if (after != '{') return T::AT;
      *end = begin + 2;
      return T::AT_BRACE;
    case '=':
      if (after != '>') return T::EQUALS;
      *end = begin + 2;
      return T::ARROW;
    case '[': return previous_ == T::EQUALS ? ScanList(begin, end) : std::size_t{T::LBRACKET};
    case '{': return DataMayFollow() ? ScanList(begin, end) : std::size_t{T::LBRACE};
    case '"': *end = StringEnd(begin); return *end == 0 ? (*end = text_.size(), T::INVALID) : T::STRING;
    case '-':  // numbers were handled above, so this is a word such as `-inf`
      if (const std::size_t word_end = EndOf(kLetter | kDigit, begin + 1);
          IsSpecialFloat(text_.substr(begin + 1, word_end - begin - 1))) {
        *end = word_end;
        return T::FLOAT;
      }
      return T::INVALID;
    default: *end = begin + DecodeCharacter(text_, begin).length; return T::INVALID;
  }
}

// Returns the first byte at or after `from` that is in none of the classes.
std::size_t Scanner::EndOf(unsigned classes, std::size_t from) const {
  return Offset(Skip(classes, text_.data() + from, text_.data() + text_.size()));
}

std::size_t Scanner::NumberEnd(std::size_t from, bool* is_float) const {
  const auto skip_digits = [&] { from = EndOf(kDigit, from); };
  ++from;  // skips a digit or the sign
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

// Returns the end of the string, or 0 if it is not closed.
std::size_t Scanner::StringEnd(std::size_t from) const {
  const char* const end = FindStringEnd(text_.data() + from, text_.data() + text_.size());
  return end == nullptr ? 0 : Offset(end);
}

// Scans b"...". Its C escapes are checked here, so that later stages need not check them.
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

// Scans a list token or, if the list cannot be one token, only its bracket.
std::size_t Scanner::ScanList(std::size_t begin, std::size_t* end) const {
  const bool is_bracket = text_[begin] == '[';
  const char close = is_bracket ? ']' : '}';
  if (const std::size_t list_end = ListEnd(begin, close); list_end != 0) {
    *end = list_end;
    return is_bracket ? T::NUMBERS : T::DATA;
  }
  if (const std::size_t list_end = list_tokens_ == ListTokens::kAll ? StringsEnd(begin, close) : 0; list_end != 0) {
    *end = list_end;
    return is_bracket ? T::STRINGS : T::STRING_DATA;
  }
  return is_bracket ? T::LBRACKET : T::LBRACE;
}

// Returns the end of a list token, or 0 if a byte before `close` is not in the allowed classes.
std::size_t Scanner::ListEnd(std::size_t from, char close) const {
  const std::size_t first = ++from;
  const char* const at = text_.data() + from;
  const char* const end = text_.data() + text_.size();
  from = Offset(close == ']' ? SkipListBytes<kNumberPart | kSpace>(at, end)
                             : SkipListBytes<kNumberPart | kLetter | kSpace>(at, end));
  const bool is_closed = from < text_.size() && text_[from] == close;
  const bool is_empty_list = close == ']' && text_.find_first_not_of(" \t\n\v\f\r", first) == from;
  return is_closed && !is_empty_list ? from + 1 : 0;
}

// Like ListEnd(), for strings separated by commas. The bytes that it reads without success contain no bracket and so
// begin no other list token. Therefore, the text is read at most twice.
std::size_t Scanner::StringsEnd(std::size_t from, char close) const {
  for (;;) {
    from = EndOf(kSpace, from + 1);
    if (from == text_.size() || text_[from] != '"' || (from = StringEnd(from)) == 0) return 0;
    from = EndOf(kSpace, from);
    if (from == text_.size()) return 0;
    if (text_[from] == close) return from + 1;
    if (text_[from] != ',') return 0;
  }
}

bool Scanner::DataMayFollow() const {
  switch (previous_) {
    case T::EQUALS:
    case T::RBRACKET:
    case T::LBRACE: return true;                                        // LBRACE is for `{{1, 2}}`
    default: return previous_ >= T::ELEMENT && previous_ <= T::STRING;  // a type or a name
  }
}

}  // namespace onnxc::syntax
