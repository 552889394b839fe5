// The map of places, whose index is built at the first query: entries that are added later must be found as well.
#include <gtest/gtest.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <utility>
#include <vector>

namespace onnxc {
namespace {

TEST(SourceMap, FindsWhatIsSetAfterALook) {
  const onnx::NodeProto node;
  const onnx::NodeProto other;
  SourceMap map;
  map.Set(node, {1, 2});
  ASSERT_NE(map.Find(node), nullptr);
  map.Set(other, {3, 4});
  ASSERT_NE(map.Find(other), nullptr);
  EXPECT_EQ(*map.Find(other), (SourceRange{3, 4}));
  EXPECT_EQ(*map.Find(node), (SourceRange{1, 2}));
}

TEST(SourceMap, IsWholeWhereverItIsMovedOrCopied) {
  const onnx::NodeProto node;
  const onnx::NodeProto other;
  for (const bool has_index : {false, true}) {
    SourceMap map;
    map.Set(node, {1, 2});
    if (has_index) {
      ASSERT_NE(map.Find(node), nullptr);
    }
    const SourceMap copy = map;
    SourceMap moved = std::move(map);
    moved.Set(other, {3, 4});
    ASSERT_NE(moved.Find(node), nullptr);
    ASSERT_NE(moved.Find(other), nullptr);
    EXPECT_EQ(*moved.Find(other), (SourceRange{3, 4}));
    ASSERT_NE(copy.Find(node), nullptr);
    EXPECT_EQ(copy.Find(other), nullptr);
    // A map that was moved from is empty, and can be used again.
    EXPECT_EQ(map.Find(node), nullptr);  // NOLINT(bugprone-use-after-move)
    map.Set(other, {5, 6});
    ASSERT_NE(map.Find(other), nullptr);
    EXPECT_EQ(*map.Find(other), (SourceRange{5, 6}));
  }
}

// The first queries search the entries, and later queries use the index; both must give the same results.
TEST(SourceMap, TellsWhatWasSaidLastHoweverOftenItIsAsked) {
  constexpr int kQuestions = 50;
  const onnx::NodeProto node;
  const onnx::NodeProto other;
  SourceMap map;
  map.Set(node, {1, 2});
  map.Set(node, {3, 4}, 1);
  map.Set(node, {5, 6});
  for (int i = 0; i < kQuestions; ++i) {
    ASSERT_NE(map.Find(node), nullptr);
    EXPECT_EQ(*map.Find(node), (SourceRange{5, 6})) << i;
    EXPECT_EQ(*map.Find(node, 1), (SourceRange{3, 4})) << i;
    EXPECT_EQ(*map.Find(node, 2), (SourceRange{5, 6})) << i;
    EXPECT_EQ(map.Find(other), nullptr) << i;
  }
  map.Set(node, {7, 8}, 1);
  EXPECT_EQ(*map.Find(node, 1), (SourceRange{7, 8}));
}

// Until the first query, each place is stored in a few bytes. This must work for numbers of any size, in any order, of
// many messages.
TEST(SourceMap, KeepsAnyPlace) {
  constexpr std::size_t kFar = std::size_t{5} << 32;
  const std::vector<onnx::NodeProto> nodes(20'000);
  SourceMap map;
  const auto range_of = [&](std::size_t i) { return SourceRange{(i * 7919) % kFar * i, (i * 7919) % kFar * i + i}; };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    map.Set(nodes[i], range_of(i));
    map.Set(nodes[i / 2], range_of(i + 1), 1 << 28, static_cast<int>(i));
    map.Set(nodes[i], kNowhere, 3);
  }
  for (int round = 0; round < 2; ++round) {  // without the index, and with it
    for (std::size_t i = 0; i < nodes.size(); i += round == 0 ? nodes.size() / 4 : 1) {
      ASSERT_EQ(*map.Find(nodes[i]), range_of(i));
      ASSERT_EQ(*map.Find(nodes[i / 2], 1 << 28, static_cast<int>(i)), range_of(i + 1));
      ASSERT_EQ(*map.Find(nodes[i], 3), kNowhere);
    }
  }
  EXPECT_EQ(map.size(), 3 * nodes.size());
}

}  // namespace
}  // namespace onnxc
