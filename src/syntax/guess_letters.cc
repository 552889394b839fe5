// Words with letters that are not those of ASCII.
#include "syntax/guess_letters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/unicode.h"

namespace onnxc::syntax {
namespace {

constexpr std::size_t kLongestWord = 256;  // bytes of a word

bool IsPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

/// The word around the place, as far as it is looked at.
SourceRange WordAround(std::string_view text, std::size_t at) {
  SourceRange range{at, at};
  while (range.begin > 0 && at - range.begin < kLongestWord && IsPart(text[range.begin - 1])) --range.begin;
  while (range.end < text.size() && range.end - at < kLongestWord && IsPart(text[range.end])) ++range.end;
  return range;
}

struct Letters {
  std::string plain;       // the word with the letters that it seems to have; empty where some letter has no look-alike
  Character odd;           // the first letter that is not of ASCII
  std::string_view shown;  // its bytes
  bool has_ascii = false;
  std::size_t count = 0;
  bool are_letters = true;
};

/// Signs and blanks, which are no part of a name. Above them Unicode has letters, and marks and signs of their own
/// blocks.
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
  // A whole word of one script only happens to have letters that look like others.
  const bool is_word = !letters.has_ascii && letters.count > 1 && ScriptOf(letters.odd.code).ends_with(" letter");
  if (!is_plain || is_word) letters.plain.clear();
  return letters;
}

/// The word without its odd letters, or in quotes; nothing where it is none.
std::optional<std::string> Written(std::string_view word, const Letters& letters) {
  if (!letters.are_letters || letters.odd.code == 0 || word.size() >= kLongestWord) return std::nullopt;
  return letters.plain.empty() ? fmt::format("\"{}\"", word) : letters.plain;
}

/// Corrects the words behind the first one on its line: a trial needs the corrections of all.
std::vector<FixIt> WordsBehind(const Situation& s, std::size_t at) {
  constexpr std::size_t kFarthest = 2000;
  std::vector<FixIt> fix_its;
  const std::size_t end = std::min(s.LineEnd(at), at + kFarthest);
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

}  // namespace

// `R\u0435lu`, whose second letter is Cyrillic; `\u8F93\u5165`, a name in another script, which is quoted.
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
  if (is_name_of_graph) {  // what is behind it is read, and has corrections of its own
    guess.diagnostic.fix_its.resize(1);
    guess.resume = Resume::kBehind;
  }
  guess.at = range.end;
  guess.token = TypeOf(*written);
  guess.same_as = "letters of other scripts";
  return guess;
}

// `float[3\u00D74]`
std::optional<Guess> TimesSign(const Situation& s) {
  constexpr std::string_view kTimes = "\u00D7";
  if (!s.Line().starts_with(kTimes) || (s.rule() != Grammar::RuleDims && s.Around(Grammar::RuleDims) == nullptr)) {
    return std::nullopt;
  }
  const std::size_t begin = s.text.find_last_not_of(" \t", s.found->begin - 1) + 1;
  const std::size_t end = s.text.find_first_not_of(" \t", s.found->begin + kTimes.size());
  if (end == std::string_view::npos) return std::nullopt;
  Guess guess =
      Foreign({s.found->begin, s.found->begin + kTimes.size()}, "dimensions have ',' between them, not '\u00D7'",
              {Replace({begin, end}, ", ")}, Resume::kToken);
  guess.at = end;
  guess.token = Grammar::COMMA;
  return guess;
}

}  // namespace onnxc::syntax
