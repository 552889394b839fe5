// Formatting a part of a text, at any place, keeps the message, the comments, and the lines outside of the part.
#include <gtest/gtest.h>
#include <onnxc/formatter.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/right_texts.h"
#include "symbols/tokens.h"
#include "testing/proto.h"
#include "testing/random_message.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::lsp::formatting_test {
namespace {

using testing::RandomValues;

std::string Compiled(const std::string& text) {
  return testing::Bytes(testing::ParseText<onnx::ModelProto>(text, {.tell_functions_apart = true}));
}

std::string Formatted(const std::string& text) { return FormatText(text, {.tell_functions_apart = true}).text; }

/// Texts of people, and printed models.
std::vector<std::string> Texts() {
  std::vector<std::string> texts = RightTexts();
  constexpr std::uint64_t kModels = 100;
  constexpr std::size_t kLongest = 8000;  // bytes
  for (std::uint64_t seed = 1; seed <= kModels; ++seed) {
    onnx::ModelProto model;
    testing::FillAtRandom(&model, seed);
    std::string text = Print(model).text;
    if (text.size() <= kLongest) texts.push_back(std::move(text));
  }
  return texts;
}

/// Returns the text with other white space, with more comments, or with line breaks CR LF.
std::string Messy(const std::string& text, RandomValues* random) {
  constexpr std::size_t kRarities[] = {0, 40, 5, 1};
  std::string messy = random->OneIn(8) ? text : testing::Sprinkled(text, random, random->Pick(kRarities));
  for (std::size_t at = 0; random->OneIn(4) && (at = messy.find('\n', at)) != std::string::npos; ++at) {
    if (at == 0 || messy[at - 1] != '\r') messy.insert(at++, 1, '\r');
  }
  return messy;
}

/// A range that may begin and end anywhere, or with a line.
SourceRange AnyRange(const std::string& text, RandomValues* random) {
  const auto place = [&](std::size_t from) {
    std::size_t at = PlaceNear(text, from + random->Below(text.size() - from + 1));
    if (random->OneIn(2)) at = text.rfind('\n', at == 0 ? 0 : at - 1) + 1;  // npos + 1 is 0
    return at;
  };
  const std::size_t begin = place(0);
  return {begin, std::max(begin, random->OneIn(4) ? begin : place(begin))};
}

/// The lines that a range touches.
SourceRange LinesOf(const std::string& text, SourceRange range) {
  const Lines lines(text, Encoding::kUtf8);
  return {lines.BeginOf(lines.LineOf(range.begin)), lines.RangeOf(lines.LineOf(range.end)).end};
}

class PartFormatting : public ::testing::Test {
 protected:
  /// Calls `ask` for messy texts, again and again. `ask` gets the document and returns the part that may change, and
  /// the text afterwards. Expects that the new text has the same meaning, and differs only in this part.
  template <typename Ask>
  void Expect(std::uint64_t seed, const Ask& ask) {
    constexpr std::size_t kAsked = 8;  // times for each text
    RandomValues random(seed);
    const std::vector<std::string> texts = Texts();
    std::size_t changed = 0;
    const std::size_t count = CountOfPositions(2000) / kAsked;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string text = Messy(random.Pick(texts), &random);
      if (!FormatText(text, {.tell_functions_apart = true}).ok()) continue;  // CR in a string, for example
      SCOPED_TRACE(text);
      RightText document(text);
      const std::string message = Compiled(text);
      const std::string formatted = Formatted(text);
      for (std::size_t j = 0; j < kAsked; ++j) {
        const auto [part, after] = ask(document, &random);
        changed += static_cast<std::size_t>(after != text);
        ASSERT_TRUE(after.starts_with(std::string_view(text).substr(0, part.begin))) << text << "\n==>\n" << after;
        ASSERT_TRUE(after.ends_with(std::string_view(text).substr(part.end))) << text << "\n==>\n" << after;
        ASSERT_EQ(Compiled(after), message) << text << "\n==>\n" << after;
        // So the comments are the same, too, and at the same places.
        ASSERT_EQ(Formatted(after), formatted) << text << "\n==>\n" << after;
      }
    }
    EXPECT_GT(changed, count);
    RecordProperty("changed", static_cast<int>(changed));
  }
};

