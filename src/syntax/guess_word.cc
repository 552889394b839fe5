// Guesses about words that are not tokens: numbers, names and expressions in the spelling of other languages. The
// comment of a guess describes the mistake.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platform/from_chars.h"
#include "syntax/guess.h"
#include "syntax/spelling.h"
#include "tables/foreign_words.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

// ---- numbers

std::string_view WordAt(const Situation& s, std::size_t begin) {
  const std::size_t end = s.text.find_first_of(" \t\r\n,()[]{}<>=\"#;", begin);
  return s.Slice(begin, std::min(end, s.text.size()));
}

Guess Number(SourceRange range, std::string_view word, std::string_view replacement, std::string_view why) {
  Diagnostic diagnostic = MakeDiagnostic(diag::kMalformedNumber, range, Quoted(word));
  if (!why.empty()) diagnostic.message += fmt::format("; {}", why);
  std::vector<FixIt> fix_its;
  if (!replacement.empty()) fix_its = {Replace(range, replacement)};
  Guess guess = MakeGuess(std::move(diagnostic), std::move(fix_its));
  guess.is_weak = true;
  return guess;
}

bool IsPlaceOfName(const Situation& s) {
  switch (s.rule()) {
    case Grammar::RuleBody:
    case Grammar::RuleNames:
    case Grammar::RuleInputs:
    case Grammar::RuleOutputs:
    case Grammar::RuleValues:
    case Grammar::RuleValue:
    case Grammar::RuleValueInfo:
    case Grammar::RuleShape:
    case Grammar::RuleDims:
    case Grammar::RuleDim:
    case Grammar::RuleItemName:
    case Grammar::RuleNamed:
    case Grammar::RuleItem:
    case Grammar::RuleNode: return true;
    default: return false;
  }
}

// Numbers in the spelling of other languages: `.5`, `+1`, `0.1f`, `0x1F`, `1_000`, `1e -3`.
std::optional<Guess> OtherNumber(const Situation& s) {
  if (s.rule() == Grammar::RuleDims || s.rule() == Grammar::RuleDim || s.rule() == Grammar::RuleShape) {
    return std::nullopt;
  }
  const bool goes_on = s.IsJoined() && IsNumber(s.previous->type) && IsDigit(s.previous->text.back());
  const bool is_number = goes_on || (s.IsJoined() && s.previous->type == Grammar::FLOAT);
  const std::size_t begin = is_number ? s.previous->begin : s.found->begin;
  const std::string_view word = WordAt(s, begin);
  if (word.empty()) return std::nullopt;
  if (const std::optional<NumberAdvice> advice = AdviseNumber(word)) {
    Guess guess = Number({begin, begin + word.size()}, word, advice->replacement, advice->why);
    // All numbers of a list with the same mistake become one finding.
    const std::string_view why = std::string_view(advice->why).substr(0, advice->why.find(':'));
    if (!advice->replacement.empty())
      guess.same_as = fmt::format("{} {}", s.Units().empty() ? begin : s.Units().front().begin, why);
    return guess;
  }
  // A blank inside of a number: `1 e-3`, `1e -3`.
  if (s.previous == nullptr || !IsNumber(s.previous->type) || s.BeginsLine()) return std::nullopt;
  const std::string_view tail = WordAt(s, s.found->begin);
  const std::string joined = std::string(s.previous->text) + std::string(tail);
  const bool has_exponent =
      (tail.substr(0, 1) == "e" || tail.substr(0, 1) == "E") || (s.previous->text.back() | 0x20) == 'e';
  if (!has_exponent || !IsWellFormedNumber(joined)) return std::nullopt;
  const SourceRange range{s.previous->begin, s.found->begin + tail.size()};
  return Number(range, s.Slice(range.begin, range.end), joined, "a number cannot contain spaces");
}

// ---- names

// The characters that end a name without quotes.
constexpr std::string_view kEnds = " \t\r\n,()[]{}<>=\"'#;`?";

