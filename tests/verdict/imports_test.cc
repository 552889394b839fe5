// Imports that corrections have written, in one of several lists: a domain that a list imports twice is found.
#include "verdict/imports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "verdict/analyze.h"

namespace onnxc::verdict::imports_test {
namespace {

struct Import {
  SourceRange range;
  std::string domain;  // "" for `ai.onnx`, too
  std::size_t list;
};

TEST(Imports, ThoseThatAreWrittenASecondTimeAreFound) {
  std::mt19937 random(9);
  std::size_t found = 0;
  for (int round = 0; round < 500; ++round) {
    std::string text;
    std::vector<Import> imports;
    std::vector<SourceRange> made;
    for (std::size_t list = 0; list < 3; ++list) {
      text += random() % 2 == 0 ? "<ir_version: 9, opset_import: [" : "<domain: \"d\", opset_import : [";
      const std::size_t count = random() % 5;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string domain = std::vector<std::string>{"", "ai.onnx", "a", "b.c", "d"}[random() % 5];
        text += i == 0 ? "" : ", ";
        const std::size_t begin = text.size();
        text += fmt::format("\"{}\": {}", domain, 1 + random() % 20);
        imports.push_back({{begin, text.size()}, domain == "ai.onnx" ? "" : domain, list});
      }
      text += "], doc_string: \"t\">\n";
    }
    std::vector<std::string> wanted;
    for (const Import& import : imports) {
      if (random() % 3 != 0) continue;
      const bool is_whole = random() % 2 == 0;
      made.push_back({import.range.begin, is_whole ? import.range.end : import.range.begin + 2});
      const auto same = [&](const Import& other) { return other.domain == import.domain && other.list == import.list; };
      if (std::ranges::count_if(imports, same) > 1) wanted.push_back(std::to_string(made.size() - 1));
    }
    std::vector<std::string> repeated;
    for (const RepeatedImport& import : ImportsRepeated(text, made))
      repeated.push_back(std::to_string(import.correction));
    EXPECT_EQ(repeated, wanted) << text;
    found += repeated.size();
  }
  EXPECT_GE(found, 200u);
}

// What was only removed, or written between the imports, imports nothing.
TEST(Imports, OtherCorrectionsImportNothing) {
  const std::string text = "<opset_import: [\"a\": 1, \"a\": 2], doc_string: \"a\"> g";
  for (std::size_t at = 0; at <= text.size(); ++at)
    EXPECT_TRUE(ImportsRepeated(text, std::vector<SourceRange>{{at, at}}).empty());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_import = (at >= 16 && at < 22) || (at >= 24 && at < 30);
    EXPECT_EQ(ImportsRepeated(text, std::vector<SourceRange>{{at, at + 1}}).size(), is_import ? 1u : 0u) << at;
  }
}

// A word without quotes in a list of imports: the domain of this name if nodes need it, else the standard domain if the
// list lacks only that, else nobody knows. Lists of a model and of a function, of which one may lack the standard
// domain.
TEST(Imports, AWordIsTheDomainThatNodesNeed) {
  struct List {
    std::vector<std::string> entries;
    std::vector<std::string> words;
    std::string nodes;
    bool needs_standard = false;
  };
  std::mt19937 random(3);
  std::size_t standard = 0;
  std::size_t named = 0;
  std::size_t unknown = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t lacking = random() % 2;
    List lists[2];
    std::vector<std::string> needed = {"f"};
    for (std::size_t i = 0; i < 2; ++i) {
      List& list = lists[i];
      list.needs_standard = random() % 3 != 0;
      const bool has_standard = i != lacking || random() % 3 == 0;
      if (has_standard) list.entries.emplace_back("\"\" : 21");
      list.nodes = list.needs_standard ? "t0 = Abs (x) " : "t0 = f.G (x) ";
      list.needs_standard = list.needs_standard && !has_standard;
      list.entries.emplace_back("\"f\" : 1");
      for (const char* const stem : {"default", "mine", "w"}) {
        if (random() % 2 == 0) continue;
        const std::string word = fmt::format("{}{}", stem, i);
        const bool is_needed = random() % 2 == 0;
        if (is_needed) needed.push_back(word);
        if (is_needed) list.nodes += fmt::format("t{} = {}.Op (x) ", list.words.size() + 1, word);
        list.words.push_back(word);
        list.entries.push_back(word + (random() % 2 == 0 ? " : 3" : ":3"));
      }
      std::ranges::shuffle(list.entries, random);
    }
    const std::string text = fmt::format(
        "<ir_version: 10, opset_import: [{}]>\ng (float[2] x) => (float[2] y) {{ {}y = f.G (t0) }}\n"
        "<domain: \"f\", opset_import: [{}]>\nF (x) => (y) {{ {}y = f.G (t0) }}\n"
        "<domain: \"f\", opset_import: [\"\" : 21]>\nG (x) => (y) {{ y = Abs (x) }}\n",
        fmt::join(lists[0].entries, ", "), lists[0].nodes, fmt::join(lists[1].entries, ", "), lists[1].nodes);
    SCOPED_TRACE(text);
    const SourceText source("m.onnxtxt", text);
    const Diagnostics found = Analyze(source, {.path = source.name()}).found;
    for (const List& list : lists) {
      const auto is_uncertain = [&](const std::string& word) { return std::ranges::count(needed, word) == 0; };
      const bool is_standard = list.needs_standard && std::ranges::count_if(list.words, is_uncertain) == 1;
      for (const std::string& word : list.words) {
        const std::size_t begin =
            text.find(word + " :") < text.find(word + ":") ? text.find(word + " :") : text.find(word + ":");
        const auto finding =
            std::ranges::find(found.items(), SourceRange{begin, begin + word.size()}, &Diagnostic::range);
        ASSERT_NE(finding, found.items().end()) << word;
        const std::string fix = finding->fix_its.empty() ? "" : finding->fix_its.front().replacement;
        if (!is_uncertain(word)) {
          EXPECT_EQ(fix, '"' + word + '"');
          ++named;
        } else {
          EXPECT_EQ(fix, is_standard ? "\"\"" : "") << word;
          ++(is_standard ? standard : unknown);
        }
      }
    }
  }
  EXPECT_GT(std::min({standard, named, unknown}), 50u) << standard << " " << named << " " << unknown;
}

}  // namespace
}  // namespace onnxc::verdict::imports_test
