#include "source/rare_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace onnxc {
namespace {

bool AreSame(const RareParts& a, const RareParts& b) {
  return a.MayHave(RarePart::kBackslash) == b.MayHave(RarePart::kBackslash) &&
         a.MayHave(RarePart::kAllowed) == b.MayHave(RarePart::kAllowed) &&
         a.MayHave(RarePart::kDoubledComma) == b.MayHave(RarePart::kDoubledComma);
}

TEST(RareParts, OfAnEditedTextAreThoseOfANewText) {
  std::mt19937 random(3);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the edits are the same each time
  const auto below = [&](std::size_t limit) { return random() % limit; };
  constexpr std::string_view kPieces[] = {"", "", ",", "\\", "onnxc", "-allow", "-", ":", "x", "onnxc-allow:"};
  std::string text;
  RareParts parts{std::string_view()};
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t begin = below(text.size() + 1);
    const std::size_t end = begin + below(std::min<std::size_t>(text.size() - begin, 12) + 1);
    const std::string now = std::string(text).replace(begin, end - begin, kPieces[below(std::size(kPieces))]);
    SCOPED_TRACE(fmt::format("edit {}: {}\n==>\n{}", i, text, now));
    const CommonEnds known = {begin, text.size() - end};
    const CommonEnds same = CommonEndsOf(text, now, known);
    const CommonEnds whole = CommonEndsOf(text, now);
    ASSERT_TRUE(same.begin == whole.begin && same.end == whole.end) << text << " becomes " << now;
    parts = RareParts(now, parts, below(2) == 0 ? known : same);
    ASSERT_TRUE(AreSame(parts, RareParts(now))) << text << " becomes " << now;
    text = now;
  }
}

TEST(RareParts, MayAllBeInAnUnknownText) { EXPECT_TRUE(RareParts().MayHave(RarePart::kDoubledComma)); }

}  // namespace
}  // namespace onnxc
