#include "format/diff.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "testing/random_values.h"

namespace onnxc {

using format::UnifiedDiff;

namespace {

/// The lines of a text, each with its line break if it has one.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + (stream.eof() ? "" : "\n"));
  return lines;
}

/// Applies a patch like the program `patch`, but without any leniency.
std::string Patched(const std::string& before, const std::string& diff) {
  const std::vector<std::string> old_lines = LinesOf(before);
  const std::vector<std::string> lines = LinesOf(diff);
  std::string after;
  std::size_t next = 0;       // of old_lines
  std::size_t new_count = 0;  // lines of `after`
  for (std::size_t i = 2; i < lines.size();) {
    std::size_t old_start = 0, old_size = 1, new_start = 0, new_size = 1;
    std::istringstream head(lines[i++]);
    char comma = 0;
    std::string word;
    head >> word >> comma >> old_start;
    if (head.peek() == ',') head >> comma >> old_size;
    head >> comma >> new_start;
    if (head.peek() == ',') head >> comma >> new_size;
    for (const std::size_t first = old_size == 0 ? old_start : old_start - 1; next < first; ++next, ++new_count) {
      after += old_lines.at(next);
    }
    EXPECT_EQ(new_count, new_size == 0 ? new_start : new_start - 1) << diff;
    while (old_size > 0 || new_size > 0) {
      std::string line = lines.at(i++);
      if (i < lines.size() && lines[i].starts_with('\\')) {
        line.pop_back();
        ++i;
      }
      if (line[0] != '+') {
        EXPECT_EQ(old_lines.at(next++), line.substr(1)) << diff;
        --old_size;
      }
      if (line[0] != '-') {
        after += line.substr(1);
        ++new_count;
        --new_size;
      }
    }
  }
  for (; next < old_lines.size(); ++next) after += old_lines[next];
  return after;
}

TEST(UnifiedDiff, OfTheSameTextIsEmpty) { EXPECT_EQ(UnifiedDiff("n", "a\nb", "a\nb"), ""); }

TEST(UnifiedDiff, ShowsThreeLinesAround) {
  EXPECT_EQ(UnifiedDiff("n", "1\n2\n3\n4\n5 \n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
            "--- n\n+++ n\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5 \n+5\n 6\n 7\n 8\n");
  EXPECT_EQ(UnifiedDiff("n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1 \n2\n3\n4\n5\n6\n7\n8\n9 \n"),
            "--- n\n+++ n\n@@ -1,4 +1,4 @@\n-1\n+1 \n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+9 \n");
}

// The six lines between two changes belong to the context of both changes, so there is one hunk.
TEST(UnifiedDiff, JoinsHunksThatTouch) {
  EXPECT_EQ(UnifiedDiff("n", "1\n2\n3\n4\n5\n6\n7\n8\n", "1 \n2\n3\n4\n5\n6\n7\n8 \n"),
            "--- n\n+++ n\n@@ -1,8 +1,8 @@\n-1\n+1 \n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+8 \n");
}

TEST(UnifiedDiff, KeepsLinesApartThatWereBroken) {
  EXPECT_EQ(UnifiedDiff("n", "a (b,\nc)\n\nd\n", "a (b, c)\nd\n"),
            "--- n\n+++ n\n@@ -1,4 +1,2 @@\n-a (b,\n-c)\n-\n+a (b, c)\n d\n");
}

// However a change affects the number of characters, the lines after it are the same.
TEST(UnifiedDiff, ShowsOnlyWhatChanged) {
  std::string before;
  std::string after;
  for (int i = 0; i < 200; ++i) {
    before += "line " + std::to_string(i) + "\n" + "}\n";
    after += (i == 20 ? "one more\nline changed\n" : "line " + std::to_string(i) + "\n") + "}\n";
  }
  EXPECT_EQ(
      UnifiedDiff("n", before, after),
      "--- n\n+++ n\n@@ -38,7 +38,8 @@\n }\n line 19\n }\n-line 20\n+one more\n+line changed\n }\n line 21\n }\n");
}

// Lines that occur many times are matched, too.
TEST(UnifiedDiff, FindsLinesThatRepeat) {
  EXPECT_EQ(UnifiedDiff("n", "x\na\nx\nx\nb\nx\n", "x\nA\nx\nx\nB\nx\n"),
            "--- n\n+++ n\n@@ -1,6 +1,6 @@\n x\n-a\n+A\n x\n x\n-b\n+B\n x\n");
}

TEST(UnifiedDiff, TellsThatTheLastLineIsNotEnded) {
  EXPECT_EQ(UnifiedDiff("n", "a", "a\n"), "--- n\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(UnifiedDiff("n", "", "a\n"), "--- n\n+++ n\n@@ -0,0 +1 @@\n+a\n");
}

TEST(UnifiedDiff, MakesOneTextOfTheOther) {
  static constexpr std::array<std::string_view, 7> kChunks = {"a", "b", " ", "\n", "\n\n", "a\n", "b\n"};
  testing::RandomValues random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string before;
    std::string after;
    for (std::size_t count = random.Below(60); count > 0; --count) {
      const std::string_view chunk = random.Pick(kChunks);
      if (!random.OneIn(8)) before += chunk;
      if (!random.OneIn(8)) after += chunk;
    }
    SCOPED_TRACE(::testing::PrintToString(before) + " and " + ::testing::PrintToString(after));
    EXPECT_EQ(Patched(before, UnifiedDiff("n", before, after)), after);
  }
}

}  // namespace
}  // namespace onnxc