TEST_F(PartFormatting, OfARangeChangesNothingElse) {
  Expect(46, [](RightText& document, RandomValues* random) {
    const SourceRange range = AnyRange(document.text(), random);
    return std::pair(LinesOf(document.text(), range),
                     document.After(document.Ask("textDocument/rangeFormatting", range)));
  });
}

TEST_F(PartFormatting, AtABracketChangesNothingElse) {
  Expect(47, [](RightText& document, RandomValues* random) {
    const std::string& text = document.text();
    std::size_t at = text.find('}', random->Below(text.size() + 1));
    at = at == std::string::npos ? PlaceNear(text, random->Below(text.size() + 1)) : at + 1;
    const Json edits = document.Ask("textDocument/onTypeFormatting", {at, at}, {{"ch", "}"}});
    return std::pair(SourceRange{0, at}, edits.is_null() ? text : document.After(edits));
  });
}

TEST_F(PartFormatting, OfTheWholeTextIsThatOfTheDocument) {
  Expect(48, [](RightText& document, RandomValues* random) {
    const SourceRange whole = {0, document.text().size()};
    const Json edits =
        document.Ask(random->OneIn(2) ? "textDocument/rangeFormatting" : "textDocument/formatting", whole);
    std::string after = document.After(edits);
    EXPECT_EQ(after, Formatted(document.text())) << document.text();
    return std::pair(whole, std::move(after));
  });
}

/// The pairs of brackets `{` and `}` around nodes: the opening one follows the outputs or the values of a graph.
std::vector<SourceRange> BodiesOf(const std::string& text) {
  std::vector<SourceRange> bodies;
  std::vector<std::pair<std::size_t, bool>> open;  // where a bracket is, and whether it begins a body
  std::string_view before;
  for (const TextToken& token : TokensIn(text, {0, text.size()})) {
    const std::string_view word = std::string_view(text).substr(token.range.begin, token.range.end - token.range.begin);
    if (token.kind == TokenKind::kMark && (word == "{" || word == "@{")) {
      open.emplace_back(token.range.begin, word == "{" && (before == ")" || before == ">"));
    }
    if (token.kind == TokenKind::kMark && word == "}" && !open.empty()) {
      if (open.back().second) bodies.push_back({open.back().first, token.range.end});
      open.pop_back();
    }
    before = word;
  }
  return bodies;
}

TEST(FormattingWhileTyping, ChangesOnlyTheBodyThatIsClosed) {
  const std::vector<std::string> texts = {
      "<ir_version: 10, opset_import: [\"\" : 21]>\n"
      "g (float[2]   x, bool c) => (float[2]   y) <float[2]   w = {1,   2}> {\n"
      "  t   = Add (x,  w)\n"
      "  k = Constant <value = float[2] {1,   2}>   ()\n"
      "  y = If (c) <then_branch = a () => (p) {   p = Neg (t)   }, else_branch = b () =>  (q)  { q =  Abs (t) } >\n"
      "  @{op_type: \"Neg\",   input: [\"x\"], output: [\"z\"]}\n"
      "}\n"
      "<domain: \"f\",   opset_import: [\"\" : 21]> F (a) =>  (b) { b =   Relu (a) }\n"
      "<domain: \"f\", opset_import: [\"\" : 21]> G (a) => (b) <float  b>  { b =   Relu (a) }\n",
      "g () => () {}", "g (x) =>  (y)  {y=Neg(x)}"};
  std::size_t formatted = 0;
  for (const std::string& text : texts) {
    const std::vector<SourceRange> bodies = BodiesOf(text);
    RightText document(text);
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
      const Json edits = document.Ask("textDocument/onTypeFormatting", {offset, offset},
                                      {{"ch", "}"}, {"options", {{"tabSize", 2}, {"insertSpaces", true}}}});
      const auto body = std::ranges::find(bodies, offset, &SourceRange::end);
      SCOPED_TRACE(text.substr(0, offset) + "$");
      if (body == bodies.end()) {
        EXPECT_TRUE(edits.empty()) << edits;
        continue;
      }
      ++formatted;
      const std::string after = document.After(edits);
      EXPECT_EQ(after.substr(0, body->begin), text.substr(0, body->begin));
      EXPECT_TRUE(after.ends_with(text.substr(offset)));
    }
  }
  EXPECT_EQ(formatted, 7u);
}

}  // namespace
}  // namespace onnxc::lsp::formatting_test
