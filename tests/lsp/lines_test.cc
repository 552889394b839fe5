#include "lsp/lines.h"

#include <gtest/gtest.h>

#include <iterator>
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

// Compared with lines that are counted byte by byte.
TEST(Lines, AreThoseOfAnyText) {
  std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the texts are the same each time
  constexpr std::string_view kPieces[] = {"\n", "\r", "\r\n", "\n\n\n", "a", "word", "\xC3\xA9", "\xF0\x9F\x98\x80"};
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 100 == 0 ? std::string(2000, 'x') : "";
    for (std::size_t pieces = random() % 12; pieces > 0; --pieces) text += kPieces[random() % std::size(kPieces)];
    const Encoding encoding = random() % 2 == 0 ? Encoding::kUtf8 : Encoding::kUtf16;
    SCOPED_TRACE(::testing::PrintToString(text));
    const Lines lines(text, encoding);
    LinePosition expected;
    for (std::size_t at = 0; at <= text.size(); ++at) {
      const auto byte = at == text.size() ? 0u : static_cast<unsigned char>(text[at]);
      if ((byte & 0xC0u) != 0x80u) {
        ASSERT_EQ(lines.PositionAt(at), expected);
      }
      const bool ends = byte == '\n' || (byte == '\r' && !text.substr(at).starts_with("\r\n"));
      const std::size_t units = encoding == Encoding::kUtf8 ? 1 : (byte & 0xC0u) == 0x80u ? 0 : byte >= 0xF0u ? 2 : 1;
      expected = ends ? LinePosition{expected.line + 1, 0} : LinePosition{expected.line, expected.character + units};
    }
  }
}

}  // namespace
}  // namespace onnxc::lsp::lines_test
