// AddTypes() writes the same types into a message as WithTypes() writes into a copy, even if the replaced types contain
// the names of symbols.
#include <google/protobuf/arena.h>
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <filesystem>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

void ExpectSame(const onnx::ModelProto& model, const std::string& what) {
  for (const bool overwrite : {false, true}) {
    const InferOptions options{.overwrite = overwrite};
    const std::string expected = WithTypes(model, InferTypes(model, options), overwrite).message.SerializeAsString();
    google::protobuf::Arena arena;
    auto* const placed = NewIn<onnx::ModelProto>(&arena);
    *placed = model;
    (void)AddTypes(placed, InferTypes(*placed, options), overwrite);
    EXPECT_TRUE(testing::AreSame(placed->SerializeAsString(), expected)) << what << (overwrite ? ", overwrite" : "");
    onnx::ModelProto owned = model;
    (void)AddTypes(&owned, InferTypes(owned, options), overwrite);
    EXPECT_TRUE(testing::AreSame(owned.SerializeAsString(), expected)) << what << (overwrite ? ", overwrite" : "");
  }
}

TEST(AddTypes, OfTheTextsOfTheTests) {
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    onnx::ModelProto model;
    if (!Parse(ReadWhole(entry.path()), &model).ok()) continue;
    ExpectSame(model, entry.path().string());
    ++models;
  }
  EXPECT_GT(models, 20);
}

TEST(AddTypes, OfAnyMessage) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    ExpectSame(model, "seed " + std::to_string(seed));
  }
}

TEST(AddTypes, WhereDeclaredSymbolsAreReplaced) {
  const std::string text = R"(<ir_version: 10, opset_import: ["" : 21]>
g (float[A_name_that_is_longer_than_a_short_string, 2] x, bool c) => (float[B, C] y, float[D] z)
   <float[A_name_that_is_longer_than_a_short_string, Another_name_that_is_long] s, float[M] t> {
   s = Relu (x)
   u = Abs (s)
   t = ReduceSum <keepdims = 0> (u, axes)
   axes = Constant <value = int64[1] {1}> ()
   y = If (c) <then_branch = a () => (float[Q, 2] p) { p = Relu (u) }, else_branch = b () => (float[R, 2] q) { q = Abs (s) }>
   z = Neg (t)
})";
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(text, &model)));
  ExpectSame(model, "symbols");
}

}  // namespace
}  // namespace onnxc::testing
