// Mistakes are planted in every place of valid texts. What `onnxc check` tells about each of them, and whether `check
// --fix` restores the model, is recorded in testdata/planted/CLASS.txt. A line there begins with what was planted:
//
//   3:5 "(" -> "[": 3:5-6 expected '(' before ..., found '[' {3:5-6 "("}; mended
//
// Then follow, for each finding, its range, its message, its edits in braces, and its notes in brackets. At last, the
// result of --fix: `mended` (the model is the original one), `left` (nothing is changed), `partly` (something is
// changed, and an error is left), `valid` (the planted text has no error), or `other` (another model, which is wrong
// unless the plant has changed or added a word). ONNXC_BLESS=1 rewrites these files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/corrections.h"
#include "syntax/automaton.h"
#include "syntax/mended.h"
#include "syntax/recorded.h"
#include "syntax/scanner.h"
#include "testing/golden.h"

namespace onnxc::testing::planted_test {
namespace {

using T = OnnxTextParser;
using Plant = std::vector<FixIt>;  // one mistake, or several

constexpr std::string_view kModel =
    R"(<ir_version: 10, opset_import: ["": 21, "mine": 1, "ops.b": 1], metadata_props: ["k": "v"]>
net (
  float[N, 3] x, bool c, seq(float[]) list, optional(int64[?]) maybe
) => (float[N, 3] y, float[N, 3] z) <
  float[3] w = {1, 2.5, -1e-3},
  float[N, 3] scaled
> {
  [first] scaled = Mul (x, w)
  max = Constant <value = float {6}> ()
  "/t:0" = Clip (scaled, , max)
  y = If (c) <
    then_branch = yes () => (float[N, 3] a) { a = Relu ("/t:0") },
    else_branch = no () => (float[N, 3] b) { b = Softmax <axis = -1> (scaled) }
  >
  @doc_string "why"
  z, more = mine.scale <factor = 0.25> (y, c)
  all = ops.b.Show <
    t = int64[2] {1, 2}, f = [1.0, inf], s = ["a", b"b"], none: ints = []
  > (z, list, maybe, more)
}

<domain: "mine", opset_import: ["": 21]>
scale <factor: float = 0.5> (v, q) => (r, p) {
  k = Constant <value_float: float = @factor> ()
  r = Mul (v, k)
  p = Not (q)
}
)";

struct Token {
  std::size_t type;
  SourceRange range;
  std::string text;
  [[nodiscard]] bool is_mark() const { return type >= T::LPAREN && type <= T::ARROW; }
};

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  syntax::Scanner scanner(text);
  for (syntax::SyntaxToken token;;) {
    scanner.Next(token);
    if (token.type == antlr4::Token::EOF) return tokens;
    tokens.push_back({token.type, token.range(), std::string(token.text)});
  }
}

// ---- what is planted

void PlantEachBracket(const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (const Token& token : tokens) {
    for (const std::string_view brackets : {"([{<", ")]}>"}) {
      if (token.text.size() != 1 || brackets.find(token.text) == brackets.npos) continue;
      for (const char other : brackets) plants->push_back({{token.range, std::string(1, other)}});
      plants->push_back({{token.range, ""}});
      plants->push_back({{token.range, token.text + token.text}});
    }
  }
}

void PlantEachSign(const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (const Token& token : tokens) {
    if (!token.is_mark() || token.text.find_first_of("()[]{}<") != std::string::npos || token.text == ">") continue;
    for (const char* const sign : {"", ",", ":", "=", "=>", ".", ";", "->", "==", ":="}) {
      plants->push_back({{token.range, sign}});
    }
    plants->push_back({{token.range, token.text + token.text}});
  }
}

void PlantStrayMarks(const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (const Token& token : tokens) {
    for (const char* const stray : {",", "(", "=", "/"}) {
      plants->push_back({{{token.range.end, token.range.end}, fmt::format(" {} ", stray)}});
    }
  }
}

void PlantSwaps(std::string_view text, const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const Token& first = tokens[i - 1];
    const Token& second = tokens[i];
    const std::string gap(text.substr(first.range.end, second.range.begin - first.range.end));
    const std::string swapped = fmt::format(" {}{}{} ", second.text, gap.empty() ? " " : gap, first.text);
    plants->push_back({{{first.range.begin, second.range.end}, swapped}});
  }
}

