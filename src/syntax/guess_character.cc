// Guesses about characters that are not tokens. The comment of a guess describes the mistake.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "source/unicode.h"
#include "syntax/guess.h"
#include "syntax/other_strings.h"

namespace onnxc::syntax {
namespace {

// ---- comments

constexpr std::string_view kSpaces = " \t\r";

// Returns whether the text begins with an operator and the bracket behind it: `Relu (`, `a.Op <`.
bool BeginsCall(std::string_view text) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '"';
  };
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  const auto end = std::ranges::find_if_not(text, is_part);
  if (end == text.begin()) return false;
  const std::string_view behind = text.substr(static_cast<std::size_t>(end - text.begin()));
  const std::size_t bracket = behind.find_first_not_of(kSpaces);
  return bracket != std::string_view::npos && (behind[bracket] == '(' || behind[bracket] == '<');
}

// Returns whether the text has the sign and the call of a node: `= Relu (`.
bool HasCall(std::string_view text) {
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    if (BeginsCall(text.substr(at + 1))) return true;
  }
  return false;
}

// Returns whether the rest of a line, from the mark of a comment to its end, belongs to the node around the mark: to
// its sign, its call or its brackets. As a comment, it would be lost. A whole node after the mark is not meant as one.
bool IsOfNode(const Situation& s, std::string_view rest) {
  const std::size_t first = rest.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return false;
  if (rest[first] == '=' && HasCall(rest)) return true;
  if (s.previous != nullptr && s.previous->type == Grammar::EQUALS && BeginsCall(rest)) return true;
  if (s.rule() == Grammar::RuleBody || s.rule() == Grammar::RuleItemsFile) return false;
  std::size_t depth = 0;
  for (const char c : rest) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return true;
  }
  return false;
}

// A line comment of another language: `// ...`, `-- ...`.
std::optional<Guess> LineComment(const Situation& s) {
  const std::string_view line = s.Line();
  if (!line.starts_with("//") && !line.starts_with("-- ")) return std::nullopt;
  if (IsSignOfExpression(s)) return std::nullopt;
  const SourceRange mark{s.found->begin, s.found->begin + 2};
  Guess guess = Foreign(mark, fmt::format("a comment must begin with '#', not '{}'", line.substr(0, 2)),
                        {Replace(mark, "#")}, Resume::kBehind);
  if (IsOfNode(s, line.substr(2))) guess.diagnostic.fix_its.clear();
  guess.at = s.LineEnd(mark.begin);
  return guess;
}

// A comment `/* ... */` of one or more lines.
std::optional<Guess> BlockComment(const Situation& s) {
  if (!s.Line().starts_with("/*")) return std::nullopt;
  const std::size_t begin = s.found->begin;
  const std::size_t close = s.text.find("*/", begin + 2);
  const SourceRange mark{begin, begin + 2};
  const std::string_view message = "block comments are not allowed; begin each line of a comment with '#'";
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
  if (fix_its.size() > kMostLines || IsOfNode(s, s.Slice(begin + 2, close))) fix_its.clear();
  Guess guess = Foreign(mark, message, std::move(fix_its), Resume::kBehind);
  guess.at = close + 2;
  return guess;
}

// ---- signs of a diff

// A line of a diff: `-  b = Tanh (a)`, `+  b = Relu (a)`. Only the author knows whether a removed line is wanted.
std::optional<Guess> DiffLine(const Situation& s) {
  const std::size_t begin = s.found->begin;
  const std::string_view line = s.Line();
  const bool is_removed = line.starts_with('-');
  const bool is_added = line.starts_with('+');
  const bool begins_line = begin == 0 || s.text[begin - 1] == '\n';
  const bool has_code =
      line.size() > 1 &&
      (line[1] == ' ' || line[1] == '\t' || line[1] == '_' || std::isalpha(static_cast<unsigned char>(line[1])) != 0) &&
      line.find('=') != std::string_view::npos;
  if (!begins_line || !has_code || (!is_removed && !is_added)) return std::nullopt;
  const SourceRange sign{begin, begin + 1};
  if (is_added) {
    Guess guess =
        Foreign(sign, "this line has the '+' of a diff; remove the sign", {Replace(sign, "")}, Resume::kBehind);
    guess.at = sign.end;
    return guess;
  }
  Guess guess =
      Foreign(sign, "this line has the '-' of a diff; remove the line, or only the sign", {}, Resume::kBehind);
  guess.at = s.LineEnd(begin);
  return guess;
}

