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

// The type in MLIR's `tensor<?x4xf32>`; "" where that is another one.
std::string TypeOfMlir(std::string_view inner) {
  const std::size_t last = inner.rfind('x');
  const std::string_view element = ElementTypeOf(inner.substr(last == std::string_view::npos ? 0 : last + 1));
  if (element.empty()) return {};
  if (last == std::string_view::npos) return std::string(element);
  std::string dims(inner.substr(0, last));
  const bool are_dims =
      std::ranges::all_of(dims, [](char c) { return c == '?' || c == 'x' || (c >= '0' && c <= '9'); });
  if (!are_dims) return {};
  std::string spelled = fmt::format("{}[", element);
  for (const char c : dims) spelled += c == 'x' ? std::string(", ") : std::string(1, c);
  return spelled + "]";
}

// `tensor(float) x`, `Tensor<float>`, `List[float] x`: types of other languages with their parameters.
std::optional<Guess> OtherType(const Situation& s) {
  if (s.previous == nullptr || s.previous->type != Grammar::ID || !IsOpening(s.found->type) || s.BeginsLine())
    return std::nullopt;
  std::string word;
  for (const char c : s.previous->text) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  const bool is_tensor = word == "tensor" || word == "ndarray";
  const std::string_view constructor = is_tensor ? "" : word == "optional" ? "optional" : ElementTypeOf(word);
  const bool is_container =
      constructor == "seq" || constructor == "map" || constructor == "optional" || constructor == "sparse_tensor";
  SyntaxToken* close = s.Closing(s.found);
  if ((!is_tensor && !is_container) || close == nullptr) return std::nullopt;
  const SourceRange range{s.previous->begin, close->range().end};
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownType, s.previous->range(), Quoted(s.previous->text));
  if (is_container) {
    diagnostic.message += fmt::format("; it is '{}(...)' here", constructor);
    return MakeGuess(
        std::move(diagnostic),
        {Replace({range.begin, s.found->range().end}, fmt::format("{}(", constructor)), Replace(close->range(), ")")});
  }
  diagnostic.message += "; the type of a tensor is its element type and shape, as in 'float[2, 3]'";
  const std::string_view inner = s.Slice(s.found->range().end, close->begin);
  if (const std::string mlir = s.found->type == Grammar::LESS ? TypeOfMlir(inner) : ""; !mlir.empty()) {
    return MakeGuess(std::move(diagnostic), {Replace(range, mlir)});
  }
  SyntaxToken* element = s.After(s.found);
  std::string_view type = element->type == Grammar::ELEMENT ? element->text : ElementTypeOf(element->text);
  if (type.empty()) return MakeGuess(std::move(diagnostic), {});
  SyntaxToken* comma = s.After(element);
  std::string spelled(type);
  if (comma->type == Grammar::COMMA) {
    std::string_view dims = s.Slice(comma->range().end, close->begin);
    const std::size_t first = dims.find_first_not_of(" [(");
    const std::size_t last = dims.find_last_not_of(" ])");
    if (first == std::string_view::npos) return MakeGuess(std::move(diagnostic), {});
    spelled += fmt::format("[{}]", dims.substr(first, last + 1 - first));
  } else if (comma != close) {
    spelled = std::string(s.Slice(element->begin, close->begin));
  }
  return MakeGuess(std::move(diagnostic), {Replace(range, spelled)});
}

// `type = tensor(float)`: the word before the bracket reads as the name of a graph.
std::optional<Guess> OtherTypeInAttribute(const Situation& s) {
  const Context* value = s.Around(Grammar::RuleAttrValue);
  if (value == nullptr || s.found->type != Grammar::RPAREN || First(value).type != Grammar::ID) return std::nullopt;
  Situation type = s;
  type.previous = static_cast<SyntaxToken*>(value->start);
  type.found = s.After(type.previous);
  if (type.found->type != Grammar::LPAREN || s.Closing(type.found) != s.found) return std::nullopt;
  return OtherType(type);
}

}  // namespace

std::vector<Guesser> ValueGuesses() { return {DataBrackets, OtherType, OtherTypeInAttribute}; }

}  // namespace onnxc::syntax
