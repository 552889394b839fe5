#include "symbols/tokens.h"

#include <algorithm>

#include "lower/literal.h"
#include "lower/tree.h"
#include "syntax/scanner.h"

namespace onnxc {
namespace {

using lower::Grammar;

TokenKind KindOf(std::size_t type) {
  switch (type) {
    case Grammar::ID: return TokenKind::kName;
    case Grammar::ELEMENT:
    case Grammar::SEQ:
    case Grammar::OPTIONAL:
    case Grammar::MAP:
    case Grammar::SPARSE_TENSOR:
    case Grammar::OPAQUE: return TokenKind::kKeyword;
    case Grammar::INT:
    case Grammar::FLOAT:
    case Grammar::SPECIAL: return TokenKind::kNumber;
    case Grammar::NUMBERS:
    case Grammar::DATA: return TokenKind::kNumbers;
    case Grammar::STRING: return TokenKind::kString;
    case Grammar::PRAGMA: return TokenKind::kPragma;
    case Grammar::INVALID: return TokenKind::kInvalid;
    default: return TokenKind::kMark;
  }
}

/// Adds the comments in the white space between two tokens.
void AddComments(std::string_view text, SourceRange gap, std::vector<TextToken>* tokens) {
  for (std::size_t at = gap.begin; (at = text.substr(0, gap.end).find('#', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find('\n', at), gap.end);
    tokens->push_back({TokenKind::kComment, {at, end}});
    at = end;
  }
}

}  // namespace

std::vector<TextToken> TokensIn(std::string_view text, SourceRange part, bool comments) {
  syntax::Scanner scanner(text, syntax::Scanner::ListTokens::kNumbers, part.begin);
  std::vector<TextToken> tokens;
  syntax::SyntaxToken token;
  std::size_t behind = part.begin;
  for (scanner.Next(token); token.type != antlr4::Token::EOF && token.begin < part.end; scanner.Next(token)) {
    if (comments) AddComments(text, {behind, token.begin}, &tokens);
    tokens.push_back({KindOf(token.type), token.range()});
    behind = token.range().end;
  }
  if (comments) AddComments(text, {behind, std::min(part.end, text.size())}, &tokens);
  return tokens;
}

std::string NameOf(std::string_view token) {
  syntax::SyntaxToken read;
  read.type = token.ends_with('"') ? Grammar::STRING : Grammar::ID;
  read.text = token;
  return lower::NameOf(read);
}

}  // namespace onnxc
