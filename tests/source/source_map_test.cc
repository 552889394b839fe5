// The map of places, whose index is made when somebody asks: what is set later must be found as well.
#include <gtest/gtest.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <utility>

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
    // What was moved from is empty, and can be used again.
    EXPECT_EQ(map.Find(node), nullptr);  // NOLINT(bugprone-use-after-move)
    map.Set(other, {5, 6});
    ASSERT_NE(map.Find(other), nullptr);
    EXPECT_EQ(*map.Find(other), (SourceRange{5, 6}));
  }
}

// The first questions look through the entries, later ones use the index, and both must say the same.
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

}  // namespace
}  // namespace onnxc
