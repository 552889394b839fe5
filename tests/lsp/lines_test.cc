#include "lsp/lines.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace onnxc::lsp::lines_test {
namespace {

TEST(Lines, EndWithEachLineBreak) {
  const Lines lines("a\nb\r\nc\rd", Encoding::kUtf8);
  EXPECT_EQ(lines.count(), 4u);
  EXPECT_EQ(lines.PositionAt(5), (LinePosition{2, 0}));
  EXPECT_EQ(lines.PositionAt(8), (LinePosition{3, 1}));
  EXPECT_EQ(lines.OffsetAt({1, 9}), 3u);
  EXPECT_EQ(lines.OffsetAt({9, 0}), 8u);
}

TEST(Lines, CountUtf16Units) {
  const std::string text = "\xF0\x9F\x98\x80\xC3\xA9x\n";  // two UTF-16 units, then one each
  const Lines lines(text, Encoding::kUtf16);
  EXPECT_EQ(lines.PositionAt(4), (LinePosition{0, 2}));
  EXPECT_EQ(lines.PositionAt(6), (LinePosition{0, 3}));
  EXPECT_EQ(lines.OffsetAt({0, 3}), 6u);
  EXPECT_EQ(lines.OffsetAt({0, 1}), 0u);  // inside of a character
  EXPECT_EQ(Lines(text, Encoding::kUtf8).OffsetAt({0, 5}), 4u);
}

TEST(Lines, GoThereAndBackInLongLines) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += i % 3 == 0 ? "\xF0\x9F\x98\x80" : i % 3 == 1 ? "\xC3\xA9" : "x";
  for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf16}) {
    const Lines lines(text, encoding);
    for (std::size_t at = 0; at < text.size(); ++at) {
      if ((static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) continue;
      ASSERT_EQ(lines.OffsetAt(lines.PositionAt(at)), at);
    }
  }
}

// A table of lines that reuses the table of the previous version is equal to a new table of the text.
TEST(Lines, AreThoseOfTheTextAfterAnyEdits) {
  std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  constexpr std::string_view kPieces[] = {
      "", "\n", "\r", "\r\n", "\n\n\n", "a", "word", "\xC3\xA9", "\xF0\x9F\x98\x80"};
  for (const Encoding encoding : {Encoding::kUtf8, Encoding::kUtf16}) {
    std::string text = "a\nb\r\nc\rd\n\ne";
    auto lines = std::make_unique<Lines>(text, encoding);
    for (int edit = 0; edit < 3000; ++edit) {
      std::string changed = edit % 100 == 0 ? std::string(2000, 'x') : text;
      const std::size_t begin = random() % (changed.size() + 1);
      changed.replace(begin, random() % 4, kPieces[random() % std::size(kPieces)]);
      SCOPED_TRACE(::testing::PrintToString(text) + "\n==>\n" + ::testing::PrintToString(changed));
      auto taken = std::make_unique<Lines>(changed, encoding, lines.get());
      const Lines fresh(changed, encoding);
      ASSERT_EQ(taken->count(), fresh.count());
      for (std::size_t line = 0; line < fresh.count(); ++line) ASSERT_EQ(taken->BeginOf(line), fresh.BeginOf(line));
      // Not all positions: in a long line, each costs time that is proportional to its column.
      for (std::size_t at = random() % 8; at <= changed.size(); at += 1 + random() % 16) {
        ASSERT_EQ(taken->PositionAt(at), fresh.PositionAt(at));
      }
      text = changed;
      lines = std::make_unique<Lines>(text, encoding, taken.get());
    }
  }
}

}  // namespace
}  // namespace onnxc::lsp::lines_test
