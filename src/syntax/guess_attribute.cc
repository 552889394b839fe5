// Mistakes in attributes.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

using Node = Grammar::NodeContext;

const Node* NodeAround(const Situation& s) { return static_cast<const Node*>(s.Around(Grammar::RuleNode)); }

// The arguments in round brackets: text of each, and whether `k = v`.
struct Argument {
  std::string_view text;
  bool is_attribute;
};
std::vector<Argument> ArgumentsIn(const Situation& s, SyntaxToken* open, const SyntaxToken* close) {
  std::vector<Argument> arguments;
  int depth = 0;
  SyntaxToken* first = s.After(open);
  const SyntaxToken* last = nullptr;
  for (SyntaxToken* token = first;; token = s.After(token)) {
    if ((depth == 0 && token->type == Grammar::COMMA) || token == close) {
      if (last != nullptr) {
        const bool is_attribute = first != last && (first->next->type == Grammar::EQUALS);
        arguments.push_back({s.Slice(first->begin, last->range().end), is_attribute});
      }
      if (token == close) return arguments;
      first = s.After(token);
      last = nullptr;
      continue;
    }
    if (IsOpening(token->type)) ++depth;
    if (IsClosing(token->type)) --depth;
    last = token;
  }
}

// `Op(x, k=2)`, `Op (k = 2) (x)`: attributes stand in `<...>`.
std::optional<Guess> AttributeAmongInputs(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || node->in == nullptr || s.found->type != Grammar::EQUALS) return std::nullopt;
  SyntaxToken* open = nullptr;
  for (auto* token = static_cast<SyntaxToken*>(node->start); token != nullptr && token != s.found;
       token = token->next) {
    if (token->type == Grammar::LPAREN) open = token;
  }
  Guess guess = MakeGuess(MakeDiagnostic(diag::kAttributeAmongInputs, {s.previous->begin, s.found->range().end}), {},
                          Resume::kUnit);
  SyntaxToken* close = open == nullptr ? nullptr : s.Closing(open);
  if (close == nullptr) return guess;
  std::string attributes;
  std::string inputs;
  for (const Argument& argument : ArgumentsIn(s, open, close)) {
    std::string& list = argument.is_attribute ? attributes : inputs;
    if (!list.empty()) list += ", ";
    list += argument.text;
  }
  const SourceRange range{open->begin, close->range().end};
  const auto* attrs = ChildOf<Context>(node, Grammar::RuleAttrs);
  if (attrs != nullptr) {
    guess.diagnostic.fix_its = {Insert(RangeOf(attrs).end - 1, ", " + attributes),
                                Replace(range, fmt::format("({})", inputs))};
  } else if (inputs.empty() && s.After(close)->type == Grammar::LPAREN) {
    guess.diagnostic.fix_its = {Replace(range, fmt::format("<{}>", attributes))};
  } else {
    guess.diagnostic.fix_its = {Replace(range, fmt::format("<{}> ({})", attributes, inputs))};
  }
  return guess;
}

// `Op <a = 1> (x) <b = 2>`: the node before is read, and looked at in the text alone.
std::optional<Guess> AttributesTwice(const Situation& s) {
  if (s.rule() != Grammar::RuleBody || s.found->type != Grammar::LESS || s.BeginsLine() || s.previous == nullptr ||
      s.previous->type != Grammar::RPAREN) {
    return std::nullopt;
  }
  const std::size_t line = s.text.rfind('\n', s.found->begin) + 1;
  const std::size_t open = s.text.find('<', line);
  const std::size_t end = s.text.rfind('>', s.previous->begin);
  SyntaxToken* close = s.Closing(s.found);
  if (open >= s.found->begin || end == std::string_view::npos || end < open || close == nullptr) return std::nullopt;
  Guess guess = Foreign({s.found->begin, close->range().end}, "the attributes of a node stand in one '<...>'", {},
                        Resume::kBehind);
  guess.at = close->range().end;
  const std::string_view first = s.Slice(open, end);
  bool is_twice = false;
  for (SyntaxToken* token = s.found; token != close; token = s.After(token)) {
    is_twice = is_twice || (s.After(token)->type == Grammar::EQUALS &&
                            (first.find(fmt::format("{} =", token->text)) != std::string_view::npos ||
                             first.find(fmt::format("{}=", token->text)) != std::string_view::npos));
  }
  if (!is_twice) {
    guess.diagnostic.fix_its = {Insert(end, fmt::format(", {}", s.Slice(s.found->begin + 1, close->begin))),
                                Replace({s.previous->range().end, close->range().end}, "")};
  }
  return guess;
}

