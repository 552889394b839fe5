// Guesses about missing and additional brackets. The comment of a guess describes the mistake.
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
  return token->type == Grammar::ARROW && s.After(token)->type == Grammar::LPAREN;
}

Guess Unclosed(const Context* body, SyntaxToken* before, std::string_view what, SyntaxToken* found) {
  const std::size_t end = before->range().end;
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedBracket, {end, end}, "}", "{", Describe(*found));
  diagnostic.notes = {{First(body).range(), "opened here"}};
  return MakeGuess(std::move(diagnostic), {Insert(end, what)}, Resume::kClose);
}

// Returns the last token of the body before `node`.
SyntaxToken* BeforeInBody(const Context* body, const Context* node) {
  SyntaxToken* before = static_cast<SyntaxToken*>(body->start);
  for (const antlr4::tree::ParseTree* child : body->children) {
    const auto* other = static_cast<const Context*>(child);
    if (other == node) return before;
    if (other->stop != nullptr) before = static_cast<SyntaxToken*>(other->stop);
  }
  return before;
}

// A graph whose closing bracket is missing before a function with a header. The parser has read the header as
// attributes of the last node.
std::optional<Guess> UnclosedBeforeHeader(const Situation& s) {
  const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode));
  const Context* attrs = s.Around(Grammar::RuleAttrs);
  if (node == nullptr || attrs == nullptr || node->in == nullptr || node->parent == nullptr) return std::nullopt;
  const auto* body = static_cast<const Context*>(node->parent);
  auto* open = static_cast<SyntaxToken*>(attrs->start);
  SyntaxToken* before = s.Before(open);
  if (body->getRuleIndex() != Grammar::RuleBody || before == nullptr || before->type != Grammar::RPAREN ||
      !BeginsLine(before, *open) || !LooksLikeItem(s, open)) {
    return std::nullopt;
  }
  Guess guess = Unclosed(body, before, "\n}", open);
  guess.closed = attrs;
  return guess;
}

// A graph whose closing bracket is missing before a function, or before the next attribute of the node that contains
// the graph.
std::optional<Guess> UnclosedBody(const Situation& s) {
  const Context* node = s.Around(Grammar::RuleNode);
  const Context* body = node != nullptr ? static_cast<const Context*>(node->parent) : s.context;
  if (body == nullptr || body->getRuleIndex() != Grammar::RuleBody) return std::nullopt;
  const bool is_main = static_cast<const Context*>(body->parent)->getRuleIndex() == Grammar::RuleNamed;
  if (node == nullptr && s.found->type == Grammar::ARROW && !is_main && !body->children.empty()) {
    // `else_branch = e () =>`: what was read as a node is the next attribute.
    const auto* last = static_cast<const Context*>(body->children.back());
    SyntaxToken* before = BeforeInBody(body, last);
    const bool has_comma = First(last).type == Grammar::COMMA;
    Guess guess = Unclosed(body, before, has_comma ? "}" : "},", s.found);
    guess.at = First(last).begin;
    guess.token = has_comma ? 0 : std::size_t{Grammar::COMMA};
    return guess;
  }
  SyntaxToken* first = node != nullptr ? static_cast<SyntaxToken*>(node->start) : s.found;
  SyntaxToken* before = node != nullptr ? BeforeInBody(body, node) : s.previous;
  if (!is_main || before == nullptr || !BeginsLine(before, *first) || !LooksLikeItem(s, first)) return std::nullopt;
  Guess guess = Unclosed(body, before, "\n}", first);
  guess.at = first->begin;
  return guess;
}