void PlantWords(std::string_view text, const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& [type, range, word] = tokens[i];
    if (tokens[i].is_mark()) continue;
    plants->push_back({{range, ""}});
    plants->push_back({{range, word + " " + word}});
    if (word.size() > 2) plants->push_back({{range, word.substr(0, 1) + word.substr(2)}});
    if (word.size() > 2) plants->push_back({{range, word.substr(0, 2) + " " + word.substr(2)}});
    const bool is_before_mark = i + 1 < tokens.size() && tokens[i + 1].is_mark();
    if (is_before_mark && i + 2 < tokens.size()) {  // the mark is lost, too
      const SourceRange mark = tokens[i + 1].range;
      plants->push_back({{{range.end, mark.end + (text[mark.end] == ' ' ? 1 : 0)}, ""}});
    }
  }
}

// Strings and comments of other languages.
void PlantHabits(std::string_view text, const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  for (const Token& token : tokens) {
    if (token.type == T::STRING) {
      const std::string inner = token.text.substr(1, token.text.size() - 2);
      for (const char* const prefix : {"", "r", "u", "f", "b"}) {
        plants->push_back({{token.range, fmt::format("{}'{}'", prefix, inner)}});
        if (*prefix != 'b') plants->push_back({{token.range, fmt::format("{}\"{}\"", prefix, inner)}});
      }
      for (const char* const quotes : {"`%`", "%\"", "\"%", "'%\"", "\u201C%\u201D", "\"\"\"%\"\"\"", "%"}) {
        std::string written = quotes;
        plants->push_back({{token.range, written.replace(written.find('%'), 1, inner)}});
      }
    }
    for (const char* const comment : {"// c\n", "/* c */ ", "/* c\n d */\n", "-- c\n", "; c\n"}) {
      if (!token.is_mark()) plants->push_back({{{token.range.begin, token.range.begin}, comment}});
    }
  }
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    for (const char* const sign : {"+ ", "- ", "```\n", "> "}) plants->push_back({{{at, at}, sign}});
    const std::size_t end = text.find('\n', at);
    for (const char* const sign : {";", " \\", " // c", ","}) plants->push_back({{{end, end}, sign}});
  }
}

std::string ToUtf8(char32_t code) {
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  if (more == 0) return {static_cast<char>(code)};
  std::string bytes(1, static_cast<char>((0xFF << (7 - more) & 0xFF) | code >> 6 * more));
  for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
  return bytes;
}

// The first and the last character of each range that the guesses tell apart, and those beside them.
constexpr char32_t kCodes[] = {
    0x01,   0x08,   0x0B,   0x1F,   0x7F,   0x80,   0x9F,   0xA0,   0xA1,    0xAD,    0xBF,    0xC0,    0xD6,    0xD7,
    0xD8,   0xF6,   0xF7,   0xF8,   0x37F,  0x391,  0x3B1,  0x3C9,  0x400,   0x430,   0x44F,   0x4FF,   0x5D0,   0x1FFF,
    0x2000, 0x2002, 0x2003, 0x2004, 0x2007, 0x2009, 0x200B, 0x200C, 0x200D,  0x200E,  0x2010,  0x2011,  0x2012,  0x2013,
    0x2014, 0x2018, 0x201C, 0x202E, 0x202F, 0x2039, 0x203A, 0x2060, 0x2066,  0x2190,  0x2192,  0x21D2,  0x2212,  0x27E8,
    0x27E9, 0x27F6, 0x27F9, 0x2E7F, 0x2E80, 0x2FFF, 0x3000, 0x3001, 0x3002,  0x303F,  0x3040,  0xD7FF,  0xE000,  0xFDFF,
    0xFE00, 0xFEFF, 0xFF00, 0xFF08, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1C, 0xFF1D,  0xFF1E,  0xFF21,  0xFF3A,  0xFF3B,  0xFF3D,
    0xFF41, 0xFF5A, 0xFF5B, 0xFF5D, 0xFFEF, 0xFFF0, 0xFFFD, 0xFFFF, 0x10000, 0x1EFFF, 0x1F000, 0x1F600, 0x10FFFF};

