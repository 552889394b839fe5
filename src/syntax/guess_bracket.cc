// Brackets that are missing, or too many.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"

namespace onnxc::syntax {
namespace {

// ---- a graph that is not closed

bool LooksLikeItem(const Situation& s, SyntaxToken* token) {
  if (token->type == Grammar::LESS) {
    SyntaxToken* close = s.Closing(token);
    if (close == nullptr) return false;
    token = s.After(close);
  }
  if (!IsName(token->type)) return false;
  token = s.After(token);
  for (const std::size_t open : {std::size_t{Grammar::LESS}, std::size_t{Grammar::LPAREN}}) {
    if (token->type != open) continue;
    SyntaxToken* close = s.Closing(token);
    if (close == nullptr) return false;
    token = s.After(close);
  }
  return token->type == Grammar::ARROW;
}

Guess Unclosed(const Situation& s, const Context* body, SyntaxToken* before, std::string_view what,
               SyntaxToken* found) {
  const std::size_t end = before->range().end;
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedBracket, {end, end}, "}", "{", Describe(*found));
  diagnostic.notes = {{First(body).range(), "opened here"}};
  (void)s;
  return MakeGuess(std::move(diagnostic), {Insert(end, what)}, Resume::kClose);
}

// The token before `token` in a body.
SyntaxToken* BeforeInBody(const Context* body, const Context* node) {
  SyntaxToken* before = static_cast<SyntaxToken*>(body->start);
  for (const antlr4::tree::ParseTree* child : body->children) {
    const auto* other = static_cast<const Context*>(child);
    if (other == node) return before;
    if (other->stop != nullptr) before = static_cast<SyntaxToken*>(other->stop);
  }
  return before;
}

// A function begins where a node or '}' should stand; or another attribute of the node around.
std::optional<Guess> UnclosedBody(const Situation& s) {
  const Context* node = s.Around(Grammar::RuleNode);
  const Context* body = node != nullptr ? static_cast<const Context*>(node->parent) : s.context;
  if (body == nullptr || body->getRuleIndex() != Grammar::RuleBody) return std::nullopt;
  const bool is_main = static_cast<const Context*>(body->parent)->getRuleIndex() == Grammar::RuleNamed;
  if (node == nullptr && s.found->type == Grammar::ARROW && !is_main && !body->children.empty()) {
    // `else_branch = e () =>`: the node before is the next attribute.
    const auto* last = static_cast<const Context*>(body->children.back());
    SyntaxToken* before = BeforeInBody(body, last);
    const bool has_comma = First(last).type == Grammar::COMMA;
    Guess guess = Unclosed(s, body, before, has_comma ? "}" : "},", s.found);
    guess.at = First(last).begin;
    guess.token = has_comma ? 0 : std::size_t{Grammar::COMMA};
    return guess;
  }
  SyntaxToken* first = node != nullptr ? static_cast<SyntaxToken*>(node->start) : s.found;
  SyntaxToken* before = node != nullptr ? BeforeInBody(body, node) : s.previous;
  if (!is_main || before == nullptr || !BeginsLine(before, *first) || !LooksLikeItem(s, first)) return std::nullopt;
  Guess guess = Unclosed(s, body, before, "\n}", first);
  guess.at = first->begin;
  return guess;
}

// A bracket is missing, or is of another kind, before the token: the first that makes the part whole.
std::optional<Guess> MissingBracket(const Situation& s) {
  if (s.previous == nullptr || s.Around(Grammar::RuleBody) == s.context) return std::nullopt;
  const std::vector<Unit> units = s.Units();
  if (units.empty()) return std::nullopt;
  std::vector<const SyntaxToken*> open;
  int left = 2000;
  const Context* outer = units.back().context;
  if (outer == nullptr) return std::nullopt;
  for (const SyntaxToken* token = &First(outer); token != nullptr && token != s.found; token = token->next) {
    if (--left == 0) return std::nullopt;
    if (IsOpening(token->type)) open.push_back(token);
    if (!open.empty() && token->type == ClosingOf(open.back()->type)) open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  constexpr std::string_view kClosings[] = {")", "]", "}", ">"};
  const std::size_t type = open.back()->type == Grammar::AT_BRACE ? std::size_t{Grammar::LBRACE} : open.back()->type;
  const std::string_view closing = kClosings[(type - Grammar::LPAREN) / 2];
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedBracket, s.found->range(), closing,
                                         open.back()->text.substr(0, 1), Describe(*s.found));
  diagnostic.notes = {{open.back()->range(), "opened here"}};
  const bool is_closing = IsClosing(s.found->type);
  const std::size_t end = s.previous->range().end;
  const std::vector<FixIt> inserted = {Insert(end, closing)};
  const std::vector<FixIt> replaced = {Replace(s.found->range(), closing)};
  const std::vector<FixIt> comma = {Insert(end, ",")};
  for (const Unit& unit : units) {
    if (!is_closing && !s.BeginsLine() && s.Try(unit.rule, unit.begin, comma)) return std::nullopt;
    if (s.Try(unit.rule, unit.begin, inserted)) {
      if (s.BeginsLine()) diagnostic.range = {end, end};
      return MakeGuess(std::move(diagnostic), inserted);
    }
    if (is_closing && s.Try(unit.rule, unit.begin, replaced)) return MakeGuess(std::move(diagnostic), replaced);
  }
  return std::nullopt;
}

// A bracket too many.
std::optional<Guess> ExtraBracket(const Situation& s) {
  if (!IsClosing(s.found->type) || s.previous == nullptr || s.found->type == Grammar::RBRACE) return std::nullopt;
  if (s.previous->type == s.found->type && s.rule() != Grammar::RuleBody && !s.BeginsLine()) {
    Diagnostic diagnostic = MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, s.found->range(),
                                           fmt::format("nothing opened what this '{}' closes", s.found->text));
    Guess guess = MakeGuess(std::move(diagnostic), {Replace(s.found->range(), "")});
    guess.is_weak = true;
    return guess;
  }
  if (s.rule() != Grammar::RuleBody || s.BeginsLine()) return std::nullopt;
  Diagnostic diagnostic = MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, s.found->range(),
                                         fmt::format("nothing opened what this '{}' closes", s.found->text));
  Guess guess = MakeGuess(std::move(diagnostic), {Replace(s.found->range(), "")}, Resume::kBehind);
  guess.at = s.found->range().end;
  return guess;
}

}  // namespace

std::vector<Guesser> BracketGuesses() { return {UnclosedBody, MissingBracket, ExtraBracket}; }

}  // namespace onnxc::syntax