// Returns the range of the word at the current token. It may have characters that are allowed only in quoted names.
SourceRange OddName(const Situation& s) {
  std::size_t begin = s.found->begin;
  while (begin > 0 && s.found->begin - begin < 1000 && kEnds.find(s.text[begin - 1]) == std::string_view::npos) --begin;
  const std::size_t end = std::min(s.text.find_first_of(kEnds, s.found->begin), s.text.size());
  return {begin, end};
}

bool IsOddName(std::string_view word) {
  const auto is_odd = [](char c) { return !IsDigit(c) && (c | 0x20) < 'a' && c != '_'; };
  const bool has_odd = std::ranges::any_of(word, is_odd) || (!word.empty() && IsDigit(word.front()));
  const bool has_word =
      std::ranges::any_of(word, [](char c) { return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); });
  return has_odd && has_word && word.find("->") == std::string_view::npos && word.front() != '@' &&
         word.find('\\') == std::string_view::npos;
}

// Returns whether a sign precedes the name, as in MLIR: `%h`, `$h`.
bool HasSign(std::string_view word) {
  return word.size() > 1 && (word.front() == '%' || word.front() == '$') && IsIdentifier(word.substr(1));
}

FixIt CorrectedName(SourceRange range, std::string_view word) {
  return HasSign(word) ? Replace({range.begin, range.begin + 1}, "") : Replace(range, fmt::format("\"{}\"", word));
}

// Returns corrections of the later names on the line that need quotes. All names of a node's line are corrected,
// because a trial reads the whole node. In the inputs, outputs and initializers of a graph, only the names of one value
// are corrected, because a trial reads only this value. Numbers, operators and the text in `<...>` are skipped.
std::vector<FixIt> OddNamesBehind(const Situation& s, std::size_t at) {
  constexpr std::size_t kLongest = 2000;
  std::vector<FixIt> fix_its;
  const std::size_t line_end = std::min(s.LineEnd(at, kLongest), s.EndOfValue());
  std::size_t depth = 0;
  while (at < line_end) {
    const char c = s.text[at];
    if (c == '#') break;
    if (c == '"') {
      at = std::min(s.text.find('"', at + 1), line_end);
      ++at;
      continue;
    }
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (kEnds.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(s.text.find_first_of(kEnds, at), s.text.size());
    const std::string_view word = s.Slice(at, end);
    const std::size_t before = s.text.find_last_not_of(" \t", at - 1);
    const bool is_operator = before != std::string_view::npos && s.text[before] == '=';
    if (depth == 0 && !is_operator && !IsDigit(word.front()) && word.front() != '-' && word.front() != '.' &&
        IsOddName(word)) {
      fix_its.push_back(CorrectedName({at, end}, word));
    }
    at = end;
  }
  return fix_its;
}

}  // namespace

std::optional<std::string> ResultOf(std::string_view left, char sign, std::string_view right) {
  double a = 0;
  double b = 0;
  const auto read = [](std::string_view text, double* value) {
    const std::from_chars_result result = FromChars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
  };
  if (!read(left, &a) || !read(right, &b) || (sign == '/' && b == 0)) return std::nullopt;
  const double result = sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
  constexpr double kExact = 1LL << 53;
  const bool are_whole = left.find_first_of(".eE") == std::string_view::npos &&
                         right.find_first_of(".eE") == std::string_view::npos && std::trunc(result) == result;
  if (are_whole && std::abs(result) < kExact) return fmt::format("{}", static_cast<long long>(result));
  std::string text = fmt::format("{}", static_cast<float>(result));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return IsWellFormedNumber(text) ? std::optional(text) : std::nullopt;
}

