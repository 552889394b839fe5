#include "format/cursor.h"

#include <array>

#include "syntax/brackets.h"
#include "syntax/syntax_errors.h"

namespace onnxc::format {
namespace {

/// The bytes at which the search for the end of a plain list stops: brackets other than `[` and `]`, and the first
/// bytes of strings, comments, annotations and other fields.
constexpr std::array<bool, 256> kEndsPlain = [] {
  std::array<bool, 256> ends{};
  for (const char c : std::string_view("()<>{}\"#@")) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();

}  // namespace

std::optional<std::size_t> Cursor::EndOfPlainList() const {
  constexpr std::size_t kShort = 256;  // bytes; the scanner is faster for long lists of numbers
  const std::string_view text = comments_->text().substr(0, token_.begin + kShort);
  std::size_t at = token_.begin + 1;
  while (at < text.size() && !kEndsPlain[static_cast<unsigned char>(text[at])]) ++at;
  if (at == text.size()) return std::nullopt;
  const bool is_closed = type() == Grammar::LPAREN ? text[at] == ')' : type() == Grammar::LESS && text[at] == '>';
  const bool is_arrow = text[at - 1] == '=';  // the `>` of `=>` closes no list
  return is_closed && !is_arrow ? std::optional(at) : std::nullopt;
}

bool Cursor::SkipBrackets() {
  const std::size_t first = comment_;
  if (const std::optional<std::size_t> end = EndOfPlainList()) {
    while (Comment() != nullptr) PassComment();
    scanner_.GoOnAt(*end);
    Advance();
    Advance();
    return comment_ != first;
  }
  std::size_t depth = 0;
  do {
    if (syntax::IsOpening(type())) ++depth;
    if (syntax::IsClosing(type())) --depth;
    while (Comment() != nullptr) PassComment();
    Advance();
  } while (depth > 0 && type() != antlr4::Token::EOF);
  return comment_ != first;
}

}  // namespace onnxc::format
