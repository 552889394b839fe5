#include "lsp/lines.h"

#include <gtest/gtest.h>

#include <string>

namespace onnxc::lsp {
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
  const std::string text = "\xF0\x9F\x98\x80\xC3\xA9x\n";  // two units, one, one
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

}  // namespace
}  // namespace onnxc::lsp