// ---- characters that look like others

struct LookAlike {
  char32_t code;
  std::string_view name;
  std::string_view plain;  // what is meant; empty or a blank if the character is to be skipped
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

// A control character, which editors do not show.
Guess ControlCharacter(const Situation& s, char32_t code) {
  const SourceRange range{s.found->begin, s.found->begin + 1};
  const std::string name = fmt::format("a control character (U+{:04X})", static_cast<unsigned>(code));
  Diagnostic diagnostic = MakeDiagnostic(diag::kLookAlike, range, "", "", "");
  diagnostic.message = fmt::format("{} is not a space here; remove it", name);
  Guess guess = MakeGuess(std::move(diagnostic), {Replace(range, "")}, Resume::kBehind);
  guess.at = range.end;
  guess.same_as = name;
  return guess;
}

std::optional<Guess> LooksLikeAnother(const Situation& s) {
  if (s.found->text.empty()) return std::nullopt;  // at the end of the text
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
        fmt::format("{} is not a space here; {}", row->name, row->plain.empty() ? "remove it" : "use a space");
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

// `->` in place of `=>`.
std::optional<Guess> ThinArrow(const Situation& s) {
  const bool is_of_graph = s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleGraphRest;
  if (s.previous == nullptr || !is_of_graph) return std::nullopt;
  const std::string_view line = s.Line();
  for (const std::string_view arrow : {"-->", "->", "~>"}) {
    if (!line.starts_with(arrow)) continue;
    const SourceRange range{s.found->begin, s.found->begin + arrow.size()};
    Guess guess = Foreign(range, fmt::format("expected '=>' before the outputs, found '{}'", arrow),
                          {Replace(range, "=>")}, Resume::kToken);
    guess.at = range.end;
    guess.token = Grammar::ARROW;
    return guess;
  }
  return std::nullopt;
}

// ---- strings in other quotes

// Returns whether the current token may belong to a literal, and not to the name of a value.
bool IsPlaceOfLiteral(const Situation& s) {
  const std::size_t rule = s.rule();
  if (rule == Grammar::RuleAttrs || rule == Grammar::RuleFormals || rule == Grammar::RuleHeader) return true;
  const auto is_in = [&](auto... rules) { return ((s.Around(rules) != nullptr) || ...); };
  return is_in(Grammar::RuleData, Grammar::RuleDense, Grammar::RuleAttr, Grammar::RuleFormal, Grammar::RuleEntry,
               Grammar::RuleRecordField);
}

// A string with a prefix of another language: `mode = r"linear"`, `{u'a', u'b'}`. All such strings of the list are
// corrected. There is no correction for a name with a prefix: `Add (r"x")` may also mean two inputs.
std::optional<Guess> StringPrefix(const Situation& s) {
  const bool is_adjacent = s.previous != nullptr && s.previous->type == Grammar::STRING && s.found->type == Grammar::ID;
  if (is_adjacent && IsPlaceOfLiteral(s) && OtherStringAt(s.text, s.found->begin))
    return Foreign(s.found->range(), fmt::format("a string cannot have the prefix '{}'", s.found->text), {});
  if (!s.IsJoined() || s.previous->type != Grammar::ID) return std::nullopt;
  const std::optional<OtherString> string = OtherStringAt(s.text, s.previous->begin);
  if (!string || string->prefix != s.previous->text) return std::nullopt;
  std::vector<FixIt> fix_its;
  const bool is_rewritten = string->is_plain && IsPlaceOfLiteral(s);
  if (const std::vector<Unit> units = s.Units(); is_rewritten && !units.empty()) {
    fix_its = RewriteStringsFrom(s.text, units.front().begin, units.front().rule != Grammar::RuleNode);
  }
  if (fix_its.empty() && is_rewritten) RewriteString(*string, &fix_its);
  if (string->prefix == "b") return MakeGuess(MakeDiagnostic(diag::kSingleQuotes, string->range), std::move(fix_its));
  return Foreign(s.previous->range(), fmt::format("a string cannot have the prefix '{}'", string->prefix),
                 std::move(fix_its));
}

std::optional<Guess> OtherQuotes(const Situation& s) {
  const std::string_view line = s.Line();
  if (!OpensOtherString(line)) return std::nullopt;
  const std::optional<OtherString> string = OtherStringAt(s.text, s.found->begin);
  const std::size_t begin = s.found->begin;
  if (!string) {
    const std::size_t size = DecodeCharacter(s.text, begin).length;
    return MakeGuess(MakeDiagnostic(diag::kSingleQuotes, {begin, begin + size}), {}, Resume::kUnit);
  }
  // `w = ['a', 'b']`: the brackets are wrong, too.
  const Context* const data = s.Around(Grammar::RuleData);
  const std::size_t behind = s.text.find_first_not_of(" \t\r\n", string->range.end);
  const bool is_key = behind != std::string_view::npos && s.text[behind] == ':';
  if (data != nullptr && First(data).type == Grammar::LBRACKET && s.previous == &First(data) && !is_key)
    return std::nullopt;
  std::vector<FixIt> fix_its;
  if (string->is_plain) RewriteString(*string, &fix_its);
  Guess guess = MakeGuess(MakeDiagnostic(diag::kSingleQuotes, string->range), std::move(fix_its),
                          string->is_plain ? Resume::kToken : Resume::kUnit);
  guess.at = string->range.end;
  guess.token = Grammar::STRING;
  if (string->is_plain) guess.same_as = "strings in other quotes";
  if (string->is_plain && s.Around(Grammar::RuleEntry) != nullptr) guess.resume = Resume::kUnit;
  return guess;
}

// Three backquotes around the text, as in Markdown.
std::optional<Guess> MarkdownFence(const Situation& s) {
  const std::string_view line = s.Line();
  if (!line.starts_with("```") || !s.BeginsLine()) return std::nullopt;
  const std::size_t begin = s.found->begin;
  const std::size_t end = s.LineEnd(begin);
  Guess guess = Foreign({begin, begin + 3}, "'```' is Markdown; the file must contain only the text",
                        {Replace({begin, std::min(end + 1, s.text.size())}, "")}, Resume::kBehind);
  if (HasCall(line)) guess.diagnostic.fix_its.clear();
  guess.at = end;
  guess.same_as = "```";
  return guess;
}

// `;` between the members of a list, after a node, or between the parts of a graph.
std::optional<Guess> Semicolon(const Situation& s) {
  if (s.found->text != ";") return std::nullopt;
  const SourceRange range = s.found->range();
  // These rules are no lists: their parts, some of which are lists, follow one another.
  constexpr std::size_t kParts[] = {Grammar::RuleBody,      Grammar::RuleItemsFile, Grammar::RuleNode,
                                    Grammar::RuleItem,      Grammar::RuleNamed,     Grammar::RuleItemName,
                                    Grammar::RuleNative,    Grammar::RuleGraphRest, Grammar::RuleTensor,
                                    Grammar::RuleTensorRest};
  const bool is_in_list =
      std::ranges::find(kParts, s.rule()) == std::end(kParts) && s.Around(Grammar::RuleOutputs) == nullptr;
  const std::string_view rest = s.Slice(range.end, s.LineEnd(range.end));
  const Context* node = s.Around(Grammar::RuleNode);
  if (node != nullptr && s.previous != nullptr && s.previous->type == Grammar::COMMA) {  // `Clip (x, ; m)`
    return Foreign(range, "expected ',' between the inputs of a node, found ';'", {});
  }
  const bool is_behind_member =
      s.previous != nullptr && !IsTypeToken(s.previous->type) &&
      (s.previous->text.empty() || std::string_view("([{<,:=").find(s.previous->text.back()) == std::string_view::npos);
  if (is_in_list && is_behind_member && !IsClosing(s.After(s.found)->type)) {
    // The lists of a header consist of pairs: `["" ; 17]`.
    const SyntaxToken* const before = s.Around(Grammar::RuleHeader) == nullptr ? nullptr : s.Before(s.previous);
    const bool is_pair = before != nullptr && (before->type == Grammar::LBRACKET || before->type == Grammar::COMMA);
    const bool is_typed =
        s.Around(Grammar::RuleFormals) != nullptr && IsTypeToken(s.After(s.found)->type);  // `k; float = 1`
    const bool is_key = is_pair || is_typed;
    Guess guess = Foreign(
        range,
        is_key ? "expected ':' between a key and its value, found ';'" : "expected ',' between list members, found ';'",
        {Replace(range, is_key ? ":" : ",")}, Resume::kToken);
    guess.at = range.end;
    guess.token = is_key ? Grammar::COLON : Grammar::COMMA;
    return guess;
  }
  // `; bias`: the rest of the line has words, but is not a node.
  const bool are_words = rest.starts_with(" ") && rest.find_first_of("=()<>{}[]#") == std::string_view::npos &&
                         rest.find_first_not_of(" \t\r") != std::string_view::npos;
  const bool is_comment = rest.starts_with(";") || are_words || (s.BeginsLine() && rest.starts_with(" "));
  // What follows may be a node, a part of one, or a comment with a node that is not meant any more.
  const std::string_view words = rest.substr(std::min(rest.find_first_not_of(';'), rest.size()));
  if (is_comment && (HasCall(words) || IsOfNode(s, words))) {
    Guess guess = MakeGuess(MakeDiagnostic(diag::kSemicolon, range), {}, Resume::kBehind);
    guess.at = range.end;
    return guess;
  }
  Guess guess = is_comment
                    ? Foreign(range, "a comment must begin with '#', not ';'", {Replace(range, "#")}, Resume::kBehind)
                    : MakeGuess(MakeDiagnostic(diag::kSemicolon, range), {Replace(range, "")}, Resume::kBehind);
  guess.at = is_comment ? s.LineEnd(range.end) : range.end;
  return guess;
}

// ---- words with letters that are not those of ASCII

constexpr std::size_t kLongestWord = 256;  // in bytes

bool IsPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

/// Returns the range of the word that contains the offset, at most kLongestWord bytes in each direction.
SourceRange WordAround(std::string_view text, std::size_t at) {
  SourceRange range{at, at};
  while (range.begin > 0 && at - range.begin < kLongestWord && IsPart(text[range.begin - 1])) --range.begin;
  while (range.end < text.size() && range.end - at < kLongestWord && IsPart(text[range.end])) ++range.end;
  return range;
}

struct Letters {
  std::string plain;       // the word in ASCII letters that look the same; empty if a letter has none
  Character odd;           // the first letter that is not in ASCII
  std::string_view shown;  // the bytes of `odd`
  bool has_ascii = false;
  std::size_t count = 0;
  bool are_letters = true;
};

/// Returns whether the character is a sign or a blank, which cannot be part of a name. Above these ranges, Unicode has
/// mostly letters.
bool IsSign(char32_t code) {
  return code < 0xC0 || code == 0xD7 || code == 0xF7 ||
         (code >= 0x2000 && code < 0x2E80 && LatinLookAlike(code) == 0) || (code >= 0x3000 && code < 0x3040) ||
         (code >= 0xFE00 && LatinLookAlike(code) == 0 && code < 0x10000) || code >= 0x1F000 || IsDeceptive(code);
}

Letters LettersOf(std::string_view word) {
  Letters letters;
  bool is_plain = true;
  for (std::size_t at = 0; at < word.size();) {
    const Character character = DecodeCharacter(word, at);
    const bool is_ascii = character.valid && character.code < 0x80;
    const char latin = is_ascii ? word[at] : LatinLookAlike(character.code);
    if (!is_ascii && letters.odd.code == 0) {
      letters.odd = character;
      letters.shown = word.substr(at, character.length);
    }
    letters.has_ascii = letters.has_ascii || is_ascii;
    ++letters.count;
    letters.are_letters = letters.are_letters && character.valid && (is_ascii || !IsSign(character.code));
    is_plain = is_plain && character.valid && latin != '\0';
    letters.plain += latin;
    at += character.length;
  }
  // A word that is completely in another script is not a misspelling, even if its letters look like ASCII letters.
  const bool is_word = !letters.has_ascii && letters.count > 1 && ScriptOf(letters.odd.code).ends_with(" letter");
  if (!is_plain || is_word) letters.plain.clear();
  return letters;
}

/// Returns the word in ASCII letters, or else in quotes; nothing if it cannot be a name.
std::optional<std::string> Written(std::string_view word, const Letters& letters) {
  if (!letters.are_letters || letters.odd.code == 0 || word.size() >= kLongestWord) return std::nullopt;
  return letters.plain.empty() ? fmt::format("\"{}\"", word) : letters.plain;
}

/// Returns corrections of the later words on the line. All words of a node's line are corrected, because a trial reads
/// the whole node. In the inputs, outputs and initializers of a graph, only the words of one value are corrected,
/// because a trial reads only this value.
std::vector<FixIt> WordsBehind(const Situation& s, std::size_t at) {
  constexpr std::size_t kFarthest = 2000;
  std::vector<FixIt> fix_its;
  const std::size_t end = std::min(s.LineEnd(at, kFarthest), s.EndOfValue());
  while (at < end && s.text[at] != '#') {
    if (s.text[at] == '"') {
      for (++at; at < end && s.text[at] != '"'; ++at) at += s.text[at] == '\\' ? 1 : 0;
      ++at;
    } else if ((s.text[at] & 0x80) == 0) {
      ++at;
    } else {
      const SourceRange range = WordAround(s.text, at);
      const std::string_view word = s.Slice(range.begin, range.end);
      if (const auto written = Written(word, LettersOf(word))) fix_its.push_back(Replace(range, *written));
      at = range.end;
    }
  }
  return fix_its;
}

// A word with letters of other scripts. In `R\u0435lu` the second letter is Cyrillic and is replaced; `\u8F93\u5165` is
// a name in another script and is quoted.
std::optional<Guess> LettersOfOtherScripts(const Situation& s) {
  if (s.found->text.empty() || (s.text[s.found->begin] & 0x80) == 0) return std::nullopt;
  const SourceRange range = WordAround(s.text, s.found->begin);
  const std::string_view word = s.Slice(range.begin, range.end);
  const Letters letters = LettersOf(word);
  const std::optional<std::string> written = Written(word, letters);
  if (!written) return std::nullopt;
  const bool looks_plain = !letters.plain.empty();
  const bool is_value =
      s.Around(Grammar::RuleAttr) != nullptr && s.previous != nullptr && s.previous->type == Grammar::EQUALS;
  Diagnostic diagnostic =
      looks_plain ? MakeDiagnostic(diag::kLookAlike, range, word, letters.plain, "")
      : is_value  ? MakeDiagnostic(diag::kWrongLiteral, range, "a string in double quotes", fmt::format("'{}'", word))
                  : MakeDiagnostic(diag::kUnquotedName, range, word);
  if (looks_plain) {
    diagnostic.message = fmt::format("'{}' is {} (U+{:04X})", letters.shown, ScriptOf(letters.odd.code),
                                     static_cast<unsigned>(letters.odd.code));
    diagnostic.message = word == letters.shown
                             ? fmt::format("{}, not '{}'", diagnostic.message, letters.plain)
                             : fmt::format("'{}' is not '{}': {}", word, letters.plain, diagnostic.message);
  }
  const bool is_name_of_graph = (s.rule() == Grammar::RuleNamed || s.rule() == Grammar::RuleItemName) &&
                                s.previous != nullptr && s.previous->begin == range.begin;
  std::vector<FixIt> fix_its = WordsBehind(s, range.end);
  fix_its.insert(fix_its.begin(), Replace(range, *written));
  Guess guess = MakeGuess(std::move(diagnostic), std::move(fix_its));
  const bool is_alone = guess.diagnostic.fix_its.size() == 1;
  if (is_alone && range.begin == s.found->begin) guess.resume = Resume::kToken;
  if (is_name_of_graph) {  // parsing continues after the name; the rest of the line is corrected separately
    guess.diagnostic.fix_its.resize(1);
    guess.resume = Resume::kBehind;
  }
  guess.at = range.end;
  guess.token = TypeOf(*written);
  guess.same_as = "letters of other scripts";
  return guess;
}

// A multiplication sign between dimensions: `float[3\u00D74]`.
std::optional<Guess> TimesSign(const Situation& s) {
  constexpr std::string_view kTimes = "\u00D7";
  if (!s.Line().starts_with(kTimes) || (s.rule() != Grammar::RuleDims && s.Around(Grammar::RuleDims) == nullptr)) {
    return std::nullopt;
  }
  const std::size_t begin = s.text.find_last_not_of(" \t", s.found->begin - 1) + 1;
  const std::size_t end = s.text.find_first_not_of(" \t", s.found->begin + kTimes.size());
  if (end == std::string_view::npos) return std::nullopt;
  Guess guess =
      Foreign({s.found->begin, s.found->begin + kTimes.size()}, "expected ',' between dimensions, found '\u00D7'",
              {Replace({begin, end}, ", ")}, Resume::kToken);
  guess.at = end;
  guess.token = Grammar::COMMA;
  return guess;
}

}  // namespace

std::vector<Guesser> CharacterGuesses() {
  return {MarkdownFence,         DiffLine,  LineComment,  BlockComment, LooksLikeAnother, TimesSign,
          LettersOfOtherScripts, ThinArrow, StringPrefix, OtherQuotes,  Semicolon};
}

}  // namespace onnxc::syntax
