#include <gtest/gtest.h>
#include <onnxc/source.h>

#include "source/unicode.h"

namespace onnxc {
namespace {

TEST(SourceText, CountsLinesAndCharacters) {
  const SourceText text("a", std::string("ab\n\tc\xc3\xa4\xff"
                                         "d\r\nlast"));
  EXPECT_EQ(text.PositionAt(0), (SourcePosition{1, 1}));
  EXPECT_EQ(text.PositionAt(2), (SourcePosition{1, 3}));
  EXPECT_EQ(text.PositionAt(3), (SourcePosition{2, 1}));
  EXPECT_EQ(text.PositionAt(4), (SourcePosition{2, 2}));   // behind the TAB
  EXPECT_EQ(text.PositionAt(7), (SourcePosition{2, 4}));   // behind the two bytes of U+00E4
  EXPECT_EQ(text.PositionAt(8), (SourcePosition{2, 5}));   // behind the invalid byte
  EXPECT_EQ(text.PositionAt(99), (SourcePosition{3, 5}));  // the end
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
