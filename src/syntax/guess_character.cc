// Characters that are no tokens, and words made of them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "source/unicode.h"
#include "syntax/guess.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// ---- comments

// `// ...`, `-- ...`
std::optional<Guess> LineComment(const Situation& s) {
  const std::string_view line = s.Line();
  if (!line.starts_with("//") && !line.starts_with("-- ")) return std::nullopt;
  const SourceRange mark{s.found->begin, s.found->begin + 2};
  Guess guess = Foreign(mark, fmt::format("comments begin with '#', not with '{}'", line.substr(0, 2)),
                        {Replace(mark, "#")}, Resume::kBehind);
  guess.at = s.LineEnd(mark.begin);
  return guess;
}

// `/* ... */`, over any number of lines.
std::optional<Guess> BlockComment(const Situation& s) {
  if (!s.Line().starts_with("/*")) return std::nullopt;
  const std::size_t begin = s.found->begin;
  const std::size_t close = s.text.find("*/", begin + 2);
  const SourceRange mark{begin, begin + 2};
  const std::string_view message = "there are no block comments; each line of a comment begins with '#'";
  if (close == std::string_view::npos) {
    Guess guess = Foreign(mark, message, {}, Resume::kBehind);
    guess.at = s.text.size();
    return guess;
  }
  std::vector<FixIt> fix_its = {Replace(mark, "#")};
  constexpr std::size_t kMostLines = 100;
  for (std::size_t end = s.LineEnd(begin); end < close && fix_its.size() < kMostLines; end = s.LineEnd(end + 1)) {
    fix_its.push_back(Insert(end + 1, "#"));
  }
  const std::string_view rest = s.Slice(close + 2, s.LineEnd(close));
  const bool is_last = rest.find_first_not_of(" \t\r") == std::string_view::npos;
  fix_its.push_back(Replace({close, close + 2}, is_last ? "" : "\n"));
  if (fix_its.size() > kMostLines) fix_its.clear();
  Guess guess = Foreign(mark, message, std::move(fix_its), Resume::kBehind);
  guess.at = close + 2;
  return guess;
}

// ---- characters that look like others

struct LookAlike {
  char32_t code;
  std::string_view name;
  std::string_view plain;  // what is meant; a blank and nothing are skipped
};

constexpr LookAlike kLookAlikes[] = {
    {0xA0, "a no-break space (U+00A0)", " "},
    {0x2007, "a figure space (U+2007)", " "},
    {0x202F, "a narrow no-break space (U+202F)", " "},
    {0x2003, "an em space (U+2003)", " "},
    {0x2002, "an en space (U+2002)", " "},
    {0x2009, "a thin space (U+2009)", " "},
    {0x3000, "an ideographic space (U+3000)", " "},
    {0x200B, "a zero-width space (U+200B)", ""},
    {0x200C, "a zero-width non-joiner (U+200C)", ""},
    {0x200D, "a zero-width joiner (U+200D)", ""},
    {0x2060, "a word joiner (U+2060)", ""},
    {0xFEFF, "a byte order mark (U+FEFF)", ""},
    {0xAD, "a soft hyphen (U+00AD)", ""},
    {0x21D2, "", "=>"},
    {0x2192, "", "=>"},
    {0x27F6, "", "=>"},
    {0x27F9, "", "=>"},
    {0xFF0C, "", ","},
    {0x3001, "", ","},
    {0xFF1A, "", ":"},
    {0xFF1D, "", "="},
    {0xFF08, "", "("},
    {0xFF09, "", ")"},
    {0xFF3B, "", "["},
    {0xFF3D, "", "]"},
    {0xFF5B, "", "{"},
    {0xFF5D, "", "}"},
    {0xFF1C, "", "<"},
    {0xFF1E, "", ">"},
    {0x2039, "", "<"},
    {0x203A, "", ">"},
    {0x27E8, "", "<"},
    {0x27E9, "", ">"},
    {0x2212, "", "-"},
    {0x2013, "", "-"},
    {0x2014, "", "-"},
    {0x2010, "", "-"},
    {0x2011, "", "-"},
};

std::size_t TypeOf(std::string_view spelling) {
  SyntaxToken token;
  Scanner(spelling).Next(token);
  return token.type;
}

