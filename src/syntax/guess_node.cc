// Mistakes in nodes.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "syntax/spelling.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

using Node = Grammar::NodeContext;

const Node* NodeAround(const Situation& s) { return static_cast<const Node*>(s.Around(Grammar::RuleNode)); }

// `Softmax {"axis": 1} (s)`
std::optional<Guess> AttributesAsDict(const Situation& s, SourceRange range) {
  std::vector<FixIt> fix_its = WithBrackets(range, "<", ">");
  SyntaxToken* key = s.After(s.found);
  while (key->type == Grammar::STRING && s.After(key)->type == Grammar::COLON) {
    const SyntaxToken* colon = s.After(key);
    const std::string_view name = key->text.substr(1, key->text.size() - 2);
    if (!IsIdentifier(name)) return std::nullopt;
    fix_its.push_back(Replace({key->begin, colon->range().end}, fmt::format("{} =", name)));
    while (key->type != Grammar::COMMA && key->begin + 1 < range.end) {
      key = IsOpening(key->type) ? s.Closing(key) : s.After(key);
      if (key == nullptr) return std::nullopt;
    }
    if (key->type == Grammar::COMMA) key = s.After(key);
  }
  if (key->begin + 1 != range.end) return std::nullopt;
  return WrongBracket({range.begin, range.begin + 1}, "attributes", "<...>", "{...}", std::move(fix_its));
}

// `Softmax {"axis": 1} (s)`: the attributes as a dictionary of Python.
std::optional<Guess> AttributesInDict(const Situation& s) {
  const bool is_dict = s.found->type == Grammar::LBRACE && s.After(s.found)->type == Grammar::STRING;
  if (NodeAround(s) == nullptr || !is_dict || s.Around(Grammar::RuleAttrs) != nullptr) return std::nullopt;
  const std::optional<SourceRange> range = Bracketed(s, s.found);
  return range ? AttributesAsDict(s, *range) : std::nullopt;
}

// `MatMul (x, w) -> h`: the outputs stand first.
std::optional<Guess> OutputsBehind(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || s.expected != Grammar::EQUALS || s.found->type != Grammar::LPAREN || s.previous == nullptr ||
      node->start != s.previous) {
    return std::nullopt;
  }
  const SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  const std::size_t end = close->range().end;
  const std::string_view rest = s.Slice(end, s.LineEnd(end));
  const std::size_t arrow = rest.find_first_not_of(" \t");
  if (arrow == std::string_view::npos || (rest.substr(arrow, 2) != "->" && rest.substr(arrow, 2) != "=>")) {
    return std::nullopt;
  }
  const std::size_t first = rest.find_first_not_of(" \t", arrow + 2);
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t last = std::min(rest.find_first_of("#;{}()", first), rest.size());
  std::string_view names = rest.substr(first, last - first);
  names = names.substr(0, names.find_last_not_of(" \t\r") + 1);
  return Foreign(
      {end + arrow, end + arrow + 2}, "the outputs of a node stand before the operator: 'y = Op (x)'",
      {Insert(First(node).begin, fmt::format("{} = ", names)), Replace({end, end + first + names.size()}, "")});
}

/// Whether the newest version of the standard operator has the attribute.
bool HasAttribute(std::string_view op, std::string_view attribute) {
  const Operator* const known = FindOperator("", op, NewestVersion(FindDomain("")));
  return known != nullptr && std::ranges::any_of(Attributes(*known), [&](const OperatorAttribute& formal) {
           return Word(formal.name) == attribute;
         });
}

