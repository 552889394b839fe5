// A valid text gets comments, quotes and signs of other languages at random places: `check --fix` restores the model,
// or reports an error without a correction. It never makes a different model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/automaton.h"
#include "syntax/mended.h"
#include "syntax/scanner.h"

namespace onnxc::testing {
namespace {

using Random = std::mt19937;

struct Word {
  std::size_t type;
  std::size_t begin;
  std::string text;
};

std::vector<Word> WordsOf(const std::string& text) {
  std::vector<Word> words;
  syntax::Scanner scanner(text);
  for (syntax::SyntaxToken token;;) {
    scanner.Next(token);
    if (token.type == antlr4::Token::EOF) return words;
    words.push_back({token.type, token.begin, std::string(token.text)});
  }
}

/// Replaces one of the words by what `write` makes of it. Words for which it returns nothing stay.
using Write = std::function<std::optional<std::string>(const Word& word)>;
std::optional<std::string> Rewritten(const std::string& text, Random& random, const Write& write) {
  std::vector<Word> words = WordsOf(text);
  std::ranges::shuffle(words, random);
  for (const Word& word : words) {
    if (const auto written = write(word)) return std::string(text).replace(word.begin, word.text.size(), *written);
  }
  return std::nullopt;
}

template <typename Choices>
auto Chosen(const Choices& choices, Random& random) {
  return choices[random() % std::size(choices)];
}

/// Adds a comment: at the end of a line without one, or as lines behind it.
std::string Commented(const std::string& text, Random& random, std::string_view comment) {
  std::vector<std::size_t> ends;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (text.substr(begin, end - begin).find('#') == std::string::npos) ends.push_back(end);
  }
  const std::size_t end = ends.empty() ? text.size() : Chosen(ends, random);
  const std::string_view before = random() % 2 == 0 ? " " : "\n  ";
  return std::string(text).insert(end, fmt::format("{}{}", before, comment));
}

std::optional<std::string> Quoted(const Word& word, std::string_view open, std::string_view close) {
  const bool is_plain = word.text.find_first_of("\\'", 0) == std::string::npos;
  if (word.type != OnnxTextParser::STRING || !is_plain) return std::nullopt;
  return fmt::format("{}{}{}", open, word.text.substr(1, word.text.size() - 2), close);
}

struct Habit {
  const char* name;
  int mended;  ///< percent of the texts, at least
  std::optional<std::string> (*write)(const std::string& text, Random& random);
};

const Habit kHabits[] = {
    {"LineComments", 100,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       constexpr std::string_view kComments[] = {"// as before", "// y = x", "-- as before", "//"};
       return Commented(text, random, Chosen(kComments, random));
     }},
    {"BlockComments", 100,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       constexpr std::string_view kComments[] = {"/* as before */", "/* as\n   before */", "/*\n * as\n * before\n */"};
       const std::string_view comment = Chosen(kComments, random);
       if (random() % 2 == 0) return Commented(text, random, comment);
       return Rewritten(text, random, [&](const Word& word) { return fmt::format("{} {}", comment, word.text); });
     }},
    {"Fences", 100,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       constexpr std::string_view kLanguages[] = {"", "onnx", "onnxtxt"};
       return fmt::format("```{}\n{}\n```\n", Chosen(kLanguages, random), text);
     }},
    {"OtherQuotes", 100,
     [](const std::string& text, Random& random) {
       return Rewritten(text, random, [&](const Word& word) {
         return random() % 2 == 0 ? Quoted(word, "'", "'") : Quoted(word, "\u201C", "\u201D");
       });
     }},
    {"QuotesOfAllStrings", 100,
     [](const std::string& text, Random&) -> std::optional<std::string> {
       std::string written = text;
       std::vector<Word> words = WordsOf(text);
       std::ranges::reverse(words);
       for (const Word& word : words) {
         if (const auto quoted = Quoted(word, "'", "'")) written.replace(word.begin, word.text.size(), *quoted);
       }
       return written == text ? std::nullopt : std::optional(written);
     }},
    {"Prefixes", 90,
     [](const std::string& text, Random& random) {
       return Rewritten(text, random, [&](const Word& word) {
         constexpr std::string_view kOpen[] = {"r\"", "u'", "r'", "u\""};
         const std::string_view open = Chosen(kOpen, random);
         return Quoted(word, open, open.substr(1));
       });
     }},
    {"FullWidthSigns", 100,
     [](const std::string& text, Random& random) {
       static const std::map<std::string, std::string> kWide = {
           {"(", "\uFF08"}, {")", "\uFF09"}, {",", "\uFF0C"}, {":", "\uFF1A"}, {"=", "\uFF1D"}, {"[", "\uFF3B"},
           {"]", "\uFF3D"}, {"{", "\uFF5B"}, {"}", "\uFF5D"}, {"<", "\uFF1C"}, {">", "\uFF1E"}};
       return Rewritten(text, random, [&](const Word& word) -> std::optional<std::string> {
         const auto wide = kWide.find(word.text);
         return wide == kWide.end() ? std::nullopt : std::optional(wide->second);
       });
     }},
    {"OtherSpaces", 100,
     [](const std::string& text, Random& random) {
       constexpr std::string_view kSpaces[] = {"\u00A0", "\u2003", "\u200B", "\uFEFF", "\u3000"};
       const std::string_view space = Chosen(kSpaces, random);
       return Rewritten(text, random,
                        [&](const Word& word) { return std::optional(fmt::format("{}{}", space, word.text)); });
     }},
    {"LettersOfOtherAlphabets", 100,
     [](const std::string& text, Random& random) {
       static const std::map<char, std::string_view> kAlike = {{'a', "\u0430"}, {'c', "\u0441"}, {'e', "\u0435"},
                                                               {'o', "\u043E"}, {'p', "\u0440"}, {'x', "\u0445"},
                                                               {'y', "\u0443"}};
       return Rewritten(text, random, [&](const Word& word) -> std::optional<std::string> {
         if (word.type != OnnxTextParser::ID) return std::nullopt;
         const std::size_t at = random() % word.text.size();
         const auto alike = kAlike.find(word.text[at]);
         if (alike == kAlike.end()) return std::nullopt;
         return std::string(word.text).replace(at, 1, alike->second);
       });
     }},
    {"OtherAssignments", 90,
     [](const std::string& text, Random& random) {
       constexpr std::string_view kSigns[] = {":=", "==", "<-", "=>", ":"};
       const std::string_view sign = Chosen(kSigns, random);
       return Rewritten(text, random, [&](const Word& word) {
         return word.type == OnnxTextParser::EQUALS ? std::optional<std::string>(sign) : std::nullopt;
       });
     }},
    {"OtherArrows", 100,
     [](const std::string& text, Random& random) {
       constexpr std::string_view kArrows[] = {"->", "-->", "~>", "=", "==>", ":", "\u2192", "\u21D2"};
       const std::string_view arrow = Chosen(kArrows, random);
       return Rewritten(text, random, [&](const Word& word) {
         return word.type == OnnxTextParser::ARROW ? std::optional<std::string>(arrow) : std::nullopt;
       });
     }},
    {"TripleQuotes", 0,
     [](const std::string& text, Random& random) {
       return Rewritten(text, random, [&](const Word& word) { return Quoted(word, "\"\"\"", "\"\"\""); });
     }},
    {"AddedLinesOfADiff", 100,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       std::vector<std::size_t> begins;
       for (std::size_t at = text.find("\n "); at != std::string::npos; at = text.find("\n ", at + 1)) {
         const std::string_view line = std::string_view(text).substr(at + 1, text.find('\n', at + 1) - at - 1);
         if (line.find(" = ") != line.npos) begins.push_back(at + 1);
       }
       if (begins.empty()) return std::nullopt;
       return std::string(text).insert(Chosen(begins, random), "+");
     }},
    {"SwappedWords", 50,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       const std::vector<Word> words = WordsOf(text);
       const std::size_t at = random() % (words.size() - 1);
       const Word& first = words[at];
       const Word& second = words[at + 1];
       const std::size_t end = first.begin + first.text.size();
       const std::string gap = end == second.begin ? " " : text.substr(end, second.begin - end);
       return std::string(text).replace(first.begin, second.begin + second.text.size() - first.begin,
                                        fmt::format(" {}{}{} ", second.text, gap, first.text));
     }},
    {"Semicolons", 100,
     [](const std::string& text, Random& random) -> std::optional<std::string> {
       std::vector<std::size_t> ends;
       for (std::size_t at = text.find(")\n"); at != std::string::npos; at = text.find(")\n", at + 1))
         ends.push_back(at);
       if (ends.empty()) return std::nullopt;
       return std::string(text).insert(Chosen(ends, random) + 1, ";");
     }},
};