// A character that no editor shows, and nobody wrote.
Guess ControlCharacter(const Situation& s, char32_t code) {
  const SourceRange range{s.found->begin, s.found->begin + 1};
  const std::string name = fmt::format("a control character (U+{:04X})", static_cast<unsigned>(code));
  Diagnostic diagnostic = MakeDiagnostic(diag::kLookAlike, range, "", "", "");
  diagnostic.message = fmt::format("{} is no blank here; remove it", name);
  Guess guess = MakeGuess(std::move(diagnostic), {Replace(range, "")}, Resume::kBehind);
  guess.at = range.end;
  guess.same_as = name;
  return guess;
}

std::optional<Guess> LooksLikeAnother(const Situation& s) {
  if (s.found->text.empty()) return std::nullopt;  // the end of the text
  const Character character = DecodeCharacter(s.text, s.found->begin);
  const auto* row = std::ranges::find(kLookAlikes, character.code, &LookAlike::code);
  if (character.valid && character.code < 0x20) return ControlCharacter(s, character.code);
  if (!character.valid || row == std::end(kLookAlikes)) return std::nullopt;
  const SourceRange range{s.found->begin, s.found->begin + character.length};
  const bool is_blank = !row->name.empty();
  const std::string code = fmt::format("{:04X}", static_cast<unsigned>(character.code));
  Diagnostic diagnostic = MakeDiagnostic(diag::kLookAlike, range, s.Slice(range.begin, range.end), row->plain, code);
  if (is_blank) {
    diagnostic.message =
        fmt::format("{} is no blank here; {}", row->name, row->plain.empty() ? "remove it" : "use a space");
  }
  Guess guess =
      MakeGuess(std::move(diagnostic), {Replace(range, row->plain)}, is_blank ? Resume::kBehind : Resume::kToken);
  guess.at = range.end;
  guess.token = TypeOf(row->plain);
  if (row->plain == "-") guess.resume = Resume::kUnit;
  if (is_blank) guess.same_as = row->name;
  const bool is_full_width = character.code >= 0xFF00 && character.code < 0xFFF0;
  if (is_full_width) guess.same_as = "full-width";
  return guess;
}

// `->`, where `=>` stands.
std::optional<Guess> ThinArrow(const Situation& s) {
  const std::string_view line = s.Line();
  for (const std::string_view arrow : {"-->", "->", "~>"}) {
    if (!line.starts_with(arrow)) continue;
    const SourceRange range{s.found->begin, s.found->begin + arrow.size()};
    Guess guess =
        Foreign(range, fmt::format("the outputs follow '=>', not '{}'", arrow), {Replace(range, "=>")}, Resume::kToken);
    guess.at = range.end;
    guess.token = Grammar::ARROW;
    return guess;
  }
  return std::nullopt;
}

// ---- strings in other quotes

struct Quotes {
  std::string_view open;
  std::string_view close;
};
constexpr Quotes kQuotes[] = {{"'", "'"},           {"`", "`"},           {"\u201C", "\u201D"}, {"\u201D", "\u201D"},
                              {"\u201E", "\u201C"}, {"\u2018", "\u2019"}, {"\u2019", "\u2019"}, {"\u00AB", "\u00BB"},
                              {"\u00B4", "\u00B4"}, {"\uFF02", "\uFF02"}};

std::optional<Guess> OtherQuotes(const Situation& s) {
  const std::string_view line = s.Line();
  const auto* quotes = std::ranges::find_if(kQuotes, [&](const Quotes& q) { return line.starts_with(q.open); });
  if (quotes == std::end(kQuotes)) return std::nullopt;
  std::size_t close = line.find(quotes->close, quotes->open.size());
  const std::size_t begin = s.found->begin;
  if (close == std::string_view::npos) {
    return MakeGuess(MakeDiagnostic(diag::kSingleQuotes, {begin, begin + quotes->open.size()}), {}, Resume::kUnit);
  }
  const SourceRange range{begin, begin + close + quotes->close.size()};
  const bool is_plain = line.substr(0, close).find_first_of("\"\\") == std::string_view::npos;
  std::vector<FixIt> fix_its;
  if (is_plain) {
    fix_its = {Replace({begin, begin + quotes->open.size()}, "\""), Replace({begin + close, range.end}, "\"")};
  }
  Guess guess = MakeGuess(MakeDiagnostic(diag::kSingleQuotes, range), std::move(fix_its),
                          is_plain ? Resume::kToken : Resume::kUnit);
  guess.at = range.end;
  guess.token = Grammar::STRING;
  return guess;
}

