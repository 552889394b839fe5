// The limits of what the server shows: one less, as much, and one more.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/refactored.h"
#include "lsp/right_texts.h"

namespace onnxc::lsp::limits_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kHead = "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]>\n";

/// The answer to a request at a word of the text.
Json Asked(const std::string& text, const std::string& method, std::string_view word) {
  RightText document(text);
  const std::size_t at = text.find(word);
  EXPECT_NE(at, std::string::npos) << word;
  return document.Ask(method, {at, at});
}

std::string HoverAt(const std::string& text, std::string_view word) {
  return Asked(text, "textDocument/hover", word)["contents"].dump();
}

TEST(Limits, OfTheLineThatDefinesAValue) {
  for (const std::size_t size : {159, 160, 161, 300}) {
    std::string line = "y = Relu (x) # ";
    line += std::string(size - line.size(), '-');
    const std::string text = fmt::format("{}g (float[2] x) => (float[2] y) {{\n \t {}\n}}\n", kHead, line);
    const std::string shown = HoverAt(text, "y = ");
    EXPECT_EQ(shown.find(line + "\\n") != std::string::npos, size <= 160) << size << shown;
    EXPECT_EQ(shown.find(line.substr(0, 160) + " ...") != std::string::npos, size > 160) << size << shown;
  }
}

TEST(Limits, OfTheElementsOfAConstant) {
  for (const int count : {1, 7, 8, 9, 15, 16, 17, 40}) {
    std::vector<int> elements;
    for (int i = 0; i < count; ++i) elements.push_back(100 + i);
    const std::string text =
        fmt::format("{}g () => (y) <int64[{}] w = {{{}}}> {{\n  t = Neg (w)\n  u = Neg (t)\n  y = Identity (u)\n}}\n",
                    kHead, count, fmt::join(elements, ", "));
    const auto shown = [&](int most) {
      std::vector<int> first(elements.begin(), elements.begin() + std::min(count, most));
      return fmt::format("{}", fmt::join(first, ", "));
    };
    const std::string hover = HoverAt(text, "u = ");
    EXPECT_THAT(hover, HasSubstr(shown(16)));
    EXPECT_EQ(hover.find("...") != std::string::npos, count > 16) << hover;
    EXPECT_THAT(hover, Not(HasSubstr("116")));
    RightText document(text);
    const std::string hints = document.Ask("textDocument/inlayHint", {0, text.size()}).dump();
    EXPECT_THAT(hints, HasSubstr(shown(8)));
    EXPECT_EQ(hints.find("...") != std::string::npos, count > 8) << hints;
    EXPECT_THAT(hints, Not(HasSubstr("108")));
  }
}

TEST(Limits, OfTheItemsOfACompletion) {
  for (const std::size_t count : {1u, 199u, 200u, 201u, 500u}) {
    std::string inputs;
    for (std::size_t i = 0; i < count; ++i) inputs += fmt::format("{}float v{}", i == 0 ? "" : ", ", i);
    const std::string text = fmt::format("{}g ({}) => () {{\n  y = Neg (v0)\n}}\n", kHead, inputs);
    RightText document(text);
    const std::size_t at = text.find("(v0)") + 1;
    const Json list = document.Ask("textDocument/completion", {at, at});
    EXPECT_EQ(list["items"].size(), std::min<std::size_t>(count, 200));
    EXPECT_EQ(list["isIncomplete"].get<bool>(), count > 200);
    const auto is_written = [](const Json& item) { return item["label"] == "v0"; };
    EXPECT_EQ(std::ranges::count_if(list["items"], is_written), 1) << "the word that the text has is always offered";
  }
}

TEST(Limits, OfTheSymbolsOfAWorkspace) {
  for (const std::size_t count : {998u, 999u, 1000u, 1200u}) {
    std::string text = fmt::format("{}g (float x) => () {{\n", kHead);
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("  [n{0}] y{0} = Neg (x)\n", i);
    RightText document(text + "}\n");
    const Json found = document.Ask("workspace/symbol", {0, 0}, {{"query", ""}});
    EXPECT_EQ(found.size(), std::min<std::size_t>(count + 1, 1000));  // and the graph
  }
}

std::string WithCalls(std::size_t nodes, std::size_t size) {
  std::string text = fmt::format("{}g (float x) => (float y) {{\n  y = f.F (x)\n", kHead);
  for (std::size_t i = 0; i + 2 < nodes; ++i) text += fmt::format("  _{} = Neg (x)\n", i);
  text += "}\n<domain: \"f\", opset_import: [\"\" : 21]> F (a) => (b) { b = Relu (a) }\n";
  if (text.size() + 2 < size) text += "#" + std::string(size - text.size() - 2, '-') + "\n";
  return text;
}

TEST(Limits, OfTextsThatCanBeRefactored) {
  for (const std::size_t nodes : {2u, 4999u, 5000u, 5001u}) {
    EXPECT_EQ(!Refactored(WithCalls(nodes, 0), "f.F", "refactor.inline").empty(), nodes <= 5000) << nodes;
  }
  constexpr std::size_t kMost = std::size_t{1} << 20;
  for (const std::size_t size : {kMost - 1, kMost, kMost + 1}) {
    const std::string text = WithCalls(2, size);
    ASSERT_EQ(text.size(), size);
    EXPECT_EQ(!Refactored(text, "f.F", "refactor.inline").empty(), size <= kMost) << size;
  }
}

TEST(Limits, OfTheWordsInTheTitlesOfCorrections) {
  for (const std::size_t size : {58u, 59u, 60u, 61u}) {
    std::string name;
    for (std::size_t i = 0; i < size; ++i) name += static_cast<char>('a' + i % 26);
    std::string misspelt = name;
    std::swap(misspelt[size / 2], misspelt[size / 2 + 1]);
    const std::string text = fmt::format("{}g (float {}) => (float y) {{\n  y = Neg ({})\n}}\n", kHead, name, misspelt);
    RightText document(text);
    const std::size_t at = text.find(misspelt);
    const Json actions =
        document.Ask("textDocument/codeAction", {at, at}, {{"context", {{"diagnostics", Json::array()}}}});
    const std::string shown = actions.dump();
    EXPECT_EQ(shown.find("Replace '") != std::string::npos, size < 60) << size << shown;
    EXPECT_EQ(shown.find("\"Correct: ") != std::string::npos, size >= 60) << size << shown;
  }
}

// Each round removes what became unused in the round before it.
TEST(Limits, OfTheRoundsThatRemoveWhatIsUnused) {
  for (const int count : {1, 2, 19, 20, 21, 30}) {
    std::string text =
        fmt::format("<ir_version: 10, opset_import: [\"\" : 21]>\ng (float x) => (float y) {{\n  t0 = Abs (x)\n");
    for (int i = 1; i < count; ++i) text += fmt::format("  t{} = Neg (t{})\n", i, i - 1);
    text += "  y = Relu (x)\n}\n";
    RightText document(text);
    const Json actions =
        document.Ask("textDocument/codeAction", {0, 0},
                     {{"context", {{"diagnostics", Json::array()}, {"only", Json::array({"source.removeUnused"})}}}});
    ASSERT_EQ(actions.size(), 1u) << actions;
    const std::string after = document.AfterEdit(actions[0]["edit"]);
    int left = 0;
    for (int i = 0; i < count; ++i) left += static_cast<int>(after.find(fmt::format("t{} =", i)) != std::string::npos);
    EXPECT_EQ(left, std::max(0, count - 20)) << after;
  }
}

}  // namespace
}  // namespace onnxc::lsp::limits_test
