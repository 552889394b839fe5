#include "lsp/framing.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json.h"

namespace onnxc::lsp::framing_test {
namespace {

/// Returns the result of reading some bytes: messages unchanged, and `!` with an error for anything else.
std::vector<std::string> Cut(const std::string& bytes) {
  std::istringstream in(bytes);
  FrameReader reader(in);
  std::vector<std::string> found;
  std::string content;
  for (auto result = reader.Next(&content); result != FrameReader::Result::kEnd; result = reader.Next(&content)) {
    found.push_back((result == FrameReader::Result::kBroken ? "!" : "") + content);
  }
  return found;
}

using Found = std::vector<std::string>;

// Strings of random pieces. Texts that are not JSON, because they have half of a character, are read anyway.
TEST(Messages, HalvesOfCharactersAreReplaced) {
  struct Piece {
    std::string_view json;
    std::string_view text;
  };
  constexpr Piece kHigh = {"\\ud83d", "\xEF\xBF\xBD"};
  constexpr Piece kLow = {"\\ude00", "\xEF\xBF\xBD"};
  constexpr Piece kPieces[] = {kHigh,
                               kLow,
                               {"\\\\", "\\"},
                               {"\\\"", "\""},
                               {"\\n", "\n"},
                               {"\\u0041", "A"},
                               {"a", "a"},
                               {"\u00e9", "\u00e9"},
                               {"u0041", "u0041"},
                               {"ud83d", "ud83d"},
                               {"😀", "😀"},
                               {"\\ud83d\\ude00", "😀"},
                               {"\xED\xA0\x80", "\xEF\xBF\xBD"},
                               {"\xFF", "?"},
                               {"\xC3", "?"}};
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the texts are the same each time
  for (int round = 0; round < 3000; ++round) {
    std::string json = "\"";
    std::string text;
    bool is_high = false;
    for (std::size_t left = random() % 6; left > 0; --left) {
      const Piece& piece = kPieces[random() % std::size(kPieces)];
      json += piece.json;
      const bool is_whole = is_high && piece.json == kLow.json;
      if (is_whole) text.erase(text.size() - kHigh.text.size());
      text += is_whole ? "😀" : piece.text;
      is_high = piece.json == kHigh.json;
    }
    json += "\"";
    const Json read = ParsedMessage(json);
    ASSERT_TRUE(read.is_string()) << json;
    EXPECT_EQ(read.get<std::string>(), text) << json;
  }
}

TEST(FrameReader, CutsMessages) {
  EXPECT_EQ(Cut("Content-Length: 2\r\n\r\n{}content-length:3\nX: y\n\nabc"), (Found{"{}", "abc"}));
  EXPECT_EQ(Cut("Content-Length: 0\r\n\r\n"), (Found{""}));
  EXPECT_EQ(Cut(""), Found{});
}

TEST(FrameReader, TellsWhatIsNoMessageOnceAndGoesOn) {
  EXPECT_EQ(Cut("rubbish\nmore\n\nContent-Length: 2\r\n\r\n{}"), (Found{"!the input is not a message header", "{}"}));
  EXPECT_EQ(Cut("X: y\n\nContent-Length: 2\r\n\r\n{}"), (Found{"!a header must have Content-Length", "{}"}));
  EXPECT_EQ(Cut("Content-Length: -1\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            (Found{"!Content-Length must be a number from 0 to 1073741824", "{}"}));
  EXPECT_EQ(Cut("Content-Length: 99999999999999999999\r\n\r\n").size(), 1u);
  EXPECT_EQ(Cut("Content-Length: 1000000000\r\n\r\n{}"), (Found{"!the input ends inside of a message"}));
  EXPECT_EQ(Cut("Content-Length: 5\r\n"), (Found{"!the input ends inside of a header"}));
}

TEST(FrameReader, FindsTheNextHeaderBehindAWrongLength) {
  EXPECT_EQ(Cut("Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n[]"),
            (Found{"{", "!there are bytes before the header of a message", "[]"}));
  const std::string rest(100'000, 'x');
  EXPECT_EQ(Cut("Content-Length: 1\r\n\r\n{" + rest + "Content-Length: 2\r\n\r\n[]").back(), "[]");
}

TEST(FrameReader, ReadsWhatIsGivenBackOnceMore) {
  std::istringstream in("Content-Length: 9\r\n\r\n{}Content-Length: 2\r\n\r\n[]Content-Length: 1\r\n\r\n0");
  FrameReader reader(in);
  std::string content;
  ASSERT_EQ(reader.Next(&content), FrameReader::Result::kMessage);
  EXPECT_EQ(content, "{}Content");
  reader.GiveBack(content);
  for (const char* const expected : {"[]", "0"}) {
    ASSERT_EQ(reader.Next(&content), FrameReader::Result::kMessage);
    EXPECT_EQ(content, expected);
  }
  EXPECT_EQ(reader.Next(&content), FrameReader::Result::kEnd);
}

}  // namespace
}  // namespace onnxc::lsp::framing_test