// `;`, between the members of a list or behind a node.
std::optional<Guess> Semicolon(const Situation& s) {
  if (s.found->text != ";") return std::nullopt;
  const SourceRange range = s.found->range();
  const bool is_in_list = s.rule() != Grammar::RuleBody && s.rule() != Grammar::RuleItemsFile &&
                          s.rule() != Grammar::RuleNode && s.Around(Grammar::RuleOutputs) == nullptr;
  const std::string_view rest = s.Slice(range.end, s.LineEnd(range.end));
  if (is_in_list && s.previous != nullptr && !IsClosing(s.After(s.found)->type) && s.previous->type != Grammar::COMMA) {
    Guess guess =
        Foreign(range, "the members of a list have ',' between them, not ';'", {Replace(range, ",")}, Resume::kToken);
    guess.at = range.end;
    guess.token = Grammar::COMMA;
    return guess;
  }
  const bool is_comment = rest.starts_with(";") || (s.BeginsLine() && rest.starts_with(" "));
  Guess guess = is_comment
                    ? Foreign(range, "comments begin with '#', not with ';'", {Replace(range, "#")}, Resume::kBehind)
                    : MakeGuess(MakeDiagnostic(diag::kSemicolon, range), {Replace(range, "")}, Resume::kBehind);
  guess.at = is_comment ? s.LineEnd(range.end) : range.end;
  return guess;
}

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
    case Grammar::RuleItem: return true;
    case Grammar::RuleNode: return true;
    default: return false;
  }
}

// `.5`, `+1`, `0.1f`, `0x1F`, `1_000`, `1e -3`: numbers of other languages.
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
    return Number({begin, begin + word.size()}, word, advice->replacement, advice->why);
  }
  if (is_number && (s.found->type == Grammar::DOT || s.found->type == Grammar::ID) && !IsPlaceOfName(s)) {
    return Number({begin, begin + word.size()}, word, "", "");
  }
  // A blank in it: `1 e-3`, `1e -3`.
  if (s.previous == nullptr || !IsNumber(s.previous->type) || s.BeginsLine()) return std::nullopt;
  const std::string_view tail = WordAt(s, s.found->begin);
  const std::string joined = std::string(s.previous->text) + std::string(tail);
  const bool has_exponent =
      (tail.substr(0, 1) == "e" || tail.substr(0, 1) == "E") || (s.previous->text.back() | 0x20) == 'e';
  if (!has_exponent || !IsWellFormedNumber(joined)) return std::nullopt;
  const SourceRange range{s.previous->begin, s.found->begin + tail.size()};
  return Number(range, s.Slice(range.begin, range.end), joined, "no blank stands inside a number");
}

// ---- names

// The word around the place that is made of what names without quotes cannot have.
SourceRange OddName(const Situation& s) {
  constexpr std::string_view kEnds = " \t\r\n,()[]{}<>=\"'#;`?";
  std::size_t begin = s.found->begin;
  while (begin > 0 && s.found->begin - begin < 1000 && kEnds.find(s.text[begin - 1]) == std::string_view::npos) --begin;
  const std::size_t end = std::min(s.text.find_first_of(kEnds, s.found->begin), s.text.size());
  return {begin, end};
}

// `fc.weight`, `/model/Add_output_0`, `onnx::Add_12`, `%5`, `12`, `N+1`: names that stand in quotes.
std::optional<Guess> UnquotedName(const Situation& s) {
  if (!IsPlaceOfName(s)) return std::nullopt;
  SourceRange range = OddName(s);
  std::string_view word = s.Slice(range.begin, range.end);
  if (word.ends_with(':')) word = s.Slice(range.begin, --range.end);
  const auto is_odd = [](char c) { return !IsDigit(c) && (c | 0x20) < 'a' && c != '_'; };
  const bool has_odd = std::ranges::any_of(word, is_odd) || (!word.empty() && IsDigit(word.front()));
  const bool has_word =
      std::ranges::any_of(word, [](char c) { return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); });
  if (!has_odd || !has_word || word.find("->") != std::string_view::npos || word.find('@') == 0) return std::nullopt;
  if (word.find_first_of("\\") != std::string_view::npos) return std::nullopt;
  if (const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode)); node != nullptr) {
    const std::size_t before = s.text.substr(0, range.begin).find_last_not_of(" \t");
    const bool is_operator = node->in == nullptr && before != std::string_view::npos && s.text[before] == '=';
    if (is_operator && word.find("::") != std::string_view::npos) return std::nullopt;
    const bool is_number = std::ranges::all_of(word, IsDigit);
    const std::string definition = fmt::format("\n{} =", word);
    if (node->in != nullptr && IsDigit(word.front()) && !is_number) return std::nullopt;  // 1.5
    if (node->in != nullptr && is_number && s.text.find(definition) == std::string_view::npos &&
        s.text.find(fmt::format(" {} =", word)) == std::string_view::npos &&
        s.text.find(fmt::format("] {}", word)) == std::string_view::npos)
      return std::nullopt;
  }
  Guess guess = MakeGuess(MakeDiagnostic(diag::kUnquotedName, range, Quoted(word)),
                          {Replace(range, fmt::format("\"{}\"", word))});
  guess.is_weak = true;
  guess.same_as = fmt::format("name {}", word);
  return guess;
}

