#include "syntax/recovery.h"

#include <algorithm>

#include "source/report.h"
#include "syntax/syntax_errors.h"

namespace onnxc {
namespace {

constexpr int kLookahead = 1000;  // tokens

// `[label] a, b = Op (` and the like: what the first tokens of a node look like, seen from `token`.
bool LooksLikeNode(TokenStream& tokens, SyntaxToken* token) {
  int left = kLookahead;  // the search is cut short, to stay linear in texts made of names or open brackets
  const auto advance = [&] {
    if (--left > 0) token = tokens.After(token);
    return left > 0;
  };
  if (token->type == Grammar::LBRACKET) {
    advance();
    if (IsName(token->type)) advance();
    if (token->type != Grammar::RBRACKET) return false;
    advance();
  }
  while ((IsName(token->type) || token->type == Grammar::COMMA) && advance()) {
  }
  if (token->type != Grammar::EQUALS) return false;
  advance();
  while ((IsName(token->type) || token->type == Grammar::DOT || token->type == Grammar::COLON) && advance()) {
  }
  if (token->type != Grammar::LPAREN && token->type != Grammar::LESS) return false;
  // `body = b (int64 i) => ...` is an attribute.
  int depth = 0;
  do {
    if (IsOpening(token->type)) ++depth;
    if (IsClosing(token->type) && --depth == 0) return tokens.After(token)->type != Grammar::ARROW;
  } while (token->type != antlr4::Token::EOF && advance());
  return true;
}

// The brackets that are open at the current token, counted from the first token of `context`.
std::vector<std::size_t> OpenBrackets(TokenStream& tokens, const Context* context) {
  std::vector<std::size_t> open;
  for (const SyntaxToken* token = &First(context); token != tokens.current(); token = token->next) {
    if (IsOpening(token->type)) open.push_back(token->type);
    if (!open.empty() && token->type == ClosingOf(open.back())) open.pop_back();
  }
  return open;
}

// Skips to one of `stops` outside of all brackets opened since `context` began. A node that begins a line ends the
// search, since then a bracket is missing, and so does a bracket that closes more than was opened. True when a stop was
// found.
bool SkipTo(TokenStream& tokens, const Context* context, std::initializer_list<std::size_t> stops) {
  std::vector<std::size_t> open = OpenBrackets(tokens, context);
  for (;; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (open.empty() && std::find(stops.begin(), stops.end(), token->type) != stops.end()) return true;
    if (token->type == antlr4::Token::EOF) return false;
    if (BeginsLine(tokens.previous(), *token) && LooksLikeNode(tokens, token)) return false;
    if (IsOpening(token->type)) open.push_back(token->type);
    if (!IsClosing(token->type)) continue;
    const auto match =
        std::find_if(open.rbegin(), open.rend(), [&](std::size_t t) { return ClosingOf(t) == token->type; });
    if (match == open.rend() && token->type == Grammar::RBRACE) return false;
    if (match != open.rend()) open.erase(std::prev(match.base()), open.end());
  }
}

// Skips to the next node of the body that `context` is or is in, or to its end.
bool SkipToNode(TokenStream& tokens, const Context* context) {
  if (&First(context) == tokens.current()) tokens.consume();
  std::size_t braces = 0;
  for (const std::size_t bracket : OpenBrackets(tokens, context)) braces += bracket == Grammar::LBRACE ? 1 : 0;
  if (context->getRuleIndex() == Grammar::RuleBody && braces > 0) --braces;
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (token->type == Grammar::RBRACE && braces-- == 0) return true;
    if (token->type == Grammar::LBRACE) ++braces;
    if (braces == 0 && BeginsLine(tokens.previous(), *token) && LooksLikeNode(tokens, token)) return true;
  }
  return false;
}

// Skips behind the body of the graph or function `context`.
bool SkipToItem(TokenStream& tokens, const Context* context) {
  if (&First(context) == tokens.current()) tokens.consume();
  std::size_t braces = 0;
  for (const SyntaxToken* token = &First(context); token != tokens.current(); token = token->next) {
    if (token->type == Grammar::LBRACE) ++braces;
    if (token->type == Grammar::RBRACE && braces > 0) --braces;
  }
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    const std::size_t type = tokens.current()->type;
    if (type == Grammar::LBRACE) ++braces;
    if (type == Grammar::RBRACE && braces > 0 && --braces == 0) {
      tokens.consume();
      return true;
    }
  }
  return true;
}

bool BeginsAnnotation(std::size_t type) {
  return type == Grammar::AT || type == Grammar::AT_BRACE || type == Grammar::PRAGMA;
}

bool BeginsItem(std::size_t type) { return type == Grammar::LESS || IsName(type) || BeginsAnnotation(type); }

bool BeginsNode(std::size_t type) {
  return BeginsAnnotation(type) || type == Grammar::LBRACKET || type == Grammar::COMMA || type == Grammar::EQUALS ||
         IsName(type);
}

}  // namespace

