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

std::vector<Guesser> NodeGuesses() { return {AttributeWithoutBrackets, WordBeforeNode}; }

}  // namespace onnxc::syntax