// A comma is missing: `<float a = {1}` and, on the next line, `float b = {2}>`.
std::optional<Guess> CommaBetweenValues(const Situation& s) {
  if ((s.rule() != Grammar::RuleInputs && s.rule() != Grammar::RuleOutputs && s.rule() != Grammar::RuleValues) ||
      s.previous == nullptr || !IsTypeToken(s.found->type))
    return std::nullopt;
  if (!s.BeginsLine() && s.previous->type != Grammar::ID) return std::nullopt;  // `(float x float y)`
  const std::size_t end = s.previous->range().end;
  if (!s.Try(Grammar::RuleValue, s.found->begin, {})) return std::nullopt;
  Guess guess = MakeGuess(MakeDiagnostic(diag::kMissingComma, {end, end}, Describe(*s.found)), {Insert(end, ",")},
                          Resume::kToken);
  guess.at = s.found->begin;
  guess.token = Grammar::COMMA;
  return guess;
}

// ---- other brackets around the parts of a graph

Guess OtherBrackets(const Situation& s, SyntaxToken* close, std::string_view what, std::string_view right) {
  Guess guess = WrongBracket(s.found->range(), what, right, Pair(s.found->text.substr(0, 1)),
                             {Replace(s.found->range(), right.substr(0, 1)), Replace(close->range(), right.substr(4))});
  guess.resume = Resume::kTokens;
  const auto open = static_cast<std::size_t>(right == "<...>"   ? Grammar::LESS
                                             : right == "{...}" ? Grammar::LBRACE
                                                                : Grammar::LPAREN);
  guess.retyped = {{s.found, open}, {close, ClosingOf(open)}};
  return guess;
}

// Returns whether a node begins at the token, as in `y = Relu (`.
bool BeginsNode(const Situation& s, SyntaxToken* token) {
  if (!IsName(token->type)) return false;
  token = s.After(token);
  SyntaxToken* op = s.After(token);
  if (token->type != Grammar::EQUALS || op->type != Grammar::ID) return false;
  const std::size_t next = s.After(op)->type;
  return next == Grammar::LPAREN || next == Grammar::LESS || next == Grammar::DOT;
}

// Wrong brackets around inputs or outputs, as in `net [float x] => {float y}`, or around initializers, as in `(float[2]
// b = {...})`.
std::optional<Guess> GraphBrackets(const Situation& s) {
  if (s.previous == nullptr || !IsOpening(s.found->type)) return std::nullopt;
  const std::size_t rule = s.rule();
  const bool is_outputs = rule == Grammar::RuleOutputs && s.previous->type == Grammar::ARROW;
  if (rule != Grammar::RuleNamed && rule != Grammar::RuleGraphRest && !is_outputs) return std::nullopt;
  SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  const std::size_t behind = s.After(close)->type;
  if (is_outputs && (behind == Grammar::LESS || behind == Grammar::LBRACE)) {
    return OtherBrackets(s, close, "outputs", "(...)");
  }
  if (IsName(s.previous->type) && behind == Grammar::ARROW && s.found->type != Grammar::LESS) {
    return OtherBrackets(s, close, "inputs", "(...)");
  }
  if (s.previous->type == Grammar::RPAREN && s.found->type == Grammar::LPAREN && BeginsNode(s, s.After(s.found))) {
    return OtherBrackets(s, close, "nodes", "{...}");
  }
  const bool is_values = s.previous->type == Grammar::RPAREN && behind == Grammar::LBRACE &&
                         s.found->type != Grammar::LESS &&
                         (IsTypeToken(s.After(s.found)->type) || s.After(s.found) == close);
  if (!is_values) return std::nullopt;
  return OtherBrackets(s, close, "initializers", "<...>");
}

// Returns the last token of outputs without brackets that begin at `token`. It is before the next `{` or `<`.
SyntaxToken* EndOfOutputs(const Situation& s, SyntaxToken* token) {
  constexpr int kMost = 200;
  SyntaxToken* last = nullptr;
  for (int i = 0; i < kMost; ++i, last = token, token = s.After(token)) {
    switch (token->type) {
      case Grammar::LBRACE:
      case Grammar::DATA:
      case Grammar::LESS: return last;
      case Grammar::COMMA:
      case Grammar::LBRACKET:
      case Grammar::RBRACKET:
      case Grammar::INT:
      case Grammar::QUESTION: break;
      default:
        if (!IsName(token->type)) return nullptr;
    }
  }
  return nullptr;
}

