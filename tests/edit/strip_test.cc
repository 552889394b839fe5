// Models without weights that are still valid.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/printer.h>
#include <onnxc/strip.h>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

TEST(Strip, WeightsBecomeInputs) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(R"(<ir_version: 8, opset_import: ["": 17]>
m (float[N, 2] x, float[2] b = {1, 2}) => (float[N, 2] y)
<float[2, 2] w = {1, 2, 3, 4}, int64[2] s = {-1, 2}, float half = {0.5}, float[2] c> {
  c = Constant <value = float[2] {5, 6}> ()
  m = MatMul (x, w)
  n = Add (m, b)
  o = Mul (n, c)
  p = Mul (o, half)
  y = Reshape (p, s)
}
)",
                                &model)));
  EXPECT_TRUE(StripWeights(&model).empty());
  EXPECT_EQ(Print(model).text, R"(<
   ir_version: 8,
   opset_import: ["": 17]
>
m (float[N, 2] x, float[2] b, float[2, 2] w, float[2] c) => (float[N, 2] y) <
   int64[2] s = {-1, 2},
   float half = {0.5}
> {
   m = MatMul (x, w)
   n = Add (m, b)
   o = Mul (n, c)
   p = Mul (o, half)
   y = Reshape (p, s)
})");
  EXPECT_TRUE(testing::Ok(CheckModel(model)));
}

TEST(Strip, ConstantsOfEachSpellingAndForm) {
  onnx::ModelProto model;
  ASSERT_TRUE(Parse(R"(<ir_version: 8, opset_import: ["ai.onnx": 17]>
m (float[4] x) => (float[4] y) <float[4] a, @denotation "TENSOR" float[?] b> {
  a = ai.onnx.Constant <value = float[4] {1, 2, 3, 4}> ()
  b = Constant <sparse_value = sparse_tensor(float[4]) {1: 5, 2: 6}> ()
  c = Add (x, a)
  y = Add (c, b)
}
)",
                    &model)
                  .ok());
  EXPECT_TRUE(StripWeights(&model).empty());
  EXPECT_EQ(Print(model).text, R"(<
   ir_version: 8,
   opset_import: ["ai.onnx": 17]
>
m (float[4] x, float[4] a, @type.denotation "TENSOR" float[4] b) => (float[4] y) {
   c = Add (x, a)
   y = Add (c, b)
})");
}

TEST(Strip, WhatIsInsideIsCounted) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(R"(<ir_version: 8, opset_import: ["": 17]>
m (float[2] x, bool c) => (float[2] y) {
  y = If (c) <
    then_branch = t () => (p) <float[2] w = {1, 2}, sparse_tensor(float[2]) s = {1: 5}> { p = Mul (x, w) },
    else_branch = e () => (q) { v = Constant <value = float[2] {1, 2}> () q = Mul (x, v) }
  >
}
)",
                                &model)));
  EXPECT_EQ(RenderText(StripWeights(&model), SourceText("m", "")),
            "m: warning: 3 tensors in functions, or in graphs that are attributes, keep their data [left-behind]\n");
}

TEST(Strip, ALibraryStaysALibrary) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(R"(<domain: "d", opset_import: ["": 21]> f (x) => (y) {
  w = Constant <value = float[2] {1, 2}> ()
  y = Mul (x, w)
})",
                                &model, {.tell_functions_apart = true})));
  const std::string before = Bytes(model);
  EXPECT_EQ(RenderText(StripWeights(&model), SourceText("m", "")),
            "m: warning: 1 tensor in functions, or in graphs that are attributes, keep their data [left-behind]\n");
  EXPECT_EQ(Bytes(model), before);
}

}  // namespace
}  // namespace onnxc::testing
