// Characters that are no tokens.
#include <fmt/format.h>

#include <algorithm>

#include "source/unicode.h"
#include "syntax/guess.h"
#include "syntax/guess_letters.h"

namespace onnxc::syntax {
namespace {

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
  if (s.previous == nullptr) return std::nullopt;
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
  if (is_plain && s.Around(Grammar::RuleEntry) != nullptr) guess.resume = Resume::kUnit;
  return guess;
}

// ``` around the text, as in Markdown.
std::optional<Guess> MarkdownFence(const Situation& s) {
  const std::string_view line = s.Line();
  if (!line.starts_with("```") || !s.BeginsLine()) return std::nullopt;
  const std::size_t begin = s.found->begin;
  const std::size_t end = s.LineEnd(begin);
  Guess guess = Foreign({begin, begin + 3}, "'```' is Markdown's; the text alone stands in the file",
                        {Replace({begin, std::min(end + 1, s.text.size())}, "")}, Resume::kBehind);
  guess.at = end;
  guess.same_as = "```";
  return guess;
}

// `"text` without a quote at the end: the string goes on over lines, to the next quote or the end of the text.
std::optional<Guess> UnclosedString(const Situation& s) {
  const auto is_long = [](const SyntaxToken* token) {
    return token != nullptr && token->text.starts_with('"') && token->text.find('\n') != std::string_view::npos;
  };
  const SyntaxToken* string = is_long(s.found) ? s.found : s.IsJoined() && is_long(s.previous) ? s.previous : nullptr;
  if (string == nullptr) return std::nullopt;
  constexpr int kMostTrials = 8;
  const std::size_t line_end = s.LineEnd(string->begin);
  int trials = 0;
  for (std::size_t at = string->begin + 1; trials < kMostTrials && at <= line_end; ++at) {
    at = std::min(s.text.find_first_of(",)]}>;\r\n", at), line_end);
    ++trials;
    const std::vector<FixIt> closed = {Insert(at, "\"")};
    for (const Unit& unit : s.Units()) {
      const std::optional<std::size_t> end = s.Try(unit.rule, unit.begin, closed);
      if (!end) continue;
      Guess guess = MakeGuess(MakeDiagnostic(diag::kUnclosedString, {string->begin, at}), closed);
      if (unit.context == nullptr) guess.resume = Resume::kBehind;
      guess.at = *end;
      return guess;
    }
  }
  return std::nullopt;
}

// `;`, between the members of a list or behind a node.
std::optional<Guess> Semicolon(const Situation& s) {
  if (s.found->text != ";") return std::nullopt;
  const SourceRange range = s.found->range();
  const bool is_in_list = s.rule() != Grammar::RuleBody && s.rule() != Grammar::RuleItemsFile &&
                          s.rule() != Grammar::RuleNode && s.Around(Grammar::RuleOutputs) == nullptr;
  const std::string_view rest = s.Slice(range.end, s.LineEnd(range.end));
  const Context* node = s.Around(Grammar::RuleNode);
  if (node != nullptr && s.previous != nullptr && s.previous->type == Grammar::COMMA) {  // `Clip (x, ; m)`
    return Foreign(range, "the inputs of a node have ',' between them, not ';'", {});
  }
  if (is_in_list && s.previous != nullptr && !IsClosing(s.After(s.found)->type) && s.previous->type != Grammar::COMMA) {
    Guess guess =
        Foreign(range, "the members of a list have ',' between them, not ';'", {Replace(range, ",")}, Resume::kToken);
    guess.at = range.end;
    guess.token = Grammar::COMMA;
    return guess;
  }
  // `; bias`: words that are no node, up to the end of the line.
  const bool are_words = rest.starts_with(" ") && rest.find_first_of("=()<>{}[]#") == std::string_view::npos &&
                         rest.find_first_not_of(" \t\r") != std::string_view::npos;
  const bool is_comment = rest.starts_with(";") || are_words || (s.BeginsLine() && rest.starts_with(" "));
  Guess guess = is_comment
                    ? Foreign(range, "comments begin with '#', not with ';'", {Replace(range, "#")}, Resume::kBehind)
                    : MakeGuess(MakeDiagnostic(diag::kSemicolon, range), {Replace(range, "")}, Resume::kBehind);
  guess.at = is_comment ? s.LineEnd(range.end) : range.end;
  return guess;
}

}  // namespace

std::vector<Guesser> CharacterGuesses() {
  return {MarkdownFence,         LineComment, BlockComment,   LooksLikeAnother, TimesSign,
          LettersOfOtherScripts, ThinArrow,   UnclosedString, OtherQuotes,      Semicolon};
}

}  // namespace onnxc::syntax
