// Guesses about mistakes in nodes, data, headers, graphs and functions. The comment of a guess describes the mistake.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "syntax/guess.h"
#include "syntax/mistake_pattern.h"
#include "syntax/other_strings.h"
#include "syntax/spelling.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

// ---- nodes

using Node = Grammar::NodeContext;

const Node* NodeAround(const Situation& s) { return static_cast<const Node*>(s.Around(Grammar::RuleNode)); }

/// Returns whether the newest version of the standard operator has the attribute.
bool HasAttribute(std::string_view op, std::string_view attribute) {
  const Operator* const known = FindOperator("", op, NewestVersion(FindDomain("")));
  return known != nullptr && std::ranges::any_of(Attributes(*known), [&](const OperatorAttribute& formal) {
           return Word(formal) == attribute;
         });
}

// An attribute without brackets: `y = Elu (x) alpha = 1.0`. Such a name and value are an attribute of the node before
// them on the line if the operator has an attribute of this name and no node reads a value of this name.
std::optional<Guess> AttributeWithoutBrackets(const Situation& s) {
  const Node* node = NodeAround(s);
  if (node == nullptr || node->in != nullptr || s.previous == nullptr || s.previous->type != Grammar::EQUALS)
    return std::nullopt;
  if (!IsNumber(s.found->type) && s.found->type != Grammar::STRING) return std::nullopt;
  constexpr std::size_t kNearby = 1024;  // in bytes
  const SyntaxToken& name = First(node);
  std::string_view line = s.Slice(name.begin - std::min(name.begin, kNearby), name.begin);
  line = line.substr(line.find_last_of("\n;{") + 1);  // if nothing is found, npos + 1 is 0
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

/// Returns the words of a list of values, without the punctuation around them.
std::vector<std::string_view> WordsOf(std::string_view list) {
  constexpr std::string_view kBetween = " \t\r\n,()[];";
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = list.find_first_not_of(kBetween, at)) != std::string_view::npos) {
    const std::size_t end = std::min(list.find_first_of(kBetween, at), list.size());
    words.push_back(list.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Returns the names in the list of the outputs of a graph, as the text spells them.
std::vector<std::string_view> NamesOf(const Context& outputs) {
  std::vector<std::string_view> names;
  for (const auto* output : ChildrenOf<Grammar::ValueInfoContext>(&outputs)) {
    const auto* const name = static_cast<const SyntaxToken*>(output->stop);
    names.push_back(name == nullptr ? std::string_view() : name->text);
  }
  return names;
}

// Returns whether the call whose operator is the token is the last node of its body. Annotations may follow it.
bool IsLastCall(const Situation& s, SyntaxToken* op) {
  SyntaxToken* token = s.After(op);
  for (const std::size_t open : {Grammar::LESS, Grammar::LPAREN}) {
    if (token->type != open) continue;
    SyntaxToken* const close = s.Closing(token);
    if (close == nullptr) return false;
    token = s.After(close);
  }
  while (token != nullptr && token->type == Grammar::AT) {
    SyntaxToken* const value = s.After(s.After(token));
    SyntaxToken* const end = IsOpening(value->type) ? s.Closing(value) : value;
    token = end == nullptr ? nullptr : s.After(end);
  }
  return token != nullptr && token->type == Grammar::RBRACE;
}

// A word of another language in place of a node or before a node: `return y`.
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
        Foreign(s.previous->range(), fmt::format("'{}' is not a keyword; the outputs of a graph come after '=>'", word),
                {}, Resume::kBehind);
    guess.at = end;
    // If these are the outputs of the graph, the line is not needed.
    const auto* body = static_cast<const Context*>(node->parent);
    const auto* graph = body == nullptr ? nullptr : static_cast<const Context*>(body->parent);
    const auto* outputs = graph == nullptr ? nullptr : ChildOf<Context>(graph, Grammar::RuleOutputs);
    if (!is_line || outputs == nullptr) return guess;
    const std::vector<std::string_view> names = WordsOf(s.Slice(std::min(s.found->begin, end), end));
    const bool is_same = names.size() == outputs->children.size() && names == NamesOf(*outputs);
    if (is_same) guess.diagnostic.fix_its = {Replace({line, end + 1}, "")};
    // `return Op (x)` at the end of a graph with one output. Before other nodes, another output was meant.
    const std::size_t next = s.After(s.found)->type;
    const bool is_call =
        s.found->type == Grammar::ID && (next == Grammar::LPAREN || next == Grammar::LESS) && IsLastCall(s, s.found);
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

// ---- data

bool IsListOfValues(std::size_t rule) {
  return rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs || rule == Grammar::RuleValues;
}

bool IsInValue(const Situation& s) {
  return s.Around(Grammar::RuleValue) != nullptr || s.Around(Grammar::RuleValueInfo) != nullptr ||
         IsListOfValues(s.rule());
}

// Returns edits that leave one pair of braces around all numbers, or no edits if this does not correct the mistake.
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
    if (const auto string = c == '\'' ? OtherStringAt(s.text, at) : std::nullopt) {
      at = string->range.end - 1;
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

// Data must be one flat list in braces, not `[1, 2]`, `{{1, 2}, {3, 4}}` or `(1, 2)`.
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

// ---- headers, graphs and functions

bool IsAtItem(const Situation& s) {
  return s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleItem || s.rule() == Grammar::RuleItemName;
}

// Returns whether the token is between the name of a graph and its inputs.
bool IsBehindName(const Situation& s) {
  return s.rule() == Grammar::RuleNamed && s.context->children.size() == 1 && s.previous != nullptr &&
         IsName(s.previous->type);
}

// A name of a graph with a dot, after the header of a model: `decode.v1 (x) => (y) {...}`.
std::optional<Guess> DottedGraph(const Situation& s, SourceRange name) {
  const auto* item = static_cast<const Context*>(s.context->parent);
  const auto* header = ChildOf<Context>(item, Grammar::RuleHeader);
  if (header == nullptr) return std::nullopt;
  bool is_model = false;
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(header)) is_model |= First(entry).text == "ir_version";
  if (!is_model) return std::nullopt;
  const std::string quoted = fmt::format("\"{}\"", s.Slice(name.begin, name.end));
  Guess guess = MakeGuess(Say(name, fmt::format("a name with a dot must be in quotes: {}", quoted)),
                          {Replace(name, quoted)}, Resume::kBehind);
  guess.at = name.end;
  return guess;
}

// A name of a function with its domain: `my.act (x) => (y) {...}`.
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
  Guess guess = MakeGuess(
      Say(whole, fmt::format("the domain of a function belongs in its header: <domain: \"{}\", ...>", domain)), {},
      Resume::kBehind);
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

// Returns whether the mistake is in a function: in an item whose header has a domain, or that is not the first one.
bool IsInFunction(const Situation& s) {
  const Context* const item = s.Item();
  const Context* whole = item;
  while (whole->parent != nullptr) whole = static_cast<const Context*>(whole->parent);
  if (whole != item && First(whole).begin < First(item).begin) return true;
  const auto* header = ChildOf<Grammar::HeaderContext>(item, Grammar::RuleHeader);
  if (header == nullptr) return false;
  const auto is_domain = [](const Grammar::EntryContext* entry) { return First(entry).text == "domain"; };
  for (const auto* entry : ChildrenOf<Grammar::EntryContext>(header)) {
    if (is_domain(entry)) return true;
  }
  return false;
}

// The parameters of a function in its brackets, as another language writes them.
struct Parameters {
  std::string inputs;
  std::string attributes;
  SourceRange first = {};  // the first attribute
  std::size_t close = 0;   // where the ')' is
};

// Reads the parameters from the `(` at the offset. Returns nothing if one of them is neither a name nor an attribute
// with its value, or if no `=>` follows. A parameter with a type but without a value may be an input, and so may one
// whose value is a name.
std::optional<Parameters> ParametersAt(const Situation& s, std::size_t open) {
  constexpr std::size_t kFar = 2000;  // in bytes
  const std::size_t end = std::min(s.text.size(), open + kFar);
  if (!s.MayLook(Trials::Search::kRows, end - open)) return std::nullopt;
  const std::vector<Lexeme> tokens = LexemesOf(s.text, open, end);
  const auto type = [&](std::size_t i) { return i < tokens.size() ? tokens[i].type : std::size_t{antlr4::Token::EOF}; };
  Parameters parameters;
  const auto add = [](std::string* list, std::string_view member) {
    list->append(list->empty() ? "" : ", ").append(member);
  };
  for (std::size_t i = 1; IsName(type(i)); ++i) {
    const std::size_t first = i++;
    const bool is_attribute = type(i) == Grammar::EQUALS || type(i) == Grammar::COLON;
    bool has_value = false;
    for (std::size_t depth = 0; i < tokens.size(); ++i) {
      if (depth == 0 && (type(i) == Grammar::COMMA || type(i) == Grammar::RPAREN)) break;
      if (!is_attribute) return std::nullopt;
      if (depth == 0 && type(i) == Grammar::EQUALS) has_value = !IsName(type(i + 1));
      if (IsOpening(type(i))) ++depth;
      if (IsClosing(type(i)) && depth-- == 0) return std::nullopt;
    }
    if (is_attribute && !has_value) return std::nullopt;
    const SourceRange member{tokens[first].begin, tokens[i - 1].end()};
    if (is_attribute && parameters.attributes.empty()) parameters.first = member;
    add(is_attribute ? &parameters.attributes : &parameters.inputs, s.Slice(member.begin, member.end));
    if (type(i) != Grammar::RPAREN) continue;
    parameters.close = tokens[i].begin;
    const SourceRange whole{open, tokens[i].end()};
    const bool is_header = type(i + 1) == Grammar::ARROW && !parameters.attributes.empty() &&
                           s.Try(Grammar::RuleFormals, open, {Replace(whole, "<" + parameters.attributes + ">")});
    return is_header ? std::optional(parameters) : std::nullopt;
  }
  return std::nullopt;
}

// Attributes among the inputs of a function: `f (x, alpha = 0.5) => (y) {...}`.
std::optional<Guess> AttributesOfFunction(const Situation& s) {
  const Context* const inputs = s.Around(Grammar::RuleInputs);
  const auto* named = inputs == nullptr ? nullptr : static_cast<const Context*>(inputs->parent);
  if (named == nullptr || named->getRuleIndex() != Grammar::RuleNamed || !IsInFunction(s)) return std::nullopt;
  const std::size_t open = First(inputs).begin;
  const std::optional<Parameters> parameters = ParametersAt(s, open);
  if (!parameters || s.Slice(First(named).begin, open).find('#') != std::string_view::npos) return std::nullopt;
  const std::size_t before = s.text.find_last_not_of(" \t\r\n", open - 1);
  const bool has_attributes = s.text[before] == '>';
  const FixIt insertion =
      has_attributes ? Insert(before, ", " + parameters->attributes)
                     : Insert(open, fmt::format("{}<{}> ", before + 1 == open ? " " : "", parameters->attributes));
  Guess guess = MakeGuess(MakeDiagnostic(diag::kAttributeAmongInputs, parameters->first),
                          {insertion, Replace({open + 1, parameters->close}, parameters->inputs)}, Resume::kItem);
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

// A graph without a name: `(float[N] x) => ...`.
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

constexpr std::size_t kNamesBefore = std::size_t{8} << 10;  // in bytes

// Outputs without a comma between them: `a b = Split (x)`. A name that is written twice is one output.
std::optional<Guess> OutputsWithoutComma(const Situation& s) {
  if (s.rule() != Grammar::RuleNode || s.expected != Grammar::EQUALS || s.previous == nullptr || s.BeginsLine() ||
      !IsName(s.previous->type) || !IsName(s.found->type)) {
    return std::nullopt;
  }
  SyntaxToken* const next = s.After(s.found);
  if (next->type != Grammar::EQUALS && next->type != Grammar::COMMA) return std::nullopt;
  if (s.previous->text == s.found->text) return std::nullopt;
  const std::size_t end = s.previous->range().end;
  std::vector<FixIt> fix_its;
  // A name that occurs nowhere else may be a word of another language.
  const std::size_t node = First(s.context).begin;
  const std::string_view before = s.Slice(node - std::min(node, kNamesBefore), node);
  // In `a my = .Op (x)`, the '=' is on the wrong side of a word.
  const bool is_swapped = next->type == Grammar::EQUALS && s.After(next)->type == Grammar::DOT;
  const bool is_known = HasWord(before, s.previous->text) || IsReadBehind(s, s.previous->text);
  if (is_known && !is_swapped) fix_its = {Insert(end, ",")};
  return MakeGuess(MakeDiagnostic(diag::kMissingComma, {end, end}, Describe(*s.found)), std::move(fix_its));
}

}  // namespace

std::vector<Guesser> PartGuesses() {
  return {AttributesOfFunction, AttributeWithoutBrackets, WordBeforeNode, DataBrackets};
}

std::vector<Guesser> ItemGuesses() {
  return {DottedFunction, NamelessGraph, ValuesWithoutBrackets, OutputsWithoutComma};
}

}  // namespace onnxc::syntax