// `y = Elu (x) alpha = 1.0`: an attribute without brackets. What stands on the line of the node before belongs to it,
// if its operator has such an attribute, and nothing reads a value of the name.
std::optional<Guess> AttributeWithoutBrackets(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || node->in != nullptr || s.previous == nullptr || s.previous->type != Grammar::EQUALS)
    return std::nullopt;
  if (!IsNumber(s.found->type) && s.found->type != Grammar::STRING) return std::nullopt;
  constexpr std::size_t kNear = 1024;  // bytes
  const SyntaxToken& name = First(node);
  std::string_view line = s.Slice(name.begin - std::min(name.begin, kNear), name.begin);
  line = line.substr(line.find_last_of("\n;{") + 1);  // without a line break npos + 1 is 0
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  const std::size_t equals = line.rfind('=');
  const std::size_t open = line.find('(', std::min(equals, line.size()));
  if (!line.ends_with(')') || open == std::string_view::npos || line.find_first_of("<#") < line.size())
    return std::nullopt;
  std::string_view op = line.substr(equals + 1, open - equals - 1);
  op = op.substr(std::min(op.find_first_not_of(" \t"), op.size()));
  op = op.substr(0, op.find_last_not_of(" \t") + 1);
  if (!HasAttribute(op, name.text) || IsReadBehind(s, name.text)) return std::nullopt;
  const SourceRange range{name.begin, s.found->range().end};
  Guess guess = WrongBracket(range, "attributes", "<...>", "none", {Insert(range.begin, "<"), Insert(range.end, ">")});
  guess.resume = Resume::kBehind;
  guess.at = range.end;
  return guess;
}

// The place for one more value in the `<...>` of the graph around.
std::optional<FixIt> Declared(const Situation& s, const Context* body, std::string_view declaration) {
  if (body == nullptr || body->parent == nullptr) return std::nullopt;
  const auto* graph = static_cast<const Context*>(body->parent);
  if (const auto* values = ChildOf<Context>(graph, Grammar::RuleValues)) {
    if (values->children.empty()) return Insert(RangeOf(values).end - 1, declaration);
    return Insert(RangeOf(static_cast<const Context*>(values->children.back())).end, fmt::format(", {}", declaration));
  }
  const auto* outputs = ChildOf<Context>(graph, Grammar::RuleOutputs);
  if (outputs == nullptr) return std::nullopt;
  (void)s;
  return Insert(RangeOf(outputs).end, fmt::format(" <{}>", declaration));
}

// `float[2] h = Op (x)`, `float[2] c = {1, 2}`: a type before the output of a node.
std::optional<Guess> TypedOutput(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || s.previous == nullptr || node->start != s.previous) return std::nullopt;
  auto* first = static_cast<SyntaxToken*>(node->start);
  const bool is_alias = first->type == Grammar::ID && !ElementTypeOf(first->text).empty();
  if (!IsTypeToken(first->type) && !is_alias) return std::nullopt;
  SyntaxToken* name = s.found;
  if (IsOpening(s.found->type) && s.found->type != Grammar::LESS) {
    SyntaxToken* close = s.Closing(s.found);
    if (close == nullptr) return std::nullopt;
    name = s.After(close);
  }
  if (!IsName(name->type)) return std::nullopt;
  SyntaxToken* equals = s.After(name);
  if (equals->type != Grammar::EQUALS) return std::nullopt;
  SyntaxToken* value = s.After(equals);
  const SourceRange type{first->begin, name->begin};
  const Context* body = static_cast<const Context*>(node->parent);
  if (body != nullptr && body->getRuleIndex() != Grammar::RuleBody) body = nullptr;
  if (IsName(value->type) && !IsNumber(value->type)) {
    Guess guess = MakeGuess(Say({type.begin, s.previous->range().end},
                                "the outputs of a node have no types; they stand in '<...>' before the '{'"),
                            {Replace(type, "")});
    if (const std::optional<FixIt> there = Declared(s, body, s.Slice(first->begin, name->range().end));
        there && !is_alias) {
      guess.elsewhere = {*there};
    }
    return guess;
  }
  // An initializer: data follow.
  const std::optional<std::size_t> end = s.Try(Grammar::RuleTensor, first->begin, {});
  Guess guess =
      MakeGuess(Say({first->begin, name->range().end},
                    "initializers stand in '<...>' before the '{'; a constant among the nodes is a Constant node"),
                {});
  if (!end || is_alias) return guess;
  const std::string_view declaration = s.Slice(first->begin, *end);
  const std::size_t behind = s.text.find_first_not_of(" \t", *end);
  const bool has_comma = behind != std::string_view::npos && s.text[behind] == ',';
  const std::size_t stop = has_comma ? behind + 1 : *end;
  guess.resume = Resume::kBehind;
  guess.at = stop;
  if (const std::optional<FixIt> there = Declared(s, body, declaration)) {
    const std::size_t line_end = s.LineEnd(stop);
    const std::size_t line = first->begin == 0 ? 0 : s.text.rfind('\n', first->begin - 1) + 1;
    const bool is_alone = s.Slice(line, first->begin).find_first_not_of(" \t") == std::string_view::npos &&
                          s.Slice(stop, line_end).find_first_not_of(" \t\r") == std::string_view::npos &&
                          line_end < s.text.size();
    guess.diagnostic.fix_its = {
        *there, Replace(is_alone ? SourceRange{line, line_end + 1} : SourceRange{first->begin, stop}, "")};
  }
  return guess;
}