// ---- words of mathematics

struct Sign {
  std::string_view sign;
  std::string_view op;
};
constexpr Sign kSigns[] = {{"**", "Pow"}, {"==", "Equal"},  {"+", "Add"}, {"-", "Sub"}, {"*", "Mul"},
                           {"/", "Div"},  {"@", "MatMul"},  {"%", "Mod"}, {"^", "Pow"}, {"&", "And"},
                           {"|", "Or"},   {">", "Greater"}, {"<", "Less"}};

// `y = a + b`
std::optional<Guess> Expression(const Situation& s) {
  const auto* node = static_cast<const Grammar::NodeContext*>(s.Around(Grammar::RuleNode));
  if (node == nullptr || node->in != nullptr || s.previous == nullptr || s.BeginsLine()) return std::nullopt;
  const std::string_view line = s.Line();
  const auto* sign = std::ranges::find_if(kSigns, [&](const Sign& row) { return line.starts_with(row.sign); });
  if (sign == std::end(kSigns) || !IsName(s.previous->type)) return std::nullopt;
  const SyntaxToken* before = s.Before(s.previous);
  if (before == nullptr || before->type != Grammar::EQUALS) return std::nullopt;
  const std::size_t rest_begin = s.found->begin + sign->sign.size();
  std::string_view rest = s.Slice(rest_begin, s.LineEnd(rest_begin));
  rest = rest.substr(0, rest.find_first_of("#}"));
  const std::size_t first = std::min(rest.find_first_not_of(" \t"), rest.size());
  const std::size_t last = rest.find_last_not_of(" \t\r");
  const std::string_view right = last == std::string_view::npos ? "" : rest.substr(first, last + 1 - first);
  const bool is_name = !right.empty() && !IsDigit(right.front()) && std::ranges::all_of(right, [](char c) {
    return IsDigit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  });
  const SourceRange range{s.previous->begin, rest_begin + first + right.size()};
  const std::string call = fmt::format("{} ({}, {})", sign->op, s.previous->text, right);
  std::vector<FixIt> fix_its;
  if (is_name) fix_its = {Replace(range, call)};
  return Foreign(
      {s.found->begin, rest_begin},
      fmt::format("there are no expressions; a node calls an operator, for '{}' it is {}", sign->sign, sign->op),
      std::move(fix_its), Resume::kUnit);
}

// What `left sign right` gives; an integer where it is exact for integers.
std::optional<std::string> Result(std::string_view left, char sign, std::string_view right) {
  double a = 0;
  double b = 0;
  const auto read = [](std::string_view text, double* value) {
    return std::from_chars(text.data(), text.data() + text.size(), *value).ptr == text.data() + text.size();
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

// `k = 1/3`
std::optional<Guess> Quotient(const Situation& s) {
  if (s.previous == nullptr || !IsNumber(s.previous->type) ||
      (s.Around(Grammar::RuleAttr) == nullptr && s.rule() != Grammar::RuleAttrs) || s.found->text.empty() ||
      std::string_view("+-*/").find(s.found->text.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  const SyntaxToken* right = s.After(s.found);
  std::string message = "there are no expressions; write the number that it gives";
  std::vector<FixIt> fix_its;
  if (const auto result = Result(s.previous->text, s.text[s.found->begin], right->text);
      result && s.found->range().end - s.found->begin == 1) {
    message += fmt::format(": {}", *result);
    fix_its = {Replace({s.previous->begin, right->range().end}, *result)};
  }
  return Foreign(s.found->range(), message, std::move(fix_its), Resume::kUnit);
}

}  // namespace

std::vector<Guesser> CharacterGuesses() {
  return {LineComment, BlockComment, LooksLikeAnother, ThinArrow, OtherQuotes,
          Semicolon,   OtherNumber,  Expression,       Quotient,  UnquotedName};
}

}  // namespace onnxc::syntax
