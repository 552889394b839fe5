// Random edits of a text, and random edits of the text that they make: the combined edits of the original text have the
// effect of both.
#include "verdict/combine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "source/corrections.h"

namespace onnxc::verdict {
namespace {

using Random = std::mt19937;

std::size_t UpTo(std::size_t most, Random& random) { return random() % (most + 1); }

/// Returns a few edits of a text of this size. They may meet.
std::vector<FixIt> RandomEdits(std::size_t size, Random& random) {
  std::vector<FixIt> edits(1 + UpTo(2, random));
  for (FixIt& edit : edits) {
    edit.range.begin = UpTo(size, random);
    edit.range.end = std::min(size, edit.range.begin + UpTo(3, random));
    edit.replacement = std::string(UpTo(3, random), static_cast<char>('A' + random() % 26));
  }
  return edits;
}

std::vector<Diagnostic> Findings(const std::vector<std::vector<FixIt>>& edits) {
  std::vector<Diagnostic> findings(edits.size());
  for (std::size_t i = 0; i < edits.size(); ++i) findings[i].fix_its = edits[i];
  return findings;
}

std::vector<SourceRange> MadeBy(const CorrectedText& corrected) {
  std::vector<SourceRange> made;
  std::size_t end_before = 0;  // in the original text
  std::size_t end_now = 0;
  for (const AppliedEdit& edit : corrected.edits) {
    const std::size_t begin = end_now + edit.range.begin - end_before;
    made.push_back({begin, begin + edit.size});
    end_before = edit.range.end;
    end_now = begin + edit.size;
  }
  return made;
}

std::string Shown(const std::vector<FixIt>& edits) {
  std::string text;
  for (const FixIt& edit : edits) {
    text += fmt::format(" {}-{} '{}'", edit.range.begin, edit.range.end, edit.replacement);
  }
  return text;
}

TEST(Combined, EditsHaveTheEffectOfBoth) {
  constexpr std::string_view kText = "abcdefghijklmnopqrstuvwxyz";
  Random random(1);
  int combined_count = 0;
  int refused_alone = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::vector<FixIt>> first(1 + UpTo(2, random));
    for (auto& edits : first) edits = RandomEdits(kText.size(), random);
    const CorrectedText corrected = ApplyCorrections(kText, Findings(first));
    if (corrected.corrections != first.size()) continue;  // some edits meet
    const std::vector<FixIt> more = RandomEdits(corrected.text.size(), random);
    const CorrectedText wanted = ApplyCorrections(corrected.text, Findings({more}));
    if (wanted.corrections == 0) continue;
    const std::vector<SourceRange> made = MadeBy(corrected);
    std::vector<std::size_t> of_first;
    for (std::size_t edit = 0; edit < corrected.edits.size(); ++edit) {
      if (corrected.edits[edit].finding == 0) of_first.push_back(edit);
    }
    const auto combined = Combined({corrected, made}, of_first, more);
    if (!combined) {
      refused_alone += static_cast<int>(first.size() == 1);
      continue;
    }
    ++combined_count;
    const std::string original = Shown(first[0]);
    first[0] = *combined;
    EXPECT_EQ(ApplyCorrections(kText, Findings(first)).text, wanted.text)
        << original << ", then" << Shown(more) << ", combined" << Shown(*combined);
  }
  EXPECT_GE(combined_count, 2000);
  EXPECT_EQ(refused_alone, 0) << "without other corrections, there is nothing to refuse";
}

}  // namespace
}  // namespace onnxc::verdict
