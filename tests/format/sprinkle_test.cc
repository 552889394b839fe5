// Tests the formatter on texts with spaces, line breaks and comments between any two tokens.
#include <gtest/gtest.h>
#include <onnxc/formatter.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "source/unicode.h"
#include "syntax/spelling.h"
#include "testing/markdown.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/random_values.h"
#include "testing/roundtrip.h"
#include "testing/sprinkled.h"

namespace onnxc::testing {

namespace {

namespace fs = std::filesystem;

struct Sample {
  std::string place;
  Kind kind;
  std::string text;
};

/// Adds the valid texts of a folder of testdata: NAME.KIND.onnxtxt, or models.
void AddFolder(const std::string& folder, std::vector<Sample>* samples) {
  for (const auto& entry : fs::directory_iterator(fs::path(kTestdata) / folder)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    const std::string kind = entry.path().stem().extension().string();
    samples->push_back({entry.path().filename(), kind.empty() ? Kind::kModel : FindKind(kind.substr(1)).value(),
                        ReadWhole(entry.path())});
  }
}

void AddDocuments(std::vector<Sample>* samples) {
  for (Block& block : AllBlocks(kDocs)) {
    if (block.words.size() < 2 || block.words[0] != "onnxtxt") continue;
    if (block.words.size() > 2 && block.words[2] == "wrong") continue;
    samples->push_back({block.place, FindKind(block.words[1]).value(), std::move(block.text)});
  }
}

void AddPrinted(std::vector<Sample>* samples) {
  constexpr std::uint64_t kMessages = 40;  // of each kind
  ForEachKind([&](const auto& row) {
    for (std::uint64_t seed = 1; seed <= kMessages; ++seed) {
      typename std::decay_t<decltype(row)>::Message message;
      FillAtRandom(&message, seed);
      samples->push_back({std::string(row.word) + " of seed " + std::to_string(seed), row.kind, Print(message).text});
    }
  });
}

std::vector<Sample> AllSamples() {
  std::vector<Sample> samples;
  for (const char* folder : {"golden", "examples", "format", "docs"}) AddFolder(folder, &samples);
  AddDocuments(&samples);
  AddPrinted(&samples);
  constexpr std::size_t kLongest = 20000;  // some random messages contain very large strings
  std::erase_if(samples, [](const Sample& sample) { return sample.text.size() > kLongest; });
  return samples;
}

std::string WithoutBlanks(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return rest;
}

/// Returns the spellings of the tokens, in any order, because formatting moves comments past commas and attributes past
/// inputs.
std::vector<std::string> Spellings(std::string_view text) {
  std::vector<std::string> spellings;
  for (const SourceRange& token : TokensAndNumbersIn(text)) {
    const std::string_view spelling = text.substr(token.begin, token.end - token.begin);
    spellings.push_back(spelling.starts_with('#') ? WithoutBlanks(spelling) : std::string(spelling));
  }
  std::sort(spellings.begin(), spellings.end());
  return spellings;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string Compiled(const std::string& text, Kind kind) {
  std::string bytes;
  WithKind(kind, [&](const auto& row) {
    using Message = typename std::decay_t<decltype(row)>::Message;
    bytes = Bytes(ParseText<Message>(text, {.tell_functions_apart = true}));
  });
  return bytes;
}

std::string FormatSprinkled(const std::string& text, Kind kind, std::size_t width = 100) {
  const FormatResult result = FormatText(text, {.kind = kind, .width = width, .tell_functions_apart = true});
  EXPECT_TRUE(testing::Ok(result.diagnostics)) << RenderText(result.diagnostics, SourceText("text", text));
  return result.text;
}

/// Formatting keeps tokens and comments, and formatting the result again changes nothing.
void ExpectKept(const std::string& text, Kind kind, const std::string& message, std::size_t width) {
  const std::string formatted = FormatSprinkled(text, kind, width);
  EXPECT_EQ(Compiled(formatted, kind), message) << formatted;
  EXPECT_EQ(CommentsIn(formatted), CommentsIn(text)) << formatted;
  EXPECT_EQ(Spellings(formatted), Spellings(text)) << formatted;
  EXPECT_EQ(FormatSprinkled(formatted, kind, width), formatted);
}

constexpr std::array<std::size_t, 3> kWidths = {100, 40, 1};

TEST(Format, KeepsTextsAndTheirComments) {
  const std::vector<Sample> samples = AllSamples();
  EXPECT_GT(samples.size(), 300u);
  RandomValues random(1);
  for (const Sample& sample : samples) {
    SCOPED_TRACE(sample.place);
    const std::string message = Compiled(sample.text, sample.kind);
    ExpectKept(sample.text, sample.kind, message, 100);
    for (const std::size_t rarity : {std::size_t{0}, std::size_t{40}, std::size_t{5}, std::size_t{1}}) {
      const std::string mark(random.OneIn(3) ? kByteOrderMark : "");
      const std::string text = mark + Sprinkled(sample.text, &random, rarity);
      EXPECT_EQ(Compiled(text, sample.kind), message) << text;
      ExpectKept(text, sample.kind, message, random.Pick(kWidths));
      if (HasFailure()) FAIL() << "-- the text:\n" << text;
    }
  }
}

/// Returns a random string as a literal in which as few bytes as possible are escaped.
std::string RandomLiteral(RandomValues* random) {
  static constexpr std::array<std::string_view, 12> kPieces = {"a",  " ",      "\t",     "\n",   "\r",     "\\",
                                                               "\"", "\u00a0", "\u2003", "\xff", "\u202e", "\x1b"};
  std::string value = random->OneIn(4) ? random->String() : "";
  for (std::size_t count = random->Below(8); count > 0; --count) value += random->Pick(kPieces);
  std::string literal(random->OneIn(3) ? "b" : "");
  syntax::AppendQuoted(value, &literal);
  return literal;
}

// Whatever a name or another string contains, formatting keeps it, and shows it: the result has no carriage returns,
// and it is the same text for an editor that trims lines.
TEST(Format, KeepsAndShowsEachString) {
  RandomValues random(3);
  int count = 0;
  for (const Sample& sample : AllSamples()) {
    std::vector<SourceRange> names = TokensAndNumbersIn(sample.text);
    std::erase_if(names, [&](const SourceRange& token) { return sample.text[token.begin] == '#'; });  // pragmas
    for (int round = 0; round < 6 && !names.empty(); ++round) {
      const SourceRange& name = random.Pick(names);
      const std::string literal = RandomLiteral(&random);
      std::string text = sample.text;
      text.replace(name.begin, name.end - name.begin, literal);
      const FormatResult formatted = FormatText(text, {.kind = sample.kind, .tell_functions_apart = true});
      if (!formatted.diagnostics.ok()) continue;  // no string can be here, or not this one
      ++count;
      SCOPED_TRACE(sample.place + ": " + Shown(literal));
      const std::string message = Compiled(text, sample.kind);
      EXPECT_EQ(Compiled(formatted.text, sample.kind), message) << formatted.text;
      EXPECT_EQ(Compiled(TrimLines(formatted.text), sample.kind), message) << formatted.text;
      EXPECT_EQ(FormatSprinkled(formatted.text, sample.kind), formatted.text);
      EXPECT_EQ(formatted.text.find('\r'), std::string::npos) << formatted.text;
      EXPECT_EQ(IsUtf8(formatted.text), IsUtf8(sample.text)) << formatted.text;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(count, 300);
}

// The result differs only in empty lines, which are kept, and in the effects of comments.
TEST(Format, DoesNotDependOnBlanks) {
  RandomValues random(2);
  for (const Sample& sample : AllSamples()) {
    if (!CommentsIn(sample.text).empty()) continue;
    const std::string text = Sprinkled(sample.text, &random, 0);
    const std::string other = Sprinkled(sample.text, &random, 0);
    EXPECT_EQ(FormatSprinkled(text, sample.kind), FormatSprinkled(other, sample.kind)) << sample.place;
  }
}

}  // namespace
}  // namespace onnxc::testing
