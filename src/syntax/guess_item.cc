// Mistakes in headers, and in what is around graphs and functions.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "tables/header_keys.h"

namespace onnxc::syntax {
namespace {

bool IsAtItem(const Situation& s) {
  return s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleItem || s.rule() == Grammar::RuleItemName;
}

// Behind the name of a graph, before its inputs.
bool IsBehindName(const Situation& s) {
  return s.rule() == Grammar::RuleNamed && s.context->children.size() == 1 && s.previous != nullptr &&
         IsName(s.previous->type);
}

// `decode.v1 (x) => (y) {...}` behind the header of a model: the name of its graph.
std::optional<Guess> DottedGraph(const Situation& s, SourceRange name) {
  const auto* item = static_cast<const Context*>(s.context->parent);
  const auto* header = ChildOf<Context>(item, Grammar::RuleHeader);
  if (header == nullptr) return std::nullopt;
  bool is_model = false;
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(header)) is_model |= First(entry).text == "ir_version";
  if (!is_model) return std::nullopt;
  const std::string quoted = fmt::format("\"{}\"", s.Slice(name.begin, name.end));
  Guess guess = MakeGuess(Say(name, fmt::format("a name with a dot stands in quotes: {}", quoted)),
                          {Replace(name, quoted)}, Resume::kBehind);
  guess.at = name.end;
  return guess;
}

// `my.act (x) => (y) {...}`
std::optional<Guess> DottedFunction(const Situation& s) {
  if (!IsBehindName(s) || s.found->type != Grammar::DOT) return std::nullopt;
  SyntaxToken* word = s.After(s.found);
  SyntaxToken* dot = s.found;
  while (s.After(word)->type == Grammar::DOT) {
    dot = s.After(word);
    word = s.After(dot);
  }
  if (!IsName(word->type)) return std::nullopt;
  const SourceRange whole{s.previous->begin, word->range().end};
  if (auto guess = DottedGraph(s, whole)) return guess;
  const std::string_view domain = s.Slice(s.previous->begin, dot->begin);
  Guess guess =
      MakeGuess(Say(whole, fmt::format("the domain of a function stands in its header: <domain: \"{}\", ...>", domain)),
                {}, Resume::kBehind);
  guess.at = word->range().end;
  const auto* item = static_cast<const Context*>(s.context->parent);
  const SourceRange prefix{s.previous->begin, word->begin};
  if (const auto* header = ChildOf<Context>(item, Grammar::RuleHeader)) {
    const SourceRange range = RangeOf(header);
    const std::string_view entries = s.Slice(range.begin, range.end);
    if (entries.find(fmt::format("domain: \"{}\"", domain)) != std::string_view::npos) {
      guess.diagnostic.fix_its = {Replace(prefix, "")};
    } else if (entries.find("domain") == std::string_view::npos) {
      guess.diagnostic.fix_its = {Insert(range.begin + 1, fmt::format("domain: \"{}\", ", domain)),
                                  Replace(prefix, "")};
    }
  }
  return guess;
}

// Initializers without `<...>` around them.
std::optional<Guess> ValuesWithoutBrackets(const Situation& s) {
  const bool is_behind_outputs = (s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleGraphRest) &&
                                 s.previous != nullptr && s.previous->type == Grammar::RPAREN &&
                                 IsTypeToken(s.found->type);
  if (!is_behind_outputs) return std::nullopt;
  SyntaxToken* last = s.found;
  SyntaxToken* token = s.found;
  for (int i = 0; token->type != Grammar::LBRACE || last->type == Grammar::EQUALS;
       ++i, last = token, token = s.After(token)) {
    if (token->type == antlr4::Token::EOF || i > 2000 || token->type == Grammar::RBRACE) return std::nullopt;
  }
  const std::size_t end = last->range().end;
  Guess guess = MakeGuess(WrongBrackets(s.found->range(), "initializers and types of values", "<...>", "none"),
                          {Insert(s.found->begin, "<"), Insert(end, ">")}, Resume::kBehind);
  guess.at = token->begin;
  return guess;
}

// `(float[N] x) => ...`: a graph without a name.
std::optional<Guess> NamelessGraph(const Situation& s) {
  if (!IsAtItem(s) || s.found->type != Grammar::LPAREN || IsBehindName(s)) return std::nullopt;
  SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr || s.After(close)->type != Grammar::ARROW) return std::nullopt;
  Guess guess = MakeGuess(
      MakeDiagnostic(diag::kUnexpectedToken, s.found->range(), "the name of a graph or function", Describe(*s.found)),
      {Insert(s.found->begin, "main ")}, Resume::kToken);
  guess.at = s.found->begin;
  guess.token = Grammar::ID;
  return guess;
}

// `a b = Split (x)`: no comma between the outputs.
std::optional<Guess> OutputsWithoutComma(const Situation& s) {
  if (s.rule() != Grammar::RuleNode || s.expected != Grammar::EQUALS || s.previous == nullptr || s.BeginsLine() ||
      !IsName(s.previous->type) || !IsName(s.found->type)) {
    return std::nullopt;
  }
  const SyntaxToken* next = s.After(s.found);
  if (next->type != Grammar::EQUALS && next->type != Grammar::COMMA) return std::nullopt;
  const std::size_t end = s.previous->range().end;
  std::vector<FixIt> fix_its;
  if (IsReadBehind(s, s.previous->text)) fix_its = {Insert(end, ",")};  // else it may be a word of another language
  return MakeGuess(MakeDiagnostic(diag::kMissingComma, {end, end}, Describe(*s.found)), std::move(fix_its));
}

}  // namespace

std::vector<Guesser> ItemGuesses() {
  return {DottedFunction, NamelessGraph, ValuesWithoutBrackets, OutputsWithoutComma};
}

}  // namespace onnxc::syntax
