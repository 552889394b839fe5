// Tests each row of tables/mistakes.def: the wrong text has only the finding of the row, the right text has no finding,
// and the correction changes the wrong text into the right text.
#include "syntax/mistakes.h"

#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>

#include "syntax/mistake_samples.h"
#include "syntax/trial.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "verdict/proof.h"

namespace onnxc::syntax {

void PrintTo(const Mistake&, std::ostream* out) { *out << "a row"; }

}  // namespace onnxc::syntax

namespace onnxc::testing {
namespace {

using syntax::Mistake;
using syntax::MistakePlace;

std::string Shown(const Diagnostics& found, const std::string& text) {
  return RenderText(found, SourceText("text", text)) + "in\n" + text;
}

Diagnostics ParsedFrom(const SourceText& source) {
  onnx::ModelProto model;
  return Parse(source.text(), &model);
}

// Further errors that the same mistake causes are not reported.
Diagnostics FindIn(const std::string& text) {
  const SourceText source("text", text);
  return verdict::ProveCorrections(source, ParsedFrom(source), ParsedFrom);
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreToldAndCorrected) {
  const Mistake& row = GetParam();
  const auto [before, behind] = Around(row.place);
  const std::string wrong = before + Filled(row, row.wrong) + behind;
  const Diagnostics found = FindIn(wrong);
  ASSERT_EQ(found.items().size(), 1u) << Shown(found, wrong);
  const Diagnostic& finding = found.items().front();
  EXPECT_EQ(finding.message, Filled(row, row.words)) << Shown(found, wrong);
  EXPECT_EQ(finding.kind, row.kind) << Shown(found, wrong);
  if (row.right.empty()) {
    EXPECT_TRUE(finding.fix_its.empty()) << Shown(found, wrong);
    return;
  }
  std::vector<FixIt> edits = finding.fix_its;
  const std::string corrected = syntax::Corrected(wrong, &edits);
  EXPECT_EQ(corrected, before + Filled(row, row.right) + behind) << Shown(found, wrong);
  const Diagnostics left = FindIn(corrected);
  EXPECT_TRUE(testing::Ok(left)) << Shown(left, corrected);
}

INSTANTIATE_TEST_SUITE_P(Rows, Mistakes, ::testing::ValuesIn(syntax::Mistakes().begin(), syntax::Mistakes().end()));

// Returns the text with a line break after each comma that is in brackets.
std::string BrokenAtCommas(const std::string& text) {
  std::string broken;
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    broken += c;
    if (c == ',' && depth > 0) broken += "\n     ";
  }
  return broken;
}

// People who write Python put each argument of a call on a line of its own.
TEST(MistakesInCalls, AreCorrectedOverSeveralLines) {
  for (const Mistake& row : syntax::Mistakes()) {
    if (row.place != MistakePlace::kCall || row.right.empty()) continue;
    const auto [before, behind] = Around(row.place);
    const std::string wrong = before + BrokenAtCommas(Filled(row, row.wrong)) + behind;
    const Diagnostics found = FindIn(wrong);
    ASSERT_EQ(found.items().size(), 1u) << Shown(found, wrong);
    EXPECT_EQ(found.items().front().kind, row.kind) << Shown(found, wrong);
    std::vector<FixIt> edits = found.items().front().fix_its;
    onnx::ModelProto corrected;
    ASSERT_TRUE(testing::Ok(Parse(syntax::Corrected(wrong, &edits), &corrected))) << Shown(found, wrong);
    onnx::ModelProto right;
    ASSERT_TRUE(testing::Ok(Parse(before + Filled(row, row.right) + behind, &right)));
    EXPECT_EQ(corrected.SerializeAsString(), right.SerializeAsString()) << Shown(found, wrong);
  }
}

std::string_view PlaceOf(MistakePlace place) {
  constexpr std::string_view kPlaces[] = {
      "before a graph", "graph",         "node",  "call", "branches", "inputs", "attributes", "formal attributes",
      "annotation",     "behind a node", "value", "type", "shape",    "header", "imports"};
  return kPlaces[static_cast<std::size_t>(place)];
}

// Returns the rows in the form of the table in docs/mistakes.md.
std::string Documented() {
  const auto cell = [](std::string_view text) {
    std::string escaped;
    for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
  };
  std::string table;
  for (const Mistake& row : syntax::Mistakes()) {
    const std::string right = row.right.empty() ? "" : "`" + cell(row.right) + "`";
    table += "| " + std::string(PlaceOf(row.place)) + " | `" + cell(row.wrong) + "` | " + right + " | " +
             cell(row.words) + " |\n";
  }
  return table;
}

TEST(MistakeTable, IsDocumented) {
  std::ifstream file(std::string(kDocs) + "/mistakes.md");
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(Documented()), std::string::npos) << "docs/mistakes.md should show\n" << Documented();
}

}  // namespace
}  // namespace onnxc::testing
