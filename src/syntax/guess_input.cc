// Guesses about mistakes in the inputs of nodes. The comment of a guess describes the mistake.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "tables/element_types.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

using Node = Grammar::NodeContext;

// Returns the node whose inputs are being read, or null.
const Node* NodeOfInputs(const Situation& s) {
  const auto* node = static_cast<const Node*>(s.Around(Grammar::RuleNode));
  return node == nullptr || node->in == nullptr || s.previous == nullptr ? nullptr : node;
}

// Returns the operator of the node, with its domain, or "" if it has not been read yet.
std::string_view OperatorOf(const Situation& s, const Node* node) {
  const auto* op = ChildOf<Context>(node, Grammar::RuleOp);
  return op == nullptr ? std::string_view() : s.Slice(RangeOf(op).begin, RangeOf(op).end);
}

// Returns how many inputs are before the input that begins with the token, or nothing if the token is too far from the
// first input.
std::optional<std::size_t> PositionOf(const Node* node, const SyntaxToken* token) {
  constexpr int kFar = 2000;        // in tokens
  std::vector<std::size_t> commas;  // how many commas each open bracket has
  int steps = 0;
  for (const SyntaxToken* at = &First(node); at != token; at = at->next) {
    if (at == nullptr || ++steps > kFar) return std::nullopt;
    if (IsOpening(at->type)) commas.push_back(0);
    if (IsClosing(at->type) && !commas.empty()) commas.pop_back();
    if (at->type == Grammar::COMMA && !commas.empty()) ++commas.back();
  }
  return commas.empty() ? std::nullopt : std::optional(commas.back());
}

// Returns the bracket that opens the inputs of the node, which contain the token. Returns null if it is too far away.
const SyntaxToken* OpenOf(const Node* node, const SyntaxToken* token) {
  constexpr int kFar = 2000;  // in tokens
  std::vector<const SyntaxToken*> open;
  int steps = 0;
  for (const SyntaxToken* at = &First(node); at != token; at = at->next) {
    if (at == nullptr || ++steps > kFar) return nullptr;
    if (IsOpening(at->type)) open.push_back(at);
    if (IsClosing(at->type) && !open.empty()) open.pop_back();
  }
  return open.empty() ? nullptr : open.back();
}

// Removes the closing bracket of the list that is passed to a variadic input: `inputs = [a, b]`, `inputs = (a, b)`.
// Returns the token after the list, or null if it does not consist of names.
SyntaxToken* Unpack(const Situation& s, SyntaxToken* open, std::vector<FixIt>* fix_its) {
  constexpr int kMost = 1000;  // names
  SyntaxToken* token = open;
  for (int i = 0; i < kMost; ++i) {
    token = s.After(token);
    if (!IsName(token->type)) return nullptr;
    token = s.After(token);
    if (token->type == ClosingOf(open->type)) break;
    if (token->type != Grammar::COMMA) return nullptr;
  }
  if (token->type != ClosingOf(open->type)) return nullptr;
  fix_its->push_back(Replace(token->range(), ""));
  return s.After(token);
}

// Returns the comma after the value that begins at the token. Returns null if a bracket ends the list, or if the comma
// is too far away.
SyntaxToken* CommaBehind(const Situation& s, SyntaxToken* token) {
  constexpr int kFar = 100;  // tokens
  std::size_t depth = 0;
  for (int i = 0; i < kFar && token->type != antlr4::Token::EOF; ++i, token = s.After(token)) {
    if (depth == 0 && token->type == Grammar::COMMA) return token;
    if (IsOpening(token->type)) ++depth;
    if (IsClosing(token->type) && depth-- == 0) return nullptr;
  }
  return nullptr;
}

// Removes the attribute that begins at the token, and adds it to the list. Returns the token after its comma, or null
// if there is no comma.
SyntaxToken* RemoveAttribute(const Situation& s, SyntaxToken* name, std::string* list, std::vector<FixIt>* fix_its) {
  SyntaxToken* const comma = CommaBehind(s, name);
  if (comma == nullptr) return nullptr;
  list->append(list->empty() ? "" : ", ").append(s.Slice(name->begin, comma->begin));
  SyntaxToken* const next = s.After(comma);
  fix_its->push_back(Replace({name->begin, next->begin}, ""));
  return next;
}