// `k = "a" "b"`
std::optional<Guess> JoinedStrings(const Situation& s) {
  const bool are_strings = s.previous != nullptr && s.previous->type == Grammar::STRING &&
                           s.found->type == Grammar::STRING && s.previous->text.size() > 1 &&
                           s.found->text.front() == '"' && s.previous->text.front() == '"';
  if (!are_strings || s.After(s.found)->type == Grammar::COLON) return std::nullopt;
  const bool is_list = (s.Around(Grammar::RuleAttr) == nullptr && s.rule() != Grammar::RuleAttrs) ||
                       s.Before(s.previous) == nullptr || s.Before(s.previous)->type != Grammar::EQUALS;
  if (is_list) return std::nullopt;
  return Foreign({s.previous->begin, s.found->range().end}, "strings that stand side by side are not joined",
                 {Replace({s.previous->range().end - 1, s.found->begin + 1}, "")});
}

// `> else <else_branch = ...>`: both graphs of If are attributes.
std::optional<Guess> ElseBranch(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || s.expected != Grammar::EQUALS || s.found->type != Grammar::LESS || s.previous == nullptr ||
      node->start != s.previous || s.previous->text != "else") {
    return std::nullopt;
  }
  const SyntaxToken* close = s.Closing(s.found);
  const std::size_t before = s.text.find_last_not_of(" \t\r\n", s.previous->begin - 1);
  if (close == nullptr || before == std::string_view::npos || s.text[before] != '>') return std::nullopt;
  Guess guess = Foreign(s.previous->range(), "there is no 'else'; both graphs are attributes in one '<...>'",
                        {Replace({before, s.found->range().end}, ", ")}, Resume::kBehind);
  guess.at = close->range().end;
  return guess;
}

// `perm = {1, 0}`, `perm = (1, 0)`
std::optional<Guess> ListBrackets(const Situation& s) {
  const std::size_t type = s.found->type;
  if (s.Around(Grammar::RuleAttr) == nullptr || s.previous == nullptr || s.previous->type != Grammar::EQUALS)
    return std::nullopt;
  if (type != Grammar::LBRACE && type != Grammar::DATA && type != Grammar::LPAREN && type != Grammar::LESS)
    return std::nullopt;
  const std::optional<SourceRange> range = Bracketed(s, s.found);
  if (!range) return std::nullopt;
  const std::string_view inner = s.Slice(range->begin + 1, range->end - 1);
  if (inner.find('=') != std::string_view::npos) {
    const SyntaxToken* name = s.Before(s.previous);
    const bool is_unnamed = type == Grammar::LPAREN && s.After(s.Closing(s.found))->type == Grammar::ARROW;
    if (!is_unnamed && inner.find("=>") == std::string_view::npos && type != Grammar::LBRACE) return std::nullopt;
    if (name == nullptr) return std::nullopt;
    std::vector<FixIt> fix_its;
    if (is_unnamed) fix_its = {Insert(s.found->begin, fmt::format("{} ", name->text))};
    return MakeGuess(MakeDiagnostic(diag::kUnexpectedToken, s.found->range(),
                                    "a graph with its name: 'name () => (float y) {...}'", Describe(*s.found)),
                     std::move(fix_its));
  }
  if (type == Grammar::LPAREN && s.After(s.Closing(s.found))->type == Grammar::ARROW) {
    const SyntaxToken* name = s.Before(s.previous);
    return MakeGuess(MakeDiagnostic(diag::kUnexpectedToken, s.found->range(),
                                    "a graph with its name: 'name () => (float y) {...}'", Describe(*s.found)),
                     {Insert(s.found->begin, fmt::format("{} ", name == nullptr ? "graph" : name->text))});
  }
  const SyntaxToken* name = s.Before(s.previous);
  const auto is_one_of = [](std::string_view text, std::string_view allowed) {
    return text.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (name != nullptr && name->text == "value" && is_one_of(inner, "0123456789.eE+-, \t\n")) {
    const std::size_t count = static_cast<std::size_t>(std::ranges::count(inner, ',')) + 1;
    const std::string_view element = inner.find_first_of(".eE") == std::string_view::npos ? "int64" : "float";
    return Foreign(*range, "a tensor has a type before its data",
                   {Replace(*range, fmt::format("{}[{}] {{{}}}", element, count, inner))});
  }
  std::vector<FixIt> fix_its = WithBrackets(*range, "[", "]");
  if (const std::size_t last = inner.find_last_not_of(" \t\n"); last != std::string_view::npos && inner[last] == ',') {
    fix_its.push_back(Replace({range->begin + 1 + last, range->begin + 2 + last}, ""));  // `(0,)`
  }
  return WrongBracket({range->begin, range->begin + 1}, "lists", "[...]", Pair(s.found->text.substr(0, 1)),
                      std::move(fix_its));
}

// `@doc_string "d" }`: behind the node that was meant.
std::optional<Guess> AnnotationBehind(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || s.found->type != Grammar::RBRACE || s.previous == nullptr || First(node).type != Grammar::AT) {
    return std::nullopt;
  }
  Guess guess = Foreign({First(node).begin, s.previous->range().end}, "an annotation stands before its node", {},
                        Resume::kBehind);
  guess.at = s.found->begin;
  return guess;
}