namespace {

// Returns whether the word has the form `1x16`.
bool AreDimensions(std::string_view word) {
  bool behind_digit = false;
  std::size_t signs = 0;
  for (const char c : word) {
    if (!IsDigit(c) && (c != 'x' || !behind_digit)) return false;
    signs += c == 'x' ? 1 : 0;
    behind_digit = IsDigit(c);
  }
  return behind_digit && signs > 0;
}

// Returns a dimension as an integer for `2.0` and `2*3`, and several integers for `1x16`.
std::optional<std::string> Dimension(const Situation& s, std::string_view word) {
  if (s.rule() != Grammar::RuleDims && s.rule() != Grammar::RuleDim && s.rule() != Grammar::RuleShape) {
    return std::nullopt;
  }
  if (AreDimensions(word)) {
    std::string dimensions;
    for (const char c : word) dimensions += c == 'x' ? std::string(", ") : std::string(1, c);
    return dimensions;
  }
  const std::size_t sign = word.find_first_of("+-*/.");
  if (sign == std::string_view::npos || sign == 0) return std::nullopt;
  const std::string_view left = word.substr(0, sign);
  const std::string_view right = word.substr(sign + 1);
  if (!std::ranges::all_of(left, IsDigit) || !std::ranges::all_of(right, IsDigit)) return std::nullopt;
  if (word[sign] == '.') {
    if (right.find_first_not_of('0') != std::string_view::npos) return std::nullopt;
    return std::string(left);
  }
  std::optional<std::string> result = right.empty() ? std::nullopt : ResultOf(left, word[sign], right);
  if (result && !std::ranges::all_of(*result, IsDigit)) result.reset();
  return result;
}

// Returns whether the word is in brackets after a node on the same line, as in `Op (x) [k = 1]`. Such a word is not the
// name of a value.
bool IsAttributeBehindNode(const Situation& s, SourceRange word) {
  if (s.Slice(word.begin, word.end).find('=') == std::string_view::npos) return false;
  const std::size_t bracket = s.text.substr(0, word.begin).find_last_not_of(" \t");
  if (bracket == std::string_view::npos || s.text[bracket] != '[') return false;
  const std::size_t before = s.text.substr(0, bracket).find_last_not_of(" \t");
  return before != std::string_view::npos && s.text[before] != '\n';
}

// Returns whether the only one of `signs` in the word separates two names: in `x.w`, a dot was written in place of a
// comma if both `x` and `w` are words of the text, but `x.w` is not. In the same way, `x*w` is an expression.
bool IsTwoNames(const Situation& s, SourceRange range, std::string_view signs) {
  constexpr std::size_t kNear = std::size_t{8} << 10;  // in bytes
  const std::string_view word = s.Slice(range.begin, range.end);
  const std::size_t sign = word.find_first_of(signs);
  if (sign == std::string_view::npos || word.find_first_of(signs, sign + 1) != std::string_view::npos) return false;
  const bool is_prefix = sign == 0 && std::string_view("-!~").find(word.front()) != std::string_view::npos;
  const std::string_view before = s.Slice(range.begin - std::min(range.begin, kNear), range.begin);
  const std::string_view behind = s.Slice(range.end, std::min(s.text.size(), range.end + kNear));
  const auto is_known = [&](std::string_view part) {
    return std::ranges::all_of(part, IsDigit) ? !part.empty() : HasWord(before, part) || HasWord(behind, part);
  };
  return before.find(word) == std::string_view::npos && behind.find(word) == std::string_view::npos &&
         (is_prefix || is_known(word.substr(0, sign))) && is_known(word.substr(sign + 1));
}

// Returns whether the number is a size in a shape, one bracket of which may be missing.
bool IsSize(const Situation& s, SourceRange number) {
  constexpr std::size_t kFar = 2000;  // in bytes
  constexpr std::string_view kMarks = "()[]{}<>=\"\n";
  if (s.Around(Grammar::RuleNode) != nullptr || s.rule() == Grammar::RuleBody) return false;
  const std::string_view behind = s.Slice(number.end, std::min(s.text.size(), number.end + kFar));
  const std::string_view before = s.Slice(number.begin - std::min(number.begin, kFar), number.begin);
  const std::size_t next = behind.find_first_of(kMarks);
  const std::size_t last = before.find_last_of(kMarks);
  return (next != std::string_view::npos && behind[next] == ']') ||
         (last != std::string_view::npos && before[last] == '[');
}

// Names that need quotes: `fc.weight`, `/model/Add_output_0`, `onnx::Add_12`, `%5`, `12`, `N+1`.
std::optional<Guess> UnquotedName(const Situation& s) {
  if (!IsPlaceOfName(s)) return std::nullopt;
  SourceRange range = OddName(s);
  std::string_view word = s.Slice(range.begin, range.end);
  if (word.ends_with(':')) word = s.Slice(range.begin, --range.end);
  if (word.empty() || !IsOddName(word) || IsAttributeBehindNode(s, range)) return std::nullopt;
  if (IsTwoNames(s, range, ".") || word.ends_with('.')) return std::nullopt;
  if (std::ranges::all_of(word, IsDigit) && IsSize(s, range)) return std::nullopt;
  if (const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode)); node != nullptr) {
    const std::size_t before = s.text.substr(0, range.begin).find_last_not_of(" \t");
    const bool is_operator = node->in == nullptr && before != std::string_view::npos && s.text[before] == '=';
    if (is_operator && word.find("::") != std::string_view::npos) return std::nullopt;
    const bool is_number = std::ranges::all_of(word, IsDigit);
    const bool is_literal = IsDigit(word.front()) || (IsNumber(s.found->type) && s.found->text == word);
    if (node->in != nullptr && is_literal && !is_number) return std::nullopt;  // 1.5, -1
    if (node->in != nullptr && is_number && !s.IsNameOfDigits(word)) return std::nullopt;
  }
  if (IsAmongInputs(s) && IsTwoNames(s, range, "+-*/%&|^@!~")) return std::nullopt;
  if (const auto number = Dimension(s, word)) {
    return Foreign(range, fmt::format("a dimension must be an integer or a name: write {}", *number),
                   {Replace(range, *number)});
  }
  Diagnostic diagnostic =
      HasSign(word) ? Say({range.begin, range.begin + 1}, fmt::format("a name cannot begin with '{}'", word.front()))
                    : MakeDiagnostic(diag::kUnquotedName, range, Quoted(word));
  std::vector<FixIt> fix_its = OddNamesBehind(s, range.end);
  fix_its.insert(fix_its.begin(), CorrectedName(range, word));
  Guess guess = MakeGuess(std::move(diagnostic), std::move(fix_its));
  guess.is_weak = true;
  guess.same_as = HasSign(word) ? std::string(1, word.front()) : std::string(kNamesWithoutQuotes);
  const bool is_name_of_graph = s.rule() == Grammar::RuleNamed && s.found->type != Grammar::DOT &&
                                s.previous != nullptr && s.previous->begin == range.begin;
  if (is_name_of_graph && s.found->begin >= range.end) return std::nullopt;  // the name is already reported
  if (is_name_of_graph) {  // `my-net (x)`; parsing continues after the name
    guess.diagnostic.fix_its.resize(1);
    guess.is_weak = false;
    guess.resume = Resume::kBehind;
    guess.at = range.end;
  }
  return guess;
}