class Habits : public ::testing::TestWithParam<Habit> {};

TEST_P(Habits, AreMended) {
  Random random(20262);
  int wrong_texts = 0;
  int mended = 0;
  std::string left;
  for (const std::string& text : RightTexts()) {
    const std::string right = BytesOf(text);
    for (int i = 0; i < 6; ++i) {
      const auto wrong = GetParam().write(text, random);
      if (!wrong || !BytesOf(*wrong).empty()) continue;  // this text is valid, too
      ++wrong_texts;
      EXPECT_GE(Errors(*wrong), 1U) << *wrong;
      const std::string fixed = Fixed(*wrong);
      const std::string bytes = BytesOf(fixed);
      EXPECT_TRUE(bytes.empty() || bytes == right) << "another model:\n" << *wrong << "\nis mended as\n" << fixed;
      if (bytes == right) {
        ++mended;
      } else {
        left = *wrong;
      }
    }
  }
  EXPECT_GE(wrong_texts, 20);
  EXPECT_GE(100 * mended, GetParam().mended * wrong_texts) << mended << " of " << wrong_texts << "; not this text:\n"
                                                           << left;
}

INSTANTIATE_TEST_SUITE_P(Each, Habits, ::testing::ValuesIn(kHabits),
                         [](const auto& habit) { return std::string(habit.param.name); });

}  // namespace
}  // namespace onnxc::testing