// `to = TensorProto.FLOAT`: the number that the name stands for.
std::optional<Guess> QualifiedConstant(const Situation& s) {
  const bool is_attribute = s.Around(Grammar::RuleAttr) != nullptr || s.rule() == Grammar::RuleAttrs;
  if (!is_attribute || s.found->type != Grammar::DOT || s.previous == nullptr || s.previous->type != Grammar::ID)
    return std::nullopt;
  SyntaxToken* last = s.found;
  while (last->type == Grammar::DOT) {
    SyntaxToken* word = s.After(last);
    if (!IsName(word->type)) return std::nullopt;
    if (s.After(word)->type != Grammar::DOT) {
      last = word;
      break;
    }
    last = s.After(word);
  }
  const SourceRange range{s.previous->begin, last->range().end};
  const int code = CodeOfElementType(last->text);
  if (code == 0) return std::nullopt;
  return Foreign(range, fmt::format("an element type is a number here: {} is {}", last->text, code),
                 {Replace(range, std::to_string(code))});
}

/// The attribute in which an operator takes the element type of its result; empty where it has none.
std::string_view TypeAttributeOf(std::string_view op) {
  for (const Operator& version : FindVersions(FindDomain(""), op)) {
    for (const OperatorAttribute& attribute : Attributes(version)) {
      const std::string_view name = Word(attribute.name);
      if (attribute.type == onnx::AttributeProto::INT && (name == "to" || name.ends_with("dtype"))) return name;
    }
  }
  return {};
}

// `MatMul<float> (x, w)`, `Cast<double> (x)`: types where attributes stand.
std::optional<Guess> TemplateArguments(const Situation& s) {
  if (s.found->type != Grammar::GREATER || s.previous == nullptr || !IsTypeToken(s.previous->type)) {
    return std::nullopt;
  }
  const SyntaxToken* open = s.Before(s.previous);
  if (open == nullptr || open->type != Grammar::LESS || s.Around(Grammar::RuleNode) == nullptr) return std::nullopt;
  const SourceRange range{open->begin, s.found->range().end};
  const SyntaxToken* op = s.Before(open);
  const ElementType* const type = FindElementType(s.previous->text);
  const std::string_view attribute = op == nullptr ? std::string_view() : TypeAttributeOf(op->text);
  if (!attribute.empty() && type != nullptr) {
    const std::string given = fmt::format("<{} = {}>", attribute, type->code);
    return Foreign(range, fmt::format("the type of the result is an attribute: '{}'", given), {Replace(range, given)});
  }
  return Foreign(range, "a call has no types in '<...>'; they follow from its inputs", {Replace(range, "")});
}

// ---- what is before a node or graph

}  // namespace

std::vector<Guesser> AttributeGuesses() {
  return {TemplateArguments, AttributeAmongInputs, AttributesTwice, ElseBranch,
          AnnotationBehind,  JoinedStrings,        ListBrackets,    QualifiedConstant};
}

}  // namespace onnxc::syntax