bool Recovery::Report(ParserBase& parser, Context* context, std::size_t expected) {
  TokenStream& tokens = parser.tokens();
  const SyntaxProblem problem{context, tokens.current(), tokens.previous(), expected};
  tokens.After(tokens.After(problem.found));  // explanations look a little ahead
  if (problem.found->type == Grammar::INVALID || problem.found->type == Grammar::EQUALS) {
    for (SyntaxToken *token = problem.found, *after; token->type != antlr4::Token::EOF; token = after) {
      after = tokens.After(token);
      if (BeginsLine(token, *after)) break;
    }
  }
  last_.reset();
  if (blamed_ == problem.found) return false;
  blamed_ = problem.found;
  if (++reports_ > kMaxReports) throw FirstError{};
  Diagnostic diagnostic = MakeSyntaxError(problem);
  last_ = diagnostic.kind;
  diagnostics_->Add(std::move(diagnostic));
  switch (*last_) {
    case DiagnosticKind::kMissingEquals: expected = Grammar::EQUALS; break;
    case DiagnosticKind::kUnclosedBracket:
      if (!BeginsLine(problem.previous, *problem.found)) return false;
      break;
    case DiagnosticKind::kEqualsForColon: tokens.current()->type = expected; return true;
    default: return false;
  }
  tokens.Insert(expected);
  blamed_ = nullptr;
  return true;
}

void Recovery::ReportDepth(ParserBase& parser) {
  diagnostics_->Add(MakeDiagnostic(diag::kNestingTooDeep, parser.tokens().current()->range()));
}

// Generated code leaves a loop at the first token that does not begin another turn. Here is where such a token is
// skipped, or a missing one put before it, so that the loop goes on.
void Recovery::Sync(ParserBase& parser, Context* context) {
  TokenStream& tokens = parser.tokens();
  const std::size_t type = tokens.current()->type;
  switch (context->getRuleIndex()) {
    case Grammar::RuleItemsFile:
      if (tokens.previous() == nullptr || BeginsItem(type) || type == antlr4::Token::EOF) return;
      (void)Report(parser, context, antlr4::Token::EOF);
      while (tokens.current()->type != antlr4::Token::EOF) tokens.consume();
      return;
    case Grammar::RuleBody:
      if (BeginsNode(type) || type == Grammar::RBRACE || type == antlr4::Token::EOF) return;
      (void)Report(parser, context, 0);
      if (type == Grammar::INVALID) tokens.consume();
      if (!BeginsNode(tokens.current()->type)) (void)SkipToNode(tokens, context);
      return;
    case Grammar::RuleValue:
      if (tokens.previous()->type == Grammar::EQUALS) return;
      if (type == Grammar::DATA || type == Grammar::LBRACE) (void)Report(parser, context, Grammar::EQUALS);
      return;
    case Grammar::RuleInputs:
    case Grammar::RuleOutputs: return SyncList(parser, context, Grammar::RPAREN);
    case Grammar::RuleHeader:
    case Grammar::RuleFormals:
    case Grammar::RuleValues:
    case Grammar::RuleAttrs: return SyncList(parser, context, Grammar::GREATER);
    default: return;
  }
}

// Behind a member of a list stands a comma, or what closes the list.
void Recovery::SyncList(ParserBase& parser, Context* context, std::size_t closing) {
  TokenStream& tokens = parser.tokens();
  const std::size_t type = tokens.current()->type;
  const bool is_behind_member = !context->children.empty() && tokens.previous()->type != Grammar::COMMA;
  if (!is_behind_member || type == Grammar::COMMA || type == closing) return;
  if (Report(parser, context, closing)) return;
  if (last_ == DiagnosticKind::kMissingComma) {
    tokens.Insert(Grammar::COMMA);
    blamed_ = nullptr;
  } else if (last_ == DiagnosticKind::kUnknownType) {
    (void)SkipTo(tokens, static_cast<const Context*>(context->children.back()), {Grammar::COMMA, closing});
  }
}

bool Recovery::Recover(ParserBase& parser, Context* context) {
  TokenStream& tokens = parser.tokens();
  switch (context->getRuleIndex()) {
    case Grammar::RuleEntry:
    case Grammar::RuleFormal:
    case Grammar::RuleAttr: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::GREATER});
    case Grammar::RuleRecordField: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::RBRACE});
    case Grammar::RuleValueInfo:
      if (static_cast<Context*>(context->parent)->getRuleIndex() == Grammar::RuleValue) return false;
      [[fallthrough]];
    case Grammar::RuleValue: return SkipTo(tokens, context, {Grammar::COMMA, Grammar::RPAREN, Grammar::GREATER});
    case Grammar::RuleNode: return SkipToNode(tokens, context);
    case Grammar::RuleItem: return SkipToItem(tokens, context);
    default: return context->parent == nullptr;
  }
}

}  // namespace onnxc