// `return y`: a word of other languages before a node.
std::optional<Guess> WordBeforeNode(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || s.previous == nullptr || node->start != s.previous || s.previous->type != Grammar::ID)
    return std::nullopt;
  const std::string_view word = s.previous->text;
  if (word == "return" || word == "output" || word == "yield") {
    const std::size_t end = s.LineEnd(s.previous->begin);
    const std::size_t line = s.text.rfind('\n', s.previous->begin) + 1;
    const bool is_line = s.Slice(line, s.previous->begin).find_first_not_of(" \t") == std::string_view::npos &&
                         s.Slice(line, end).find('}') == std::string_view::npos && end < s.text.size();
    Guess guess =
        Foreign(s.previous->range(), fmt::format("there is no '{}'; the outputs of a graph stand behind '=>'", word),
                {}, Resume::kBehind);
    guess.at = end;
    // Where the outputs are these, the line says nothing.
    const auto* body = static_cast<const Context*>(node->parent);
    const auto* graph = body == nullptr ? nullptr : static_cast<const Context*>(body->parent);
    const auto* outputs = graph == nullptr ? nullptr : ChildOf<Context>(graph, Grammar::RuleOutputs);
    if (!is_line || outputs == nullptr) return guess;
    const std::string_view names = s.Slice(s.found->begin, end);
    const SourceRange list = RangeOf(outputs);
    bool is_same = names.find('=') == std::string_view::npos;
    std::size_t at = 0;
    while (is_same && (at = names.find_first_not_of(" \t\r,()[];", at)) != std::string_view::npos) {
      const std::size_t stop = std::min(names.find_first_of(" \t\r,()[];", at), names.size());
      is_same = s.Slice(list.begin, list.end).find(names.substr(at, stop - at)) != std::string_view::npos;
      at = stop;
    }
    if (is_same) guess.diagnostic.fix_its = {Replace({line, end + 1}, "")};
    // `return Op (x)`, where the graph has one output.
    const std::size_t next = s.After(s.found)->type;
    const bool is_call = s.found->type == Grammar::ID && (next == Grammar::LPAREN || next == Grammar::LESS);
    const auto* last = static_cast<const SyntaxToken*>(outputs->stop);
    if (!is_same && is_call && outputs->children.size() == 1 && last != nullptr) {
      const auto* only = static_cast<const Context*>(outputs->children.front());
      const auto* name = static_cast<const SyntaxToken*>(only->stop);
      guess.diagnostic.fix_its = {Replace(s.previous->range(), fmt::format("{} =", name->text))};
      guess.resume = Resume::kUnit;
    }
    return guess;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Guesser> NodeGuesses() {
  return {OutputsBehind, AttributeWithoutBrackets, AttributesInDict, TypedOutput, WordBeforeNode};
}

}  // namespace onnxc::syntax
