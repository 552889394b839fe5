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

// `graph net (...)`, `def f (...)`: words of other languages.
std::optional<Guess> WordBeforeItem(const Situation& s) {
  if (!IsBehindName(s) || !IsName(s.found->type) || IsTypeToken(s.found->type)) return std::nullopt;
  Guess guess =
      Foreign(s.previous->range(),
              fmt::format("there is no word '{}'; a graph or function begins with its name", s.previous->text),
              {Replace({s.previous->begin, s.found->begin}, "")}, Resume::kBehind);
  guess.at = s.found->range().end;
  return guess;
}

// `model <ir_version: 9, ...>`: a word before the header, which reads as a graph with attributes.
std::optional<Guess> WordBeforeHeader(const Situation& s) {
  const Context* formals = s.Around(Grammar::RuleFormals);
  if (formals == nullptr || s.previous == nullptr || s.previous->type != Grammar::COLON) return std::nullopt;
  const Context* item = s.Item();
  const std::string_view key = s.After(static_cast<SyntaxToken*>(formals->start))->text;
  if (ChildOf<Context>(item, Grammar::RuleHeader) != nullptr ||
      (!HasKey(onnx::ModelProto::descriptor(), key) && !HasKey(onnx::FunctionProto::descriptor(), key))) {
    return std::nullopt;
  }
  const SyntaxToken& word = First(item);
  Guess guess = Foreign(word.range(), fmt::format("there is no word '{}'; a text begins with its header", word.text),
                        {Replace({word.begin, First(formals).begin}, "")}, Resume::kItemAt);
  guess.at = First(formals).begin;
  return guess;
}

// `<ir_version: 9>` and another `<opset_import: [...]>`
std::optional<Guess> HeaderTwice(const Situation& s) {
  if (!IsAtItem(s) || s.found->type != Grammar::LESS || s.previous == nullptr || s.previous->type != Grammar::GREATER) {
    return std::nullopt;
  }
  const SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  Guess guess = Foreign(s.found->range(), "a header stands in one '<...>'",
                        {Replace({s.previous->begin, s.found->range().end}, ", ")}, Resume::kBehind);
  guess.at = close->range().end;
  return guess;
}

// `ir-version: 9`
std::optional<Guess> OddHeaderKey(const Situation& s) {
  if (s.rule() != Grammar::RuleEntry || s.expected != Grammar::COLON || s.previous == nullptr) return std::nullopt;
  const std::size_t begin = s.previous->begin;
  const std::size_t colon = s.text.find_first_of(":=,>\n", begin);
  if (colon == std::string_view::npos || s.text[colon] != ':') return std::nullopt;
  std::string_view word = s.Slice(begin, colon);
  word = word.substr(0, word.find_last_not_of(" \t") + 1);
  std::string key(word);
  std::ranges::replace_if(
      key, [](char c) { return c == '-' || c == ' ' || c == '.'; }, '_');
  if (!HasKey(onnx::ModelProto::descriptor(), key) && !HasKey(onnx::FunctionProto::descriptor(), key)) {
    return std::nullopt;
  }
  const SourceRange range{begin, begin + word.size()};
  return MakeGuess(Say(range, fmt::format("the header key is '{}'", key)), {Replace(range, key)});
}

// `ir_version: 9, opset_import: [...]` without brackets around it.
std::optional<Guess> HeaderWithoutBrackets(const Situation& s) {
  if (!IsBehindName(s) || s.found->type != Grammar::COLON) return std::nullopt;
  SyntaxToken* last = s.found;
  int depth = 0;
  for (SyntaxToken* token = s.After(last);; token = s.After(token)) {
    if (token->type == antlr4::Token::EOF) return std::nullopt;
    if (depth == 0 && BeginsLine(last, *token) && last->type != Grammar::COMMA && last->type != Grammar::COLON &&
        s.After(token)->type != Grammar::COLON) {
      const std::size_t end = last->range().end;
      Guess guess = MakeGuess(WrongBrackets({s.previous->begin, s.found->range().end}, "a header", "<...>", "none"),
                              {Insert(s.previous->begin, "<"), Insert(end, ">")}, Resume::kBehind);
      if (!s.Try(Grammar::RuleHeader, s.previous->begin, guess.diagnostic.fix_its)) guess.diagnostic.fix_its.clear();
      guess.at = IsName(token->type) ? token->range().end : token->begin;
      return guess;
    }
    if (IsOpening(token->type)) ++depth;
    if (IsClosing(token->type)) --depth;
    last = token;
  }
}