// ---- words in headers

// A string without quotes: `producer_name: pytorch-2.1`.
std::optional<Guess> UnquotedEntry(const Situation& s) {
  if (s.previous == nullptr || (s.rule() != Grammar::RuleHeader && s.Around(Grammar::RuleEntry) == nullptr)) {
    return std::nullopt;
  }
  const SyntaxToken* key = s.previous;
  const std::size_t line = s.text.rfind('\n', s.previous->begin) + 1;
  const std::size_t colon = s.text.rfind(':', s.previous->begin);
  if (colon == std::string_view::npos || colon < line) return std::nullopt;
  const std::size_t name_end = s.text.find_last_not_of(" \t", colon - 1) + 1;
  const std::size_t name = s.text.find_last_of(" \t\n<,", name_end - 1) + 1;
  const auto* field = onnx::ModelProto::descriptor()->FindFieldByName(std::string(s.Slice(name, name_end)));
  const bool is_string = field != nullptr && !field->is_repeated() && field->cpp_type() == field->CPPTYPE_STRING;
  const std::size_t begin = s.text.find_first_not_of(" \t", colon + 1);
  const std::size_t stop = std::min(s.text.find_first_of(",>\n\"", begin), s.text.size());
  if (!is_string || begin > key->begin || stop <= s.previous->begin) return std::nullopt;
  const SourceRange range{begin, s.text.find_last_not_of(" \t\r", stop - 1) + 1};
  return MakeGuess(MakeDiagnostic(diag::kFieldValue, range, field->name(), "a string"),
                   {Replace(range, fmt::format("\"{}\"", s.Slice(range.begin, range.end)))});
}

