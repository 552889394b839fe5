#include "syntax/recovery.h"

#include <algorithm>

#include "source/report.h"
#include "syntax/syntax_errors.h"

namespace onnxc {
namespace {

bool IsNameOrComma(std::size_t type) { return IsName(type) || type == Grammar::COMMA; }

bool IsOperatorPart(std::size_t type) { return IsName(type) || type == Grammar::DOT || type == Grammar::COLON; }

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

// Scans as much of the line behind `found` as explanations look at: to the quote or bracket that may close what is
// open.
void ReadLine(TokenStream& tokens, SyntaxToken* found) {
  const bool is_quote = found->type == Grammar::INVALID;
  for (SyntaxToken *token = found, *after; token->type != antlr4::Token::EOF; token = after) {
    after = tokens.After(token);
    if (BeginsLine(token, *after)) break;
    if (is_quote ? after->text == "'" : after->type == Grammar::RPAREN) break;
  }
}

}  // namespace

// `[label] a, b = Op (` and the like: what the first tokens of a node look like, seen from `token`.
bool NodeStarts::IsOneAt(TokenStream& tokens, SyntaxToken* token) {
  if (token->type == Grammar::LBRACKET) {
    token = tokens.After(token);
    if (IsName(token->type)) token = tokens.After(token);
    if (token->type != Grammar::RBRACKET) return false;
    token = tokens.After(token);
  }
  if (token->begin < names_begin_ || token->begin > names_end_) {
    names_begin_ = token->begin;
    while (IsNameOrComma(token->type)) token = tokens.After(token);
    names_end_ = token->begin;
    is_behind_names_ = IsBehindNames(tokens, token);
  }
  return is_behind_names_;
}

// `= Op (`, and no `=>` behind what closes the bracket: `body = b (int64 i) => ...` is an attribute.
bool NodeStarts::IsBehindNames(TokenStream& tokens, SyntaxToken* token) {
  if (token->type != Grammar::EQUALS) return false;
  do {
    token = tokens.After(token);
  } while (IsOperatorPart(token->type));
  if (token->type != Grammar::LPAREN && token->type != Grammar::LESS) return false;
  if (!graphs_) FindGraphs(tokens, token);
  return !std::ranges::binary_search(*graphs_, token->begin);
}

// All of the brackets from `token` on that `=>` stands behind.
void NodeStarts::FindGraphs(TokenStream& tokens, SyntaxToken* token) {
  graphs_.emplace();
  std::vector<std::size_t> open;
  for (; token->type != antlr4::Token::EOF; token = tokens.After(token)) {
    if (IsOpening(token->type)) open.push_back(token->begin);
    if (!IsClosing(token->type) || open.empty()) continue;
    if (tokens.After(token)->type == Grammar::ARROW) graphs_->push_back(open.back());
    open.pop_back();
  }
  std::ranges::sort(*graphs_);
}

const OpenBrackets& Recovery::BracketsAt(TokenStream& tokens, const Context* context) {
  while (context->parent != nullptr) context = static_cast<const Context*>(context->parent);
  brackets_.ReadTo(&First(context), tokens.current());
  return brackets_;
}

// Skips to one of `stops` outside of all brackets opened since `context` began. A node that begins a line ends the
// search, since then a bracket is missing, and so does a bracket that closes more than was opened. True when a stop was
// found.
bool Recovery::SkipTo(TokenStream& tokens, const Context* context, std::initializer_list<std::size_t> stops) {
  if (tokens.current()->type == antlr4::Token::EOF) return false;
  SkippedBrackets open(BracketsAt(tokens, context).TypesFrom(First(context).begin));
  for (;; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (open.empty() && std::find(stops.begin(), stops.end(), token->type) != stops.end()) return true;
    if (token->type == antlr4::Token::EOF) return false;
    if (BeginsLine(tokens.previous(), *token) && nodes_.IsOneAt(tokens, token)) return false;
    if (IsOpening(token->type)) open.Open(token->type);
    if (IsClosing(token->type) && !open.Close(token->type) && token->type == Grammar::RBRACE) return false;
  }
}

// Skips to the next node of the body that `context` is or is in, or to its end.
bool Recovery::SkipToNode(TokenStream& tokens, const Context* context) {
  if (&First(context) == tokens.current()) tokens.consume();
  std::size_t braces = BracketsAt(tokens, context).BracesFrom(First(context).begin);
  if (context->getRuleIndex() == Grammar::RuleBody && braces > 0) --braces;
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    SyntaxToken* token = tokens.current();
    if (token->type == Grammar::RBRACE && braces-- == 0) return true;
    if (token->type == Grammar::LBRACE) ++braces;
    if (braces == 0 && BeginsLine(tokens.previous(), *token) && nodes_.IsOneAt(tokens, token)) return true;
  }
  return false;
}

bool Recovery::Report(ParserBase& parser, Context* context, std::size_t expected) {
  TokenStream& tokens = parser.tokens();
  last_.reset();
  if (blamed_ == tokens.current()) return false;
  const SyntaxToken* open = BracketsAt(tokens, context).Innermost(First(context).begin);
  const SyntaxProblem problem{context, tokens.current(), tokens.previous(), expected, open};
  tokens.After(tokens.After(problem.found));  // explanations look a little ahead
  if (problem.found->type == Grammar::EQUALS || problem.found->text == "'") ReadLine(tokens, problem.found);
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
