// Mistakes in values, types and data.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/guess.h"
#include "syntax/words.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

Guess Misplaced(SourceRange range, std::string_view message, std::vector<FixIt> fix_its) {
  return MakeGuess(Say(range, message), std::move(fix_its));
}

bool IsListOfValues(std::size_t rule) {
  return rule == Grammar::RuleInputs || rule == Grammar::RuleOutputs || rule == Grammar::RuleValues;
}

bool IsInValue(const Situation& s) {
  return s.Around(Grammar::RuleValue) != nullptr || s.Around(Grammar::RuleValueInfo) != nullptr ||
         IsListOfValues(s.rule());
}

// The last token of the type that begins at `token`; null where it is none.
SyntaxToken* EndOfType(const Situation& s, SyntaxToken* token) {
  const bool is_type = IsTypeToken(token->type) || (token->type == Grammar::ID && !ElementTypeOf(token->text).empty());
  if (!is_type) return nullptr;
  SyntaxToken* after = s.After(token);
  return after->type == Grammar::LBRACKET || after->type == Grammar::LPAREN ? s.Closing(after) : token;
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
  if (open == nullptr || (s.found->type == Grammar::ID && s.BeginsLine())) return std::nullopt;
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

// `float[2] b = "weights.bin"`, `[location: "weights.bin"]`: data in a file.
std::optional<Guess> DataInFile(const Situation& s) {
  constexpr std::string_view kWords = "data in a file are told as '[\"location\": \"weights.bin\"]'";
  if (s.previous == nullptr) return std::nullopt;
  if (s.found->type == Grammar::STRING && s.previous->type == Grammar::EQUALS && IsListOfValues(s.rule()) &&
      !s.context->children.empty() && s.After(s.found)->type != Grammar::COLON) {
    const auto* value = static_cast<const Context*>(s.context->children.back());
    if (First(value).text == "string") return std::nullopt;
    return Foreign(s.found->range(), kWords,
                   {Replace(s.found->range(), fmt::format("[\"location\": {}]", s.found->text))});
  }
  SyntaxToken* close =
      s.Around(Grammar::RuleData) != nullptr && s.previous->type == Grammar::LBRACKET ? s.Closing(s.previous) : nullptr;
  if (close == nullptr) return std::nullopt;
  std::vector<FixIt> fix_its;
  for (SyntaxToken* token = s.found; token != close; token = s.After(token)) {
    if (token->type != Grammar::ID || s.After(token)->type != Grammar::COLON) continue;
    fix_its.push_back(Replace(token->range(), fmt::format("\"{}\"", token->text)));
  }
  if (fix_its.empty()) return std::nullopt;
  return Foreign(s.found->range(), kWords, std::move(fix_its));
}

// `float b = 0.1`: one number, or some, without braces.
std::optional<Guess> BareData(const Situation& s) {
  if (s.previous == nullptr || s.previous->type != Grammar::EQUALS || !IsInValue(s)) return std::nullopt;
  const auto is_element = [](const SyntaxToken& token) {
    return IsNumber(token.type) || token.type == Grammar::STRING ||
           (token.type == Grammar::ID && ConstantOf(token.text));
  };
  if (!is_element(*s.found)) return std::nullopt;
  SyntaxToken* last = s.found;
  for (SyntaxToken* comma = s.After(last); comma->type == Grammar::COMMA; comma = s.After(last)) {
    SyntaxToken* next = s.After(comma);
    if (!is_element(*next) || BeginsLine(comma, *next)) break;
    if (next->type == Grammar::STRING && s.After(next)->type != Grammar::COMMA && s.found->type != Grammar::STRING)
      break;
    last = next;
  }
  return MakeGuess(WrongBrackets({s.found->begin, last->range().end}, "data", "{...}", "none"),
                   {Insert(s.found->begin, "{"), Insert(last->range().end, "}")});
}

// `float b[2]`: the shape belongs to the type.
std::optional<Guess> ShapeBehindName(const Situation& s) {
  if (!IsInValue(s) || s.found->type != Grammar::LBRACKET || s.previous == nullptr || !IsName(s.previous->type))
    return std::nullopt;
  const SyntaxToken* close = s.Closing(s.found);
  SyntaxToken* type = s.Before(s.previous);
  if (close == nullptr) return std::nullopt;
  if (IsListOfValues(s.rule()) && !s.context->children.empty()) {
    type = static_cast<SyntaxToken*>(static_cast<const Context*>(s.context->children.back())->start);
  }
  if (type == nullptr || type->next != s.previous) return std::nullopt;
  const bool is_alias = type->type == Grammar::ID && !ElementTypeOf(type->text).empty();
  if (type->type != Grammar::ELEMENT && !is_alias) return std::nullopt;
  const SourceRange shape{s.found->begin, close->range().end};
  return Misplaced(shape, "the shape belongs to the type, before the name",
                   {Insert(type->range().end, s.Slice(shape.begin, shape.end)), Replace(shape, "")});
}

// `x: float[N]`, `x float[N]`, `b = float[2] {1, 2}`
std::optional<Guess> TypeBehindName(const Situation& s) {
  if (!IsInValue(s) || s.previous == nullptr ||
      !(s.previous->type == Grammar::ID || s.previous->type == Grammar::STRING || s.previous->type == Grammar::EQUALS))
    return std::nullopt;
  const bool is_colon = s.found->type == Grammar::COLON;
  SyntaxToken* name = s.previous;
  if (s.previous->type == Grammar::EQUALS) name = s.Before(s.previous);
  SyntaxToken* type = is_colon ? s.After(s.found) : s.found;
  SyntaxToken* end = type == nullptr ? nullptr : EndOfType(s, type);
  if (name == nullptr || !IsName(name->type) || (s.BeginsLine() && !is_colon)) return std::nullopt;
  const SyntaxToken* before = s.Before(name);
  if (before != nullptr && (IsTypeToken(before->type) || before->type == Grammar::RBRACKET)) return std::nullopt;
  if (end == nullptr) {
    if (!is_colon) return std::nullopt;
    return Misplaced({name->begin, s.found->range().end}, "the type stands before the name, without ':'", {});
  }
  std::string spelled(s.Slice(type->begin, end->range().end));
  if (const std::string_view alias = type->type == Grammar::ID ? ElementTypeOf(type->text) : std::string_view();
      !alias.empty()) {
    spelled.replace(0, type->text.size(), alias);
  }
  if (is_colon || s.previous->type == Grammar::EQUALS || IsTypeToken(type->type)) {
    const bool has_data = s.previous->type == Grammar::EQUALS;
    return Misplaced(
        {name->begin, end->range().end}, "the type stands before the name",
        {Replace({name->begin, end->range().end}, fmt::format("{} {}{}", spelled, name->text, has_data ? " =" : ""))});
  }
  return std::nullopt;
}

// `float[N][4]`, `float(N, 4)`, `float<N, 4>`: the shape stands in one pair of square brackets.
std::optional<Guess> ShapeBrackets(const Situation& s) {
  if (s.previous == nullptr || !IsOpening(s.found->type) || s.BeginsLine()) return std::nullopt;
  SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  const SourceRange range{s.found->begin, close->range().end};
  if (s.previous->type == Grammar::RBRACKET && s.found->type == Grammar::LBRACKET) {
    return MakeGuess(WrongBrackets(range, "the dimensions", "one [...]", "one around each"),
                     {Replace({s.previous->begin, s.found->range().end}, ", ")});
  }
  const bool is_shape = s.previous->type == Grammar::ELEMENT && s.found->type != Grammar::LBRACKET &&
                        s.found->type != Grammar::LBRACE &&
                        s.Slice(range.begin, range.end).find('=') == std::string_view::npos;
  if (!is_shape) return std::nullopt;
  return MakeGuess(WrongBrackets({s.found->begin, s.found->begin + 1}, "the shape", "[...]",
                                 s.found->text == "(" ? "(...)" : "<...>"),
                   {Replace({range.begin, range.begin + 1}, "["), Replace({range.end - 1, range.end}, "]")});
}

// `seq<float>`, `map[int64, float]`: what is inside of a type stands in round brackets.
std::optional<Guess> TypeBrackets(const Situation& s) {
  if (s.previous == nullptr || !(s.previous->type >= Grammar::SEQ && s.previous->type <= Grammar::OPAQUE) ||
      (s.found->type != Grammar::LESS && s.found->type != Grammar::LBRACKET && s.found->type != Grammar::LBRACE)) {
    return std::nullopt;
  }
  SyntaxToken* close = s.Closing(s.found);
  if (close == nullptr) return std::nullopt;
  return MakeGuess(WrongBrackets(s.found->range(), fmt::format("what {} holds", s.previous->text), "(...)",
                                 s.found->text == "<" ? "<...>" : "[...]"),
                   {Replace(s.found->range(), "("), Replace(close->range(), ")")});
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

// `float[2] b: {1, 2}`
std::optional<Guess> ColonBeforeData(const Situation& s) {
  if (!IsInValue(s) || s.found->type != Grammar::COLON || s.previous == nullptr || !IsName(s.previous->type)) {
    return std::nullopt;
  }
  const std::size_t next = s.After(s.found)->type;
  if (next != Grammar::DATA && next != Grammar::LBRACE && next != Grammar::STRING_DATA) return std::nullopt;
  return MakeGuess(MakeDiagnostic(diag::kColonForEquals, s.found->range()), {Replace(s.found->range(), " =")});
}

// `np.float32[2] x`, `torch.int64 x`
std::optional<Guess> QualifiedType(const Situation& s) {
  if (!IsInValue(s) || s.found->type != Grammar::DOT || s.previous == nullptr || s.previous->type != Grammar::ID)
    return std::nullopt;
  constexpr std::string_view kModules[] = {"np", "numpy", "torch", "tf", "onnx", "TensorProto", "jnp", "DataType"};
  SyntaxToken* word = s.After(s.found);
  if (std::ranges::find(kModules, s.previous->text) == std::end(kModules) || !IsName(word->type)) return std::nullopt;
  while (s.After(word)->type == Grammar::DOT) word = s.After(s.After(word));
  const SourceRange range{s.previous->begin, word->range().end};
  const std::string_view near = NearestType(word->text);
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownType, range, s.Slice(range.begin, range.end));
  if (near.empty()) return MakeGuess(std::move(diagnostic), {});
  diagnostic.message += fmt::format("; did you mean '{}'?", near);
  return MakeGuess(std::move(diagnostic), {Replace(range, near)});
}

// `float[..., 4]`, `float[:, 4]`, `float[*, 4]`, `float[ , 4]`
std::optional<Guess> OtherDimension(const Situation& s) {
  const bool is_dims = s.rule() == Grammar::RuleShape || s.rule() == Grammar::RuleDims || s.rule() == Grammar::RuleDim;
  if (!is_dims) return std::nullopt;
  const std::string_view line = s.Line();
  if (line.starts_with("...")) {
    return MakeGuess(Say({s.found->begin, s.found->begin + 3},
                         "a shape of unknown rank is '[]', as in 'float[]'; a dimension of unknown size is '?'"),
                     {});
  }
  if (line.starts_with(":") || line.starts_with("*") || line.starts_with("_")) {
    return MakeGuess(Say({s.found->begin, s.found->begin + 1}, "a dimension of unknown size is '?'"),
                     {Replace({s.found->begin, s.found->begin + 1}, "?")});
  }
  return std::nullopt;
}

// `float[N x 4]`
std::optional<Guess> TimesBetweenDimensions(const Situation& s) {
  const bool is_dims = s.rule() == Grammar::RuleShape || s.rule() == Grammar::RuleDims || s.rule() == Grammar::RuleDim;
  const bool is_times = s.found->text == "x" || s.found->text == "X" || s.found->text == "*";
  const auto is_dim = [](const SyntaxToken& token) {
    return token.type == Grammar::INT || token.type == Grammar::QUESTION || IsName(token.type);
  };
  if (!is_dims || !is_times || s.previous == nullptr || !is_dim(*s.previous) || s.IsJoined()) return std::nullopt;
  if (!is_dim(*s.After(s.found))) return std::nullopt;
  return Misplaced(s.found->range(), fmt::format("dimensions have ',' between them, not '{}'", s.found->text),
                   {Replace({s.previous->range().end, s.found->range().end}, ",")});
}

// `<float a = {1}` and on the next line `float b = {2}>`: a comma is missing.
std::optional<Guess> CommaBetweenValues(const Situation& s) {
  if (!IsListOfValues(s.rule()) || s.previous == nullptr || !IsTypeToken(s.found->type)) return std::nullopt;
  if (!s.BeginsLine() && s.previous->type != Grammar::ID) return std::nullopt;  // `(float x float y)`
  const std::size_t end = s.previous->range().end;
  if (!s.Try(Grammar::RuleValue, s.found->begin, {})) return std::nullopt;
  Guess guess = MakeGuess(MakeDiagnostic(diag::kMissingComma, {end, end}, Describe(*s.found)), {Insert(end, ",")},
                          Resume::kToken);
  guess.at = s.found->begin;
  guess.token = Grammar::COMMA;
  return guess;
}

// `float[2] a = {1, 2,` and on the next line another value, or the end of the list: a brace is missing.
std::optional<Guess> BraceBehindData(const Situation& s) {
  const Context* dense = s.Around(Grammar::RuleDense);
  if (dense == nullptr || s.previous == nullptr || s.previous->type == Grammar::LBRACE) return std::nullopt;
  const bool is_comma = s.previous->type == Grammar::COMMA;
  const bool is_over = (s.BeginsLine() && (IsTypeToken(s.found->type) || s.found->type == Grammar::AT)) ||
                       s.found->type == Grammar::GREATER || IsTypeToken(s.found->type);
  if (!is_over) return std::nullopt;
  const SyntaxToken& open = First(dense);
  const std::size_t at = is_comma && s.found->type != Grammar::GREATER ? s.previous->begin : s.previous->range().end;
  Diagnostic diagnostic = MakeDiagnostic(diag::kUnclosedBracket, {at, at}, "}", "{", Describe(*s.found));
  diagnostic.notes = {{{open.begin, open.begin + 1}, "opened here"}};
  return MakeGuess(std::move(diagnostic), {Insert(at, "}")});
}

// `const float[2] b`: words of other languages before a type.
std::optional<Guess> WordBeforeType(const Situation& s) {
  if (!IsInValue(s) || s.previous == nullptr || s.previous->type != Grammar::ID) return std::nullopt;
  constexpr std::string_view kWords[] = {"const",       "static",    "let",    "var",       "param",  "input", "output",
                                         "initializer", "constexpr", "tensor", "parameter", "weight", "in",    "out"};
  if (std::ranges::find(kWords, s.previous->text) == std::end(kWords) || !IsTypeToken(s.found->type))
    return std::nullopt;
  const SyntaxToken* before = s.Before(s.previous);
  const bool is_name = before != nullptr && (IsTypeToken(before->type) || IsClosing(before->type));  // `float param`
  if (is_name) return std::nullopt;
  return MakeGuess(
      Say(s.previous->range(), fmt::format("there is no word '{}'; a value begins with its type", s.previous->text)),
      {Replace({s.previous->begin, s.found->begin}, "")});
}

}  // namespace

std::vector<Guesser> ValueGuesses() {
  return {WordBeforeType, CommaBetweenValues, BraceBehindData,      ColonBeforeData, DataInFile,
          DataBrackets,   BareData,           ShapeBehindName,      TypeBehindName,  ShapeBrackets,
          TypeBrackets,   OtherType,          OtherTypeInAttribute, QualifiedType,   TimesBetweenDimensions,
          OtherDimension};
}

}  // namespace onnxc::syntax