// Inserts attributes before the inputs of a node. Returns nothing if the node has attributes already.
std::optional<FixIt> InsertAttributes(const Situation& s, const Node* node, const SyntaxToken* open,
                                      std::string_view attributes) {
  if (ChildOf<Context>(node, Grammar::RuleAttrs) != nullptr) return std::nullopt;
  const bool has_space = open->begin > 0 && s.text[open->begin - 1] == ' ';
  return Insert(open->begin, fmt::format("{}<{}> ", has_space ? "" : " ", attributes));
}

// Returns whether the token begins a list of values for the formal input.
bool BeginsList(const Parameter& formal, const SyntaxToken* token) {
  const bool opens_list = token->type == Grammar::LBRACKET || token->type == Grammar::LPAREN;
  return opens_list && formal.arity == static_cast<std::uint8_t>(Arity::kVariadic);
}

// Inputs with the names of the operator's formal inputs: `MatMul (A = x, B = w)`. Omitted inputs become empty. If the
// order differs from that of the operator, there is no correction. Attributes may be before and after these inputs:
// `Concat (inputs = [x, x], axis = 0)`, `Concat (axis = 0, inputs = [x, x])`.
std::optional<Guess> NamedInputs(const Situation& s) {
  const Node* node = NodeOfInputs(s);
  const bool is_sign = s.found->type == Grammar::EQUALS || s.found->type == Grammar::COLON;
  if (node == nullptr || !is_sign || !IsName(s.previous->type)) return std::nullopt;
  const Operator* op = FindOperator("", OperatorOf(s, node), NewestVersion(FindDomain("")));
  const std::optional<std::size_t> first = PositionOf(node, s.previous);
  const SyntaxToken* const open = OpenOf(node, s.previous);
  if (op == nullptr || !first || open == nullptr) return std::nullopt;
  std::size_t expected = *first;
  std::vector<FixIt> fix_its;
  std::string attributes;
  bool is_sure = true;
  const auto inputs = Inputs(*op);
  const auto formal_of = [&](const SyntaxToken* name) {
    return std::ranges::find(inputs, name->text, [](const Parameter& input) { return Word(input); });
  };
  SyntaxToken* name = s.previous;
  SyntaxToken* sign = s.found;
  while (s.found->type == Grammar::EQUALS && formal_of(name) == inputs.end()) {
    name = RemoveAttribute(s, name, &attributes, &fix_its);
    sign = name == nullptr ? nullptr : s.After(name);
    if (sign == nullptr || sign->type != Grammar::EQUALS) return std::nullopt;
  }
  for (SyntaxToken* comma = nullptr; is_sure;) {
    const auto formal = formal_of(name);
    if (formal == inputs.end() && comma != nullptr && s.found->type == Grammar::EQUALS) {
      const SyntaxToken* const close = s.Closing(const_cast<SyntaxToken*>(open));
      if (close == nullptr) return std::nullopt;
      attributes.append(attributes.empty() ? "" : ", ").append(s.Slice(name->begin, close->begin));
      fix_its.push_back(Replace({comma->begin, close->begin}, ""));
      break;
    }
    if (formal == inputs.end()) return std::nullopt;
    SyntaxToken* value = s.After(sign);
    const bool is_list = BeginsList(*formal, value);
    if (!IsName(value->type) && !is_list) return std::nullopt;
    const auto position = static_cast<std::size_t>(formal - inputs.begin());
    is_sure = position >= expected;
    std::string empty;
    for (; expected < position; ++expected) empty += ", ";
    ++expected;
    const std::size_t end = is_list ? value->range().end : value->begin;
    fix_its.push_back(Replace({name->begin, end}, empty));
    comma = is_list ? Unpack(s, value, &fix_its) : s.After(value);
    if (comma == nullptr) return std::nullopt;
    name = s.After(comma);
    sign = s.After(name);
    if (comma->type == Grammar::RPAREN) break;
    if (comma->type != Grammar::COMMA || sign->type != s.found->type) return std::nullopt;
  }
  if (!attributes.empty()) {
    const std::optional<FixIt> inserted = InsertAttributes(s, node, open, attributes);
    if (!inserted) return std::nullopt;
    fix_its.insert(fix_its.begin(), *inserted);
  }
  if (!is_sure) fix_its.clear();
  return Foreign({s.previous->begin, s.found->range().end}, "inputs are positional; they cannot be given by name",
                 std::move(fix_its));
}

