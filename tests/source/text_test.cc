#include <gtest/gtest.h>
#include <onnxc/source.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "source/unicode.h"

namespace onnxc {
namespace {

TEST(SourceText, CountsLinesAndCharacters) {
  const SourceText text("a", std::string("ab\n\tc\xc3\xa4\xff"
                                         "d\r\nlast"));
  EXPECT_EQ(text.PositionAt(0), (SourcePosition{1, 1}));
  EXPECT_EQ(text.PositionAt(2), (SourcePosition{1, 3}));
  EXPECT_EQ(text.PositionAt(3), (SourcePosition{2, 1}));
  EXPECT_EQ(text.PositionAt(4), (SourcePosition{2, 2}));   // after the TAB
  EXPECT_EQ(text.PositionAt(7), (SourcePosition{2, 4}));   // after the two bytes of U+00E4
  EXPECT_EQ(text.PositionAt(8), (SourcePosition{2, 5}));   // after the invalid byte
  EXPECT_EQ(text.PositionAt(99), (SourcePosition{3, 5}));  // the end
}

TEST(SourceText, CountsFarIntoALongText) {
  std::string bytes;
  for (int i = 0; bytes.size() < 20000; ++i) bytes += i % 7 == 0 ? "\n" : i % 3 == 0 ? "\xc3\xa4" : "\xf0\x9f\x98\x80";
  bytes += std::string(9000, '\x80');  // continuation bytes without a first byte
  const SourceText text("a", bytes);
  SourcePosition expected;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (at % 97 == 0 || at > bytes.size() - 9) {
      const std::size_t line_begin = bytes.rfind('\n', at == 0 ? 0 : at - 1);
      const std::size_t begin = at == 0 || line_begin == std::string::npos ? 0 : line_begin + 1;
      expected.line = 1 + static_cast<std::size_t>(
                              std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      expected.column = 1 + CountCharacters(std::string_view(bytes).substr(begin, at - begin));
      EXPECT_EQ(text.PositionAt(at).line, expected.line) << at;
      EXPECT_EQ(text.PositionAt(at).column, expected.column) << at;
    }
  }
}

TEST(SourceText, FindsLines) {
  const SourceText text("a", std::string("ab\r\n\nc"));
  EXPECT_EQ(text.LineAt(0), (SourceRange{0, 2}));
  EXPECT_EQ(text.LineAt(3), (SourceRange{0, 2}));
  EXPECT_EQ(text.LineAt(4), (SourceRange{4, 4}));
  EXPECT_EQ(text.LineAt(5), (SourceRange{5, 6}));
  EXPECT_EQ(text.LineAt(6), (SourceRange{5, 6}));
}

TEST(SourceText, CopiesShareTheBytes) {
  auto copy = std::make_unique<SourceText>("a", std::string(1000, 'x'));
  const SourceText other = *copy;
  copy.reset();
  EXPECT_EQ(other.text(), std::string(1000, 'x'));
}

TEST(Unicode, TakesMalformedSequencesByteByByte) {
  EXPECT_EQ(CountCharacters("\xf0\x9f\x98\x80"), 1u);
  EXPECT_EQ(CountCharacters("\xf0\x9f\x98"), 3u);      // cut
  EXPECT_EQ(CountCharacters("\xc0\x80"), 2u);          // overlong
  EXPECT_EQ(CountCharacters("\xed\xa0\x80"), 3u);      // a surrogate
  EXPECT_EQ(CountCharacters("\xf4\x90\x80\x80"), 4u);  // beyond U+10FFFF
}

TEST(Unicode, ShowsWhatATerminalWouldHide) {
  EXPECT_EQ(Shown("a\x1b[2J\n\xe2\x80\xae\xff\xc2\x9b\xf3\xa0\x81\x81"), "a\\x1b[2J\\n\\u202e\\xff\\u009b\\U000e0041");
  EXPECT_EQ(Shown("\xc3\xa4\xe6\x9d\xb1"), "\xc3\xa4\xe6\x9d\xb1");
}

}  // namespace
}  // namespace onnxc
