// Corrections of any tokens of a text: those that would lose a comment are removed, and no others.
#include "verdict/comments.h"

#include <gtest/gtest.h>
#include <onnxc/diagnostic_kinds.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "source/report.h"

namespace onnxc::verdict::comments_test {
namespace {

TEST(KeepComments, RemovesCorrectionsThatLoseAComment) {
  constexpr std::array<const char*, 6> kWords = {"x", "\"a # b\"", "(", "# why", "#pragma onnxc off", "\"#\""};
  std::mt19937 random(11);
  int kept = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    std::vector<SourceRange> ranges;
    std::vector<std::size_t> words;
    for (int i = 0; i < 6; ++i) {
      words.push_back(random() % kWords.size());
      ranges.push_back({text.size(), text.size() + std::string(kWords[words.back()]).size()});
      text += std::string(kWords[words.back()]) + "\n";
    }
    const std::size_t first = random() % 6;
    const std::size_t last = first + random() % (6 - first);
    const std::size_t written = random() % kWords.size();
    const bool is_insertion = random() % 5 == 0;
    bool loses = false;
    for (std::size_t i = first; i <= last && !is_insertion; ++i) {
      const bool is_comment = words[i] == 3 || words[i] == 4;
      loses = loses || (is_comment && words[i] != written);
    }
    Diagnostic finding = MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, ranges[first], "m");
    const SourceRange range{ranges[first].begin, is_insertion ? ranges[first].begin : ranges[last].end};
    finding.fix_its = {{{text.size(), text.size()}, "y"}, {range, kWords[written]}};
    KeepComments(text, {&finding, 1});
    EXPECT_EQ(finding.fix_its.empty(), loses)
        << range.begin << " to " << range.end << " by " << kWords[written] << " in\n"
        << text;
    kept += loses ? 0 : 1;
  }
  EXPECT_GE(kept, 500);
  EXPECT_LE(kept, 2500);
}

}  // namespace
}  // namespace onnxc::verdict::comments_test