// ---- words of mathematics

bool IsArithmetic(const SyntaxToken* token) {
  return token != nullptr && !token->text.empty() &&
         std::string_view("+-*/").find(token->text.front()) != std::string_view::npos;
}

// Returns whether the word occurs shortly before `end` in a place where a value gets its name.
bool IsNamedBefore(const Situation& s, std::string_view word, std::size_t end) {
  constexpr std::string_view kAround = " \t\r\n,()=";
  constexpr std::size_t kFar = std::size_t{64} << 10;  // in bytes; each mistake may read this far back
  const std::string_view before = s.Slice(end - std::min(end, kFar), end);
  for (std::size_t at = before.find(word); at != std::string_view::npos; at = before.find(word, at + 1)) {
    const std::size_t stop = at + word.size();
    const bool is_alone = at > 0 && kAround.find(before[at - 1]) != std::string_view::npos && stop < before.size() &&
                          kAround.find(before[stop]) != std::string_view::npos;
    if (is_alone) return true;
  }
  return false;
}

// A value in place of a node: `y = x`, `y = x[0]`.
std::optional<Guess> ValueAsNode(const Situation& s) {
  const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode));
  if (node == nullptr || node->in != nullptr || s.previous == nullptr || s.previous->type != Grammar::ID ||
      s.Around(Grammar::RuleAttrs) != nullptr) {
    return std::nullopt;
  }
  const SyntaxToken* before = s.Before(s.previous);
  const bool is_operator = FindOperator("", s.previous->text, NewestVersion(FindDomain(""))) != nullptr;
  if (before == nullptr || before->type != Grammar::EQUALS || is_operator) return std::nullopt;
  if (s.found->type == Grammar::LBRACKET || s.found->type == Grammar::NUMBERS) {
    const std::optional<SourceRange> range = Bracketed(s, s.found);
    if (!range || s.BeginsLine()) return std::nullopt;
    const std::string_view inner = s.Slice(range->begin + 1, range->end - 1);
    if (inner.find_first_not_of("0123456789:-, .") != std::string_view::npos || inner.empty()) return std::nullopt;
    Guess guess = Foreign(*range, "subscripts are not allowed; use Gather or Slice to select a part of a value", {},
                          Resume::kBehind);
    guess.at = range->end;
    return guess;
  }
  const bool is_next = IsName(s.found->type) && s.After(s.found)->type == Grammar::EQUALS;
  if (!is_next && s.found->type != Grammar::RBRACE) return std::nullopt;
  if (!IsNamedBefore(s, s.previous->text, First(node).begin)) return std::nullopt;  // an incomplete node
  return Foreign(s.previous->range(), "a node must call an operator; use Identity to give a value another name",
                 {Replace(s.previous->range(), fmt::format("Identity ({})", s.previous->text))});
}

// A quotient in place of a number: `k = 1/3`, `{1/3, 0.5}`.
std::optional<Guess> Quotient(const Situation& s) {
  if (s.previous == nullptr || !IsNumber(s.previous->type) ||
      (s.Around(Grammar::RuleAttr) == nullptr && s.rule() != Grammar::RuleAttrs &&
       s.Around(Grammar::RuleDense) == nullptr) ||
      !IsArithmetic(s.found)) {
    return std::nullopt;
  }
  SyntaxToken* const right = s.After(s.found);
  // Another arithmetic sign before or after the two numbers may have a higher precedence.
  const bool is_alone = !IsArithmetic(s.Before(s.previous)) && !IsArithmetic(s.After(right));
  std::string message = "expressions are not allowed; write the resulting number";
  std::vector<FixIt> fix_its;
  if (const auto result = ResultOf(s.previous->text, s.text[s.found->begin], right->text);
      result && s.found->range().end - s.found->begin == 1 && is_alone) {
    message += fmt::format(": {}", *result);
    fix_its = {Replace({s.previous->begin, right->range().end}, *result)};
  }
  return Foreign(s.found->range(), message, std::move(fix_its), Resume::kUnit);
}