// ---- literals in place of names

// Returns the formal input to which the token is passed, or null if the operator is unknown.
const Parameter* FormalOf(const Situation& s, const Node* node, const SyntaxToken* token) {
  const Operator* const op = FindOperator("", OperatorOf(s, node), NewestVersion(FindDomain("")));
  const std::optional<std::size_t> position = PositionOf(node, token);
  if (op == nullptr || !position) return nullptr;
  const auto inputs = Inputs(*op);
  if (*position < inputs.size()) return &inputs[*position];
  const bool is_variadic = !inputs.empty() && inputs.back().arity == static_cast<std::uint8_t>(Arity::kVariadic);
  return is_variadic ? &inputs.back() : nullptr;
}

// Returns the attribute of a Constant that has the numbers as its value, or "" if their type or shape is ambiguous.
std::string ConstantOf(std::string_view numbers, bool is_list, const Parameter* formal) {
  const auto takes = [&](int type) { return formal == nullptr || Types(*formal).Has(TensorType(type)); };
  const bool are_integers = numbers.find_first_of(".eEnN") == std::string_view::npos;
  if (are_integers && is_list && takes(onnx::TensorProto::INT64)) return fmt::format("value_ints = [{}]", numbers);
  if (are_integers || !takes(onnx::TensorProto::FLOAT)) return "";
  return is_list ? fmt::format("value_floats = [{}]", numbers) : fmt::format("value_float = {}", numbers);
}

struct Literal {
  SourceRange range;
  std::string attribute;  // the attribute of a Constant with this value, or ""
};

// Returns the literal that begins at the token: a number, a list of numbers, or a tensor with its type.
std::optional<Literal> LiteralAt(const Situation& s, const Node* node, SyntaxToken* token) {
  if (IsNumber(token->type)) {
    if (s.IsNameOfDigits(token->text)) return std::nullopt;
    return Literal{token->range(), ConstantOf(token->text, false, FormalOf(s, node, token))};
  }
  if (IsTypeToken(token->type)) {
    const std::optional<std::size_t> end = s.Try(Grammar::RuleTensor, token->begin, {});
    if (!end || s.Slice(token->begin, *end).find('{') == std::string_view::npos) return std::nullopt;
    const SourceRange range{token->begin, *end};
    return Literal{range, fmt::format("value = {}", s.Slice(range.begin, range.end))};
  }
  const bool opens = token->type == Grammar::LBRACKET || token->type == Grammar::LBRACE ||
                     token->type == Grammar::DATA || token->type == Grammar::NUMBERS;
  const std::optional<SourceRange> range = opens ? Bracketed(s, token) : std::nullopt;
  if (!range || range->end - range->begin < 3) return std::nullopt;
  const std::string_view inner = s.Slice(range->begin + 1, range->end - 1);
  if (inner.find_first_not_of("0123456789.eE+-, \t") != std::string_view::npos ||
      inner.find_first_of("0123456789") == std::string_view::npos) {
    return std::nullopt;
  }
  return Literal{*range, ConstantOf(inner, true, FormalOf(s, node, token))};
}

// Returns the literals among the inputs, beginning at the token. Returns nothing if an input is neither a name nor a
// literal.
std::optional<std::vector<Literal>> LiteralsFrom(const Situation& s, const Node* node, SyntaxToken* token) {
  constexpr std::size_t kMost = 100;
  std::vector<Literal> literals;
  for (std::size_t i = 0; i < kMost; ++i) {
    if (token->type == Grammar::RPAREN) return literals;
    if (token->type == Grammar::COMMA) {
      token = s.After(token);
      continue;
    }
    SyntaxToken* behind = s.After(token);
    const bool is_name = IsName(token->type) && (behind->type == Grammar::COMMA || behind->type == Grammar::RPAREN);
    if (!is_name) {
      std::optional<Literal> literal = LiteralAt(s, node, token);
      if (!literal) return std::nullopt;
      while (behind->type != antlr4::Token::EOF && behind->begin < literal->range.end) behind = s.After(behind);
      literals.push_back(*std::move(literal));
    }
    if (behind->type != Grammar::COMMA && behind->type != Grammar::RPAREN) return std::nullopt;
    token = behind;
  }
  return std::nullopt;
}

