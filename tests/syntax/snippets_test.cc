// Mistakes in nodes and types, each in several layouts, and the rows of tables/mistakes.def. What `onnxc check` tells
// about them, and what `check --fix` makes of them, is recorded in testdata/planted. ONNXC_BLESS=1 rewrites the
// records.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/mended.h"
#include "syntax/mistake_samples.h"
#include "syntax/recorded.h"
#include "testing/golden.h"

namespace onnxc::testing::snippets_test {
namespace {

// Texts with a place `%` for nodes that compute `y` from the values x, w, b (floats), n (an integer) and c (a bool).
constexpr const char* kAroundNodes[] = {
    "{\n  %\n  z = Neg (y)\n}",
    "{ a = Neg (x) % z = Neg (a) }",
    "{\n%\n}",
    "{\n\t# why\n\t% # because (of x)\n}",
    "{\r\n  %\r\n  z = Neg (x)\r\n}",
    "{\n  z = If (c) <\n    then_branch = yes () => (float[2, 3] t) {\n      %\n      t = Neg (x)\n    },\n    "
    "else_branch = no () "
    "=> (float[2, 3] e) { e = Neg (x) }\n  >\n}",
};

std::string WithItem(std::string_view item) {
  std::string text;
  for (const char c : item) {
    if (c == '%') text += "<ir_version: 10, opset_import: [\"\": 21]>\n";
    if (c == '&') text += "g (float[2] x) => (float[2] y) ";
    if (c == '$') text += "{ y = Neg (x) }";
    if (c != '%' && c != '&' && c != '$') text += c;
  }
  return text;
}

std::string WithNode(std::string_view around, std::string_view node) {
  std::string body(around);
  body.replace(body.find('%'), 1, node);
  return "<ir_version: 10, opset_import: [\"\": 21, \"d\": 1, \"my\": 1]>\ng (float[2, 3] x, float[2, 3] w, float b, "
         "int64 n, bool "
         "c) => (float[2, 3] z) " +
         body + "\n";
}

std::string WithType(int place, std::string_view type) {
  const auto at = [&](int wanted, std::string_view right) { return place == wanted ? type : right; };
  return fmt::format(
      "<ir_version: 10, opset_import: [\"\": 21]>\ng ({} x, float w) => (\n  {} y) <{} v> {{\n  y = Neg (x)\n  v = "
      "Optional <type = {}> "
      "()\n}}\n",
      at(0, "float[2, 3]"), at(1, "float[2, 3]"), at(2, "optional(float)"), at(3, "float"));
}

/// Returns what is told about the text, and what --fix makes of the lines that it changes.
std::string Recorded(std::string_view name, const std::string& text) {
  const SourceText source("-", text);
  const Diagnostics found = Proven(source);
  std::string shown = fmt::format("{}:", Escaped(name));
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity == Severity::kError) shown += Shown(finding, source);
  }
  if (found.ok()) return shown + " valid\n";
  const std::string fixed = Fixed(text);
  if (fixed == text) return shown + " left\n";
  const std::size_t begin = static_cast<std::size_t>(std::ranges::mismatch(text, fixed).in1 - text.begin());
  std::size_t same = 0;
  while (same < std::min(text.size(), fixed.size()) - begin &&
         text[text.size() - 1 - same] == fixed[fixed.size() - 1 - same])
    ++same;
  const std::string_view part = std::string_view(fixed).substr(begin, fixed.size() - same - begin);
  return shown + fmt::format(" {} \"{}\"\n", BytesOf(fixed).empty() ? "partly" : "mended", Escaped(part));
}

/// Calls visit(snippet) for each line of a file that is not a comment.
template <typename Visit>
void ForEachSnippet(const std::string& file, const Visit& visit) {
  std::istringstream lines(ReadWhole(std::filesystem::path(kTestdata) / "planted" / file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) continue;
    for (std::size_t at = 0; (at = line.find("\\n", at)) != line.npos;) line.replace(at, 2, "\n");
    visit(line);
  }
}

template <std::size_t kAround>
std::string Nodes() {
  std::string record;
  ForEachSnippet("nodes.in",
                 [&](const std::string& node) { record += Recorded(node, WithNode(kAroundNodes[kAround], node)); });
  return record;
}

std::string Types() {
  std::string record;
  ForEachSnippet("types.in", [&](const std::string& type) {
    for (int place = 0; place < 4; ++place) {
      record += Recorded(fmt::format("{}, {}", type, place), WithType(place, type));
    }
  });
  return record;
}

std::string Items() {
  std::string record;
  ForEachSnippet("items.in", [&](const std::string& item) { record += Recorded(item, WithItem(item)); });
  return record;
}

// A mistake in the first item hides none in the next one.
std::string ItemsBeforeAnotherMistake() {
  std::string record;
  ForEachSnippet("items.in", [&](const std::string& item) {
    record +=
        Recorded(item, WithItem(item) + "\n<domain: \"e\", opset_import: [\"\": 21]>\nq (x) => (y) { y = Neg [x] }\n");
  });
  return record;
}

std::string Rows() {
  std::string record;
  for (const Mistake& row : syntax::Mistakes()) {
    const auto [before, behind] = Around(row.place);
    const std::string wrong = Filled(row, row.wrong);
    record += Recorded(wrong, before + wrong + behind);
  }
  return record;
}

struct Record {
  const char* name;
  std::string (*write)();
};

class Records : public ::testing::TestWithParam<Record> {};

TEST_P(Records, SayWhatIsTold) {
  ExpectGolden(std::filesystem::path(kTestdata) / "planted" / fmt::format("{}.txt", GetParam().name),
               GetParam().write());
}

INSTANTIATE_TEST_SUITE_P(Case, Records,
                         ::testing::Values(Record{"nodes0", Nodes<0>}, Record{"nodes1", Nodes<1>},
                                           Record{"nodes2", Nodes<2>}, Record{"nodes3", Nodes<3>},
                                           Record{"nodes4", Nodes<4>}, Record{"nodes5", Nodes<5>},
                                           Record{"types", Types}, Record{"items", Items},
                                           Record{"items_before_another_mistake", ItemsBeforeAnotherMistake},
                                           Record{"rows", Rows}),
                         [](const auto& record) { return std::string(record.param.name); });

// While a mistake is typed, corrections leave no new mistake.
TEST(Snippets, CorrectionsOfPrefixesAddNoError) {
  for (const Mistake& row : syntax::Mistakes()) {
    const auto [before, behind] = Around(row.place);
    const std::string wrong = Filled(row, row.wrong);
    for (std::size_t size = 1; size < wrong.size(); size += 2) {
      const std::string text = before + wrong.substr(0, size) + behind;
      const std::string fixed = Fixed(text);
      EXPECT_LE(Errors(fixed), Errors(text)) << text << "becomes\n" << fixed;
    }
  }
}

}  // namespace
}  // namespace onnxc::testing::snippets_test
