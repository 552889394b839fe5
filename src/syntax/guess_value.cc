// Mistakes in values, types and data.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "syntax/words.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

bool IsListOfValues(std::size_t rule) {
  return rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs || rule == Grammar::RuleValues;
}

bool IsInValue(const Situation& s) {
  return s.Around(Grammar::RuleValue) != nullptr || s.Around(Grammar::RuleValueInfo) != nullptr ||
         IsListOfValues(s.rule());
}

// Brackets of data by their text: one pair around all numbers, as edits. Empty where that is not the mistake.
std::vector<FixIt> Flattened(const Situation& s, std::size_t begin, std::size_t* end) {
  constexpr std::size_t kMostBrackets = 2000;
  std::vector<FixIt> edits;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = begin; at < s.text.size() && edits.size() < kMostBrackets; ++at) {
    const char c = s.text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
      continue;
    }
    in_string = c == '"';
    const SourceRange range{at, at + 1};
    if (c == '[' || c == '{' || c == '(') {
      edits.push_back(Replace(range, depth++ == 0 ? "{" : ""));
    } else if (c == ']' || c == '}' || c == ')') {
      edits.push_back(Replace(range, --depth == 0 ? "}" : ""));
      if (depth == 0) {
        *end = at + 1;
        return edits;
      }
    } else if (c == '=' || c == '<' || c == '>' || c == '@') {
      return {};
    }
  }
  return {};
}

// `[1, 2]`, `{{1, 2}, {3, 4}}`, `(1, 2)`: data are one flat list in braces.
std::optional<Guess> DataBrackets(const Situation& s) {
  const Context* data = s.Around(Grammar::RuleData);
  const Context* dense = s.Around(Grammar::RuleDense);
  const SyntaxToken* open = nullptr;
  for (const Context* at = data != nullptr ? data : dense; at != nullptr;
       at = static_cast<const Context*>(at->parent)) {
    if (at->getRuleIndex() == Grammar::RuleData || at->getRuleIndex() == Grammar::RuleDense) open = &First(at);
  }
  const bool opens = s.found->type == Grammar::LBRACKET || s.found->type == Grammar::LPAREN ||
                     s.found->type == Grammar::NUMBERS || s.found->type == Grammar::LBRACE;
  const bool is_value = s.previous != nullptr && s.previous->type == Grammar::EQUALS &&
                        (IsInValue(s) || s.rule() == Grammar::RuleTensorRest);
  const bool is_in_attribute = s.Around(Grammar::RuleAttr) != nullptr || s.rule() == Grammar::RuleAttrs;
  const bool is_typed = s.previous != nullptr && is_in_attribute &&
                        (IsTypeToken(s.previous->type) || s.previous->type == Grammar::RBRACKET);
  if (open == nullptr && opens && (is_value || is_typed)) open = s.found;
  const bool is_key = s.found->type == Grammar::ID && s.After(s.found)->type == Grammar::COLON;
  if (open == nullptr || is_key || (s.found->type == Grammar::ID && s.BeginsLine())) return std::nullopt;
  std::size_t end = 0;
  std::vector<FixIt> edits = Flattened(s, open->begin, &end);
  if (edits.empty() || s.found->begin >= end || (edits.size() == 2 && s.text[open->begin] == '{')) return std::nullopt;
  const bool is_nested = edits.size() > 2;
  Guess guess =
      MakeGuess(WrongBrackets({open->begin, open->begin + 1}, is_nested ? "all data together" : "data", "{...}",
                              is_nested                   ? "brackets inside of brackets"
                              : open->text.front() == '(' ? "(...)"
                                                          : "[...]"),
                std::move(edits));
  return guess;
}

}  // namespace

std::vector<Guesser> ValueGuesses() { return {DataBrackets}; }

}  // namespace onnxc::syntax
