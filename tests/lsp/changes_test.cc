// A message may contain many changes: each applies to the text that results from the changes before it.
#include "lsp/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/places.h"

namespace onnxc::lsp::changes_test {
namespace {

constexpr std::string_view kTexts[] = {"one\ntwo é 😀\r\n\nfour 😀 😀\n  five, six, seven\nlast", "\r\nab\r", "\r", "",
                                       "\n\r\n😀\n"};

enum class Order { kForward, kBackward, kAny };

/// The expected text, which results from applying some changes one by one, and the message that contains them.
struct Script {
  std::string text;
  Json changes = Json::array();
};
Script MakeScript(std::string_view before, Order order, std::mt19937* random) {
  constexpr std::string_view kPieces[] = {"", "x", "\n", "é", "😀", "two\nlines", "\r\n", "\r"};
  const auto below = [&](std::size_t count) { return (*random)() % count; };
  Script script{.text = std::string(before)};
  std::size_t from = 0;
  std::size_t to = script.text.size();
  for (std::size_t left = 1 + below(8); left > 0; --left) {
    const std::size_t first = from + below(to - from + 1);
    const std::size_t begin = std::max(PlaceNear(script.text, first), PlaceNear(script.text, from));
    const std::size_t end = std::max(begin, PlaceNear(script.text, std::min(to, begin + below(4))));
    const std::string_view piece = kPieces[below(std::size(kPieces))];
    script.changes.push_back(
        {{"range", {{"start", PositionIn(script.text, begin)}, {"end", PositionIn(script.text, end)}}},
         {"text", piece}});
    script.text.replace(begin, end - begin, piece);
    if (order == Order::kForward) from = begin + piece.size();
    if (order == Order::kBackward) to = begin;
    if (order != Order::kBackward) to = script.text.size();
  }
  return script;
}

TEST(Changes, GiveInAnyOrderWhatTheyGiveOneByOne) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the changes are the same each time
  for (const std::string_view text : kTexts) {
    const Snapshot before("file:///nowhere/changes.onnxtxt", 0, std::string(text), Encoding::kUtf16,
                          std::make_shared<Settings>());
    for (const Order order : {Order::kForward, Order::kBackward, Order::kAny}) {
      for (int i = 0; i < 1000; ++i) {
        const Script script = MakeScript(text, order, &random);
        SCOPED_TRACE(script.changes.dump(1));
        ASSERT_EQ(Changed(before, script.changes), script.text);
      }
    }
  }
}

TEST(Changes, BeyondTheTextAreMadeAtItsEnd) {
  const Snapshot before("file:///nowhere/changes.onnxtxt", 0, "a\nb", Encoding::kUtf16, std::make_shared<Settings>());
  const Json far = {{"line", 18446744073709551615u}, {"character", 18446744073709551615u}};
  const Json change = {{"range", {{"start", far}, {"end", far}}}, {"text", "c\n"}};
  EXPECT_EQ(Changed(before, Json::array({change, change, change})), "a\nbc\nc\nc\n");
}

TEST(Changes, OfARangeThatEndsBeforeItBeginsAreRefused) {
  const Snapshot before("file:///nowhere/changes.onnxtxt", 0, "a\nb", Encoding::kUtf16, std::make_shared<Settings>());
  const Json change = {
      {"range", {{"start", {{"line", 1}, {"character", 1}}}, {"end", {{"line", 0}, {"character", 1}}}}}, {"text", ""}};
  EXPECT_THROW((void)Changed(before, Json::array({change})), RequestError);
}

}  // namespace
}  // namespace onnxc::lsp::changes_test