// A word or a number that is written twice: `keepdims keepdims = 0`, `Relu Relu (x)`. Between two members of a list, a
// ',' is missing more likely, and `= 2 2` may be a list without brackets.
std::optional<Guess> DoubledWord(const Situation& s) {
  const std::size_t type = s.found->type;
  const bool is_word = IsName(type) || IsNumber(type) || IsTypeToken(type);
  if (!is_word || s.previous == nullptr || s.found->text != s.previous->text || s.BeginsLine()) return std::nullopt;
  const SyntaxToken* const before = s.Before(s.previous);
  const bool is_key =
      (s.rule() == Grammar::RuleAttr || s.rule() == Grammar::RuleEntry) && First(s.context).begin == s.previous->begin;
  const bool is_member = before == nullptr || before->type == Grammar::COMMA || IsOpening(before->type);
  const bool is_value = before != nullptr && (before->type == Grammar::EQUALS || before->type == Grammar::COLON) &&
                        (IsNumber(type) || type == Grammar::STRING);
  if (is_value || (is_member && !is_key)) return std::nullopt;
  Guess guess = MakeGuess(MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, s.found->range(),
                                         fmt::format("{} occurs twice", Describe(*s.found))),
                          {Replace({s.previous->range().end, s.found->range().end}, "")});
  guess.is_weak = true;
  return guess;
}

// A name that a line break or a space divides: `hidden_st` and `ate`. Only the whole name occurs elsewhere.
std::optional<Guess> DividedName(const Situation& s) {
  constexpr std::size_t kNear = std::size_t{8} << 10;  // in bytes
  const auto is_part = [](const SyntaxToken* token) {
    return token != nullptr && (IsName(token->type) || token->type == Grammar::INT) && !token->text.starts_with('"');
  };
  if (!IsPlaceOfName(s) || !is_part(s.previous) || !is_part(s.found) || s.previous->type == Grammar::INT) {
    return std::nullopt;
  }
  const SourceRange range{s.previous->begin, s.found->range().end};
  const std::string_view gap = s.Slice(s.previous->range().end, s.found->begin);
  if (gap.empty() || gap.find_first_not_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  const std::string_view before = s.Slice(range.begin - std::min(range.begin, kNear), range.begin);
  const std::string_view behind = s.Slice(range.end, std::min(s.text.size(), range.end + kNear));
  const auto is_known = [&](std::string_view word) { return HasWord(before, word) || HasWord(behind, word); };
  if (is_known(s.previous->text) || is_known(s.found->text)) return std::nullopt;
  const std::string name = std::string(s.previous->text) + std::string(s.found->text);
  if (!is_known(name) && FindOperator("", name, NewestVersion(FindDomain(""))) == nullptr) return std::nullopt;
  // In `Sum (a b)`, both names may be defined far before, although `ab` is a name, too.
  const auto is_anywhere = [&](std::string_view word) {
    return HasWord(s.text.substr(0, range.begin), word) || HasWord(s.text.substr(range.end), word);
  };
  if (!s.MayLook(Trials::Search::kRows, s.text.size())) return std::nullopt;
  if (is_anywhere(s.previous->text) || is_anywhere(s.found->text)) return std::nullopt;
  Guess guess = MakeGuess(MakeDiagnostic(DiagnosticKind::kUnexpectedToken, Severity::kError, range,
                                         fmt::format("the name '{}' is divided", Quoted(name))),
                          {Replace(range, name)});
  guess.is_weak = true;
  return guess;
}

}  // namespace

std::vector<Guesser> WordGuesses() {
  return {DividedName, DoubledWord, UnquotedEntry, OtherNumber, Quotient, UnquotedName, ValueAsNode};
}

}  // namespace onnxc::syntax