// Literals as inputs: `Add (h, 1.0)`, `Pad (x, [0, 1], 0.0)`, `Add (h, float {1})`. The correction adds a Constant for
// each literal.
std::optional<Guess> ValueAsInput(const Situation& s) {
  const Node* node = NodeOfInputs(s);
  if (node == nullptr || s.rule() == Grammar::RuleAttrs || OperatorOf(s, node) == "Constant") return std::nullopt;
  SyntaxToken* first = s.found;
  if (IsTypeToken(s.previous->type) &&
      (s.found->type == Grammar::LBRACE || s.found->type == Grammar::LBRACKET || s.found->type == Grammar::DATA)) {
    first = s.previous;
  }
  const std::optional<std::vector<Literal>> literals = LiteralsFrom(s, node, first);
  if (!literals || literals->empty()) return std::nullopt;
  Guess guess = MakeGuess(MakeDiagnostic(diag::kValueAsInput, literals->front().range), {});
  const bool are_sure =
      std::ranges::none_of(*literals, [](const Literal& literal) { return literal.attribute.empty(); });
  if (!are_sure) return guess;
  const std::size_t begin = First(node).begin;
  const std::size_t line = begin == 0 ? 0 : s.text.rfind('\n', begin - 1) + 1;
  std::string_view indent = s.Slice(line, begin);
  const bool is_line = indent.find_first_not_of(" \t") == std::string_view::npos;
  std::string constants;
  for (const Literal& literal : *literals) {
    const std::string name = s.FreshName("constant");
    guess.diagnostic.fix_its.push_back(Replace(literal.range, name));
    constants +=
        fmt::format("{} = Constant <{}> (){}{}", name, literal.attribute, is_line ? "\n" : " ", is_line ? indent : "");
  }
  guess.elsewhere = {Insert(begin, constants)};
  return guess;
}

// Calls as inputs of calls. The correction gives the result of each inner call a name, and puts the call on a line of
// its own.
std::optional<Guess> NestedCall(const Situation& s) {
  const Node* node = NodeOfInputs(s);
  if (node == nullptr || s.found->type != Grammar::LPAREN || s.previous->type != Grammar::ID ||
      s.Around(Grammar::RuleAttrs) != nullptr) {
    return std::nullopt;
  }
  const SyntaxToken* close = s.Closing(s.found);
  Guess guess = Foreign(s.previous->range(),
                        "calls cannot be nested: write each call as a node of its own, whose output has a name", {});
  if (close == nullptr) return guess;
  const SourceRange call{s.previous->begin, close->range().end};
  std::string name = s.FreshName("value");
  const std::size_t begin = First(node).begin;
  const std::size_t line = begin == 0 ? 0 : s.text.rfind('\n', begin - 1) + 1;
  std::string_view indent = s.Slice(line, begin);
  if (indent.find_first_not_of(" \t") != std::string_view::npos) indent = "";
  // In the result, an inner call comes before the call that contains it.
  std::string before;
  std::string inner(s.Slice(s.found->begin + 1, close->begin));
  for (std::size_t open; (open = inner.rfind('(')) != std::string::npos;) {
    const std::size_t end = inner.find(')', open);
    std::size_t word = open;
    while (word > 0 && inner[word - 1] == ' ') --word;
    while (word > 0 && (std::isalnum(static_cast<unsigned char>(inner[word - 1])) != 0 || inner[word - 1] == '_' ||
                        inner[word - 1] == '.'))
      --word;
    if (end == std::string::npos || word == open) return guess;
    const std::string part = s.FreshName("value");
    before += fmt::format("{} = {}{}", part, inner.substr(word, end + 1 - word),
                          indent.empty() ? " " : "\n" + std::string(indent));
    inner.replace(word, end + 1 - word, part);
  }
  guess.diagnostic.fix_its = {Replace(call, name)};
  guess.elsewhere = {Insert(begin, fmt::format("{}{} = {} ({}){}{}", before, name, s.previous->text, inner,
                                               indent.empty() ? " " : "\n", indent))};
  return guess;
}

}  // namespace

std::vector<Guesser> InputGuesses() { return {NamedInputs, ValueAsInput, NestedCall}; }

}  // namespace onnxc::syntax
