#include "syntax/guess.h"

#include <fmt/format.h>

#include <algorithm>

namespace onnxc::syntax {
namespace {

constexpr int kNear = 2000;         // how many tokens a guess reads ahead or back
constexpr std::size_t kDeep = 100;  // how many nested brackets are read

bool IsUnit(const Context* context) {
  switch (context->getRuleIndex()) {
    case Grammar::RuleNode:
    case Grammar::RuleAttr:
    case Grammar::RuleValue:
    case Grammar::RuleEntry:
    case Grammar::RuleFormal:
    case Grammar::RuleRecordField: return true;
    case Grammar::RuleValueInfo: return static_cast<Context*>(context->parent)->getRuleIndex() == Grammar::RuleOutputs;
    default: return false;
  }
}

bool IsListOfUnits(std::size_t rule) {
  return rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs || rule == Grammar::RuleValues ||
         rule == Grammar::RuleAttrs || rule == Grammar::RuleHeader || rule == Grammar::RuleFormals;
}

}  // namespace

const Context* Situation::Around(std::size_t rule) const {
  for (const Context* at = context; at != nullptr; at = static_cast<const Context*>(at->parent)) {
    if (at->getRuleIndex() == rule) return at;
    if (at->getRuleIndex() == Grammar::RuleBody) return nullptr;
  }
  return nullptr;
}

const Context* Situation::Item() const {
  const Context* at = context;
  while (at->parent != nullptr && at->getRuleIndex() != Grammar::RuleItem) at = static_cast<const Context*>(at->parent);
  return at;
}

std::vector<Unit> Situation::Units() const {
  constexpr std::size_t kMost = 3;
  std::vector<Unit> units;
  const std::size_t innermost = context->getRuleIndex();
  if (innermost == Grammar::RuleBody) return {{Grammar::RuleNode, found->begin, nullptr}};
  if (IsListOfUnits(innermost) && !context->children.empty() && previous->type != Grammar::COMMA) {
    const auto* last = static_cast<const Context*>(context->children.back());
    units.push_back({last->getRuleIndex(), First(last).begin, nullptr});
  }
  for (const Context* at = context; at != nullptr && units.size() < kMost; at = static_cast<Context*>(at->parent)) {
    if (at->getRuleIndex() == Grammar::RuleBody) break;
    if (IsUnit(at)) units.push_back({at->getRuleIndex(), First(at).begin, at});
  }
  return units;
}

std::size_t Situation::EndOfValue() const {
  constexpr std::size_t kFar = 2000;  // in bytes
  const std::size_t line_end = LineEnd(found->begin, kFar);
  const std::vector<Unit> units = Units();
  if (units.empty() || (units.front().rule != Grammar::RuleValue && units.front().rule != Grammar::RuleValueInfo)) {
    return line_end;
  }
  std::size_t at = units.front().begin;
  if (found->begin > at + kFar) return found->begin;
  std::size_t depth = 0;
  for (; at < line_end; ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < line_end && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool is_closing = c == ')' || c == ']' || c == '}' || c == '>';
    if (depth == 0 && (is_closing || c == ',')) return std::max(at, found->begin);
    if (is_closing) --depth;
  }
  return line_end;
}

SyntaxToken* Situation::Before(const SyntaxToken* token) const {
  const Context* start = context;
  while (start->parent != nullptr && (First(start).begin >= token->begin || !IsUnit(start))) {
    if (IsUnit(start) && First(start).begin < token->begin) break;
    start = static_cast<const Context*>(start->parent);
    if (start->getRuleIndex() == Grammar::RuleBody) return nullptr;
  }
  auto* before = static_cast<SyntaxToken*>(start->start);
  for (int i = 0; before != nullptr && before->next != token; ++i, before = before->next) {
    if (i == kNear) return nullptr;
  }
  return before;
}

SyntaxToken* Situation::Closing(SyntaxToken* open) const {
  std::vector<std::size_t> brackets;
  SyntaxToken* token = open;
  for (int i = 0; i < kNear && token->type != antlr4::Token::EOF; ++i, token = After(token)) {
    if (IsOpening(token->type)) brackets.push_back(token->type);
    if (brackets.size() > kDeep) return nullptr;
    if (!IsClosing(token->type)) continue;
    if (brackets.empty() || ClosingOf(brackets.back()) != token->type) return nullptr;
    brackets.pop_back();
    if (brackets.empty()) return token;
  }
  return nullptr;
}

std::string_view Situation::Line() const {
  constexpr std::size_t kLongest = 1000;  // in bytes; the same line may be read for each of its errors
  const std::string_view rest = text.substr(found->begin, kLongest);
  return rest.substr(0, rest.find('\n'));
}

Diagnostic Say(SourceRange range, std::string_view message) {
  return MakeDiagnostic(diag::kForeignSyntax, range, message);
}

Diagnostic WrongBrackets(SourceRange range, std::string_view what, std::string_view right, std::string_view wrong) {
  return MakeDiagnostic(diag::kWrongBrackets, range, right, what, wrong);
}

Guess MakeGuess(Diagnostic diagnostic, std::vector<FixIt> fix_its, Resume resume) {
  Guess guess{.diagnostic = std::move(diagnostic), .resume = resume};
  guess.diagnostic.fix_its = std::move(fix_its);
  return guess;
}

Guess Foreign(SourceRange range, std::string_view message, std::vector<FixIt> fix_its, Resume resume) {
  return MakeGuess(Say(range, message), std::move(fix_its), resume);
}

Guess WrongBracket(SourceRange range, std::string_view what, std::string_view right, std::string_view wrong,
                   std::vector<FixIt> fix_its) {
  return MakeGuess(WrongBrackets(range, what, right, wrong), std::move(fix_its));
}

std::string_view Pair(std::string_view open) {
  return open == "(" ? "(...)" : open == "[" ? "[...]" : open == "{" ? "{...}" : "<...>";
}

std::optional<SourceRange> Bracketed(const Situation& s, SyntaxToken* open) {
  if (open->type == Grammar::DATA || open->type == Grammar::NUMBERS) return open->range();
  const SyntaxToken* close = s.Closing(open);
  if (close == nullptr) return std::nullopt;
  return SourceRange{open->begin, close->range().end};
}

bool IsReadBehind(const Situation& s, std::string_view name) {
  constexpr std::size_t kLookedAt = 4096;  // in bytes
  const std::size_t begin = s.found->range().end;
  const std::string_view text = s.Slice(begin, std::min(s.text.size(), begin + kLookedAt));
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t before = text.substr(0, at).find_last_not_of(" \t");
    const std::size_t behind = text.find_first_not_of(" \t", at + name.size());
    if (before == std::string_view::npos || behind == std::string_view::npos) continue;
    const bool is_input = text[before] == '(' || text[before] == ',';
    if (is_input && (text[behind] == ')' || text[behind] == ',')) return true;
  }
  return false;
}

std::size_t TypeOf(std::string_view spelling) {
  SyntaxToken token;
  Scanner(spelling).Next(token);
  return token.type;
}

bool IsNumber(std::size_t type) { return type == Grammar::INT || type == Grammar::FLOAT || type == Grammar::SPECIAL; }

static_assert(Grammar::OPAQUE == Grammar::ELEMENT + 5);
bool IsTypeToken(std::size_t type) { return type >= Grammar::ELEMENT && type <= Grammar::OPAQUE; }

}  // namespace onnxc::syntax