// Other words or signs in place of the arrow: `net (x) : float y`, `net (x) returns (float y)`.
std::optional<Guess> OtherArrow(const Situation& s) {
  if (s.expected != Grammar::ARROW || s.previous == nullptr || s.previous->type != Grammar::RPAREN) {
    return std::nullopt;
  }
  constexpr std::string_view kWords[] = {"returns", "return", "to", "gives", "yields", "outputs", "output", "out"};
  const bool is_word = std::ranges::find(kWords, s.found->text) != std::end(kWords);
  SyntaxToken* next = s.After(s.found);
  const bool is_bare = s.found->type == Grammar::COLON && IsTypeToken(next->type);
  if (!is_bare && !(is_word && next->type == Grammar::LPAREN)) return std::nullopt;
  Guess guess =
      MakeGuess(MakeDiagnostic(diag::kUnexpectedToken, s.found->range(), "'=>' before the outputs", Describe(*s.found)),
                {Replace(s.found->range(), is_bare ? " =>" : "=>")}, Resume::kTokens);
  guess.retyped = {{s.found, Grammar::ARROW}};
  if (is_bare) {
    SyntaxToken* last = EndOfOutputs(s, next);
    if (last == nullptr) return std::nullopt;
    guess.diagnostic.fix_its.push_back(Insert(next->begin, "("));
    guess.diagnostic.fix_its.push_back(Insert(last->range().end, ")"));
    guess.inserted = {{last, Grammar::RPAREN}, {s.found, Grammar::LPAREN}};
  }
  return guess;
}

// Two opening braces before the nodes, `{ {`, but only one closing brace after them.
std::optional<Guess> DoubleBrace(const Situation& s) {
  if (s.rule() != Grammar::RuleBody || s.found->type != Grammar::LBRACE || s.previous == nullptr ||
      s.previous->type != Grammar::LBRACE || !BeginsNode(s, s.After(s.found))) {
    return std::nullopt;
  }
  SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr || s.After(close)->type == Grammar::RBRACE) return std::nullopt;  // two closing braces
  Guess guess = Foreign(s.found->range(), "expected one '{' before the nodes and one '}' after them",
                        {Replace(s.found->range(), "")}, Resume::kBehind);
  guess.at = s.found->range().end;
  return guess;
}

// Additional closing brackets. Consecutive ones on a line are one mistake.
std::optional<Guess> ExtraBracket(const Situation& s) {
  const bool is_in_body = s.rule() == Grammar::RuleBody;
  const auto is_extra = [](const SyntaxToken& token) { return IsClosing(token.type) && token.type != Grammar::RBRACE; };
  if (!is_extra(*s.found) || s.previous == nullptr || s.BeginsLine()) return std::nullopt;
  if (!is_in_body && s.previous->type != s.found->type) return std::nullopt;
  SyntaxToken* last = s.found;
  int count = 1;
  if (is_in_body) {
    for (SyntaxToken* next = s.After(last); is_extra(*next) && !BeginsLine(last, *next); next = s.After(next)) {
      last = next;
      ++count;
    }
  }
  const SourceRange range{s.found->begin, last->range().end};
  Guess guess = MakeGuess(MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, range,
                                         count == 1 ? fmt::format("unmatched '{}'", s.found->text)
                                                    : fmt::format("{} unmatched closing brackets", count)),
                          {Replace(range, "")}, is_in_body ? Resume::kBehind : Resume::kUnit);
  guess.at = range.end;
  guess.is_weak = !is_in_body;
  return guess;
}

}  // namespace

std::vector<Guesser> BracketGuesses() {
  return {UnclosedBeforeHeader, UnclosedBody, CommaBetweenValues, DoubleBrace, GraphBrackets, OtherArrow, ExtraBracket};
}

}  // namespace onnxc::syntax