// `{ir_version: 9, ...}`, `[...]` for a header.
std::optional<Guess> HeaderBrackets(const Situation& s) {
  if (!IsAtItem(s) && s.rule() != Grammar::RuleItemsFile) return std::nullopt;
  if (s.found->type != Grammar::LBRACE && s.found->type != Grammar::LBRACKET && s.found->type != Grammar::LPAREN)
    return std::nullopt;
  if (s.previous != nullptr && s.previous->type != Grammar::RBRACE) return std::nullopt;
  const SyntaxToken* key = s.After(s.found);
  if (key->type != Grammar::ID || s.After(s.After(s.found))->type != Grammar::COLON) return std::nullopt;
  const SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  Guess guess = MakeGuess(WrongBrackets(s.found->range(), "a header", "<...>",
                                        s.found->text == "{"   ? "{...}"
                                        : s.found->text == "[" ? "[...]"
                                                               : "(...)"),
                          {Replace(s.found->range(), "<"), Replace(close->range(), ">")}, Resume::kBehind);
  guess.at = close->range().end;
  return guess;
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

// `func.func @main (x) => (y) {...}`: a word of MLIR.
std::optional<Guess> DottedWord(const Situation& s, SourceRange word, SyntaxToken* behind) {
  if (behind->type != Grammar::AT || !IsName(s.After(behind)->type)) return std::nullopt;
  const SyntaxToken* name = s.After(behind);
  Guess guess = Foreign(
      word,
      fmt::format("there is no word '{}'; a graph or function begins with its name", s.Slice(word.begin, word.end)),
      {Replace({word.begin, name->begin}, "")}, Resume::kBehind);
  guess.at = name->range().end;
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
  if (auto guess = DottedWord(s, whole, s.After(word))) return guess;
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

// `opset_import: "" : 17`: the list without its brackets.
std::optional<Guess> ImportWithoutBrackets(const Situation& s) {
  if (s.rule() != Grammar::RuleHeader || s.found->type != Grammar::COLON || s.previous == nullptr ||
      s.previous->type != Grammar::STRING || s.After(s.found)->type != Grammar::INT) {
    return std::nullopt;
  }
  SyntaxToken* last = s.After(s.found);
  for (SyntaxToken* comma = s.After(last); comma->type == Grammar::COMMA; comma = s.After(last)) {
    SyntaxToken* domain = s.After(comma);
    SyntaxToken* colon = s.After(domain);
    if (domain->type != Grammar::STRING || colon->type != Grammar::COLON) break;
    last = s.After(colon);
  }
  std::vector<FixIt> fix_its = {Insert(s.previous->begin, "[")};
  if (s.After(last)->type == Grammar::RBRACKET) {
    last = s.After(last);
  } else {
    fix_its.push_back(Insert(last->range().end, "]"));
  }
  const std::size_t end = last->range().end;
  Guess guess = WrongBracket({s.previous->begin, end}, "imports", "[...]", "none", std::move(fix_its));
  guess.resume = Resume::kBehind;
  guess.at = end;
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

/// The end of a function's body, where its arrow is known; that of the text where the body is not closed.
std::size_t EndOfFunction(const Situation& s, SyntaxToken* arrow) {
  for (SyntaxToken* token = s.After(arrow); token->type != Grammar::EOF; token = s.After(token)) {
    const bool is_body = token->type == Grammar::LBRACE;
    if (IsOpening(token->type)) token = s.Closing(token);
    if (token == nullptr) break;
    if (is_body) return token->range().end;
  }
  return s.text.size();
}

// `MatMul (x, w)`: a node without outputs.
std::optional<Guess> NoOutputs(const Situation& s) {
  const Context* node = s.Around(Grammar::RuleNode);
  const bool opens = s.found->type == Grammar::LPAREN || s.found->type == Grammar::LESS;
  if (node == nullptr || s.expected != Grammar::EQUALS || !opens || s.previous == nullptr ||
      node->start != s.previous || s.previous->type != Grammar::ID) {
    return std::nullopt;
  }
  SyntaxToken* close = s.Closing(s.found);
  if (close != nullptr && IsOpening(s.After(close)->type) && !BeginsLine(close, *s.After(close))) {
    close = s.Closing(s.After(close));
  }
  if (close == nullptr) return std::nullopt;
  if (s.After(close)->type == Grammar::ARROW) {
    Guess guess =
        Foreign(s.previous->range(), "a function stands behind the graph, not among its nodes", {}, Resume::kBehind);
    guess.at = EndOfFunction(s, s.After(close));
    return guess;
  }
  Guess guess =
      Foreign(s.previous->range(), fmt::format("a node begins with its outputs: 'y = {} (...)'", s.previous->text), {},
              Resume::kToken);
  guess.at = s.found->begin;
  guess.token = Grammar::EQUALS;
  return guess;
}

// `If (c) { a = Relu (x) } else { ... }`: graphs behind a node.
Guess GraphBehindNode(const Situation& s, SyntaxToken* close) {
  Guess guess =
      Foreign(s.found->range(), "a graph of a node is an attribute: '<then_branch = name () => (float y) {...}, ...>'",
              {}, Resume::kBehind);
  guess.at = close->range().end;
  SyntaxToken* word = s.After(close);
  SyntaxToken* open = s.After(word);
  if (word->text != "else" || open->type != Grammar::LBRACE) return guess;
  if (const SyntaxToken* end = s.Closing(open); end != nullptr) guess.at = end->range().end;
  return guess;
}

// `Op (x) (k = 1)`, `Op (x) {k = 1}`: attributes in other brackets. (`[...]` begins the name of a node.)
std::optional<Guess> AttributesInOthers(const Situation& s) {
  const bool opens = s.found->type == Grammar::LPAREN || s.found->type == Grammar::LBRACE;
  if (s.rule() != Grammar::RuleBody || !opens || s.BeginsLine() || s.previous == nullptr ||
      s.previous->type != Grammar::RPAREN) {
    return std::nullopt;
  }
  SyntaxToken* close = s.Closing(s.found);
  SyntaxToken* equals = s.After(s.After(s.found));
  if (close == nullptr || equals->type != Grammar::EQUALS) return std::nullopt;
  SyntaxToken* value = s.After(equals);
  const std::size_t behind = s.After(value)->type;
  const bool is_node = value->type == Grammar::ID && (behind == Grammar::LPAREN || behind == Grammar::LESS);
  if (is_node && s.found->type == Grammar::LBRACE) return GraphBehindNode(s, close);
  Guess guess = MakeGuess(WrongBrackets(s.found->range(), "attributes", "<...>", Pair(s.found->text)),
                          {Replace(s.found->range(), "<"), Replace(close->range(), ">")}, Resume::kBehind);
  guess.at = close->range().end;
  const bool is_whole = behind == Grammar::COMMA || s.After(value) == close || IsOpening(value->type);
  if (!is_whole) guess.diagnostic.fix_its.clear();
  return guess;
}

}  // namespace

std::vector<Guesser> ItemGuesses() {
  return {WordBeforeHeader,      HeaderTwice,    OddHeaderKey,      ImportWithoutBrackets, WordBeforeItem,
          HeaderWithoutBrackets, HeaderBrackets, DottedFunction,    NamelessGraph,         ValuesWithoutBrackets,
          OutputsWithoutComma,   NoOutputs,      AttributesInOthers};
}

}  // namespace onnxc::syntax