void PlantCharacters(std::string_view text, std::vector<Plant>* plants) {
  const auto behind = [&](std::string_view part) { return text.find(part) + part.size(); };
  for (const char32_t code : kCodes) {
    const std::string character = ToUtf8(code);
    for (const std::size_t at :
         {behind("(x,"), behind("[first] sca"), behind("{ a = R"), behind("y = "), behind("net")}) {
      plants->push_back({{{at, at}, character}});
    }
    const std::size_t arrow = text.find("=> (float[N, 3] y");
    plants->push_back({{{arrow, arrow + 2}, character}});
    const std::size_t comma = text.find(", w)");
    plants->push_back({{{comma, comma + 1}, character}});
    const std::size_t word = text.find("k = Constant");
    plants->push_back({{{word, word + 1}, character}});
  }
}

// Two mistakes of different kinds, at most a line apart.
void PlantPairs(std::string_view text, const std::vector<Token>& tokens, std::vector<Plant>* plants) {
  std::vector<Plant> marks;
  std::vector<Plant> words;
  PlantEachBracket(tokens, &marks);
  PlantEachSign(tokens, &marks);
  PlantWords(text, tokens, &words);
  std::mt19937 random(7);
  for (int i = 0; i < 6000 && plants->size() < 500; ++i) {
    const FixIt& mark = marks[random() % marks.size()][0];
    const FixIt& word = words[random() % words.size()][0];
    const std::size_t begin = std::min(mark.range.begin, word.range.begin);
    const std::size_t end = std::max(mark.range.end, word.range.end);
    const bool do_meet = mark.range.begin <= word.range.end && word.range.begin <= mark.range.end;
    if (!do_meet && end - begin < 40) plants->push_back({mark, word});
  }
}

std::vector<Plant> PlantsOf(std::string_view kind) {
  std::vector<Plant> plants;
  const std::vector<Token> tokens = TokensOf(kModel);
  if (kind == "brackets") PlantEachBracket(tokens, &plants);
  if (kind == "signs") PlantEachSign(tokens, &plants);
  if (kind == "stray") PlantStrayMarks(tokens, &plants);
  if (kind == "swaps") PlantSwaps(kModel, tokens, &plants);
  if (kind == "words") PlantWords(kModel, tokens, &plants);
  if (kind == "habits") PlantHabits(kModel, tokens, &plants);
  if (kind == "characters") PlantCharacters(kModel, &plants);
  if (kind == "pairs") PlantPairs(kModel, tokens, &plants);
  return plants;
}

// ---- what is told

std::string Applied(std::string_view text, const Plant& plant) {
  Diagnostic mistake;
  mistake.fix_its = plant;
  return ApplyCorrections(text, {&mistake, 1}).text;
}

/// Returns the line of the record, or "" if nothing is planted.
std::string Recorded(std::string_view text, const std::string& right, const Plant& plant) {
  const std::string wrong = Applied(text, plant);
  if (wrong == text) return "";
  std::string shown = fmt::format("{}:", Shown(plant, SourceText("-", std::string(text)), " and "));
  const SourceText source("-", wrong);
  const Diagnostics found = Proven(source);
  for (const Diagnostic& finding : found.items()) shown += Shown(finding, source);
  if (found.ok()) return shown + " valid\n";
  const std::string fixed = Fixed(wrong);
  const std::string bytes = BytesOf(fixed);
  if (bytes == right) return shown + " mended\n";
  return shown + (fixed == wrong ? " left\n" : bytes.empty() ? " partly\n" : " other\n");
}

struct Class {
  const char* kind;
  bool keeps_words = false;  ///< all words are still there, so that the meaning is known
};

class Planted : public ::testing::TestWithParam<Class> {};

TEST_P(Planted, IsToldAsRecorded) {
  const std::string right = BytesOf(std::string(kModel));
  ASSERT_FALSE(right.empty()) << Proven(SourceText("-", std::string(kModel)));
  std::string record;
  for (const Plant& plant : PlantsOf(GetParam().kind)) record += Recorded(kModel, right, plant);
  if (GetParam().keeps_words) {
    EXPECT_EQ(record.find(" other\n"), std::string::npos) << "another model than the one that was meant";
  }
  ExpectGolden(std::filesystem::path(kTestdata) / "planted" / fmt::format("{}.txt", GetParam().kind), record);
}

INSTANTIATE_TEST_SUITE_P(Case, Planted,
                         ::testing::Values(Class{"brackets", true}, Class{"signs", true}, Class{"swaps", true},
                                           Class{"habits", true}, Class{"stray"}, Class{"words"}, Class{"characters"},
                                           Class{"pairs"}),
                         [](const auto& planted) { return std::string(planted.param.kind); });

}  // namespace
}  // namespace onnxc::testing::planted_test
