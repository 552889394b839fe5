// Without checksums, names determine which tensor of a model supplies the data; the order of tensors is never used.
#include "weights/names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <onnxc/model_io.h>

#include <set>

#include "testing/predicates.h"
#include "weights/tensors.h"
#include "weights/weights_testing.h"

namespace onnxc::testing {
namespace {

constexpr const char* kHead = "<ir_version: 10, opset_import: [\"\" : 21, \"d\" : 1]>\n";

class WeightNames : public InFolder {
 protected:
  void WriteModel(const std::string& name, const std::string& text) const {
    std::string bytes;
    ASSERT_TRUE(testing::Ok(Encode(ModelOf(kHead + text), Format::kBinary, &bytes)));
    WriteAs(name, bytes);
  }

  /// The text of a skeleton after its data are supplied from full.onnx; if there are errors, the errors.
  [[nodiscard]] std::string Attached(const std::string& text) const {
    onnx::ModelProto model = ModelOf(kHead + text);
    const Diagnostics found = AttachWeights(&model, Path("full.onnx"), Here());
    if (!found.ok()) return Told(found);
    const PrintResult printed = Print(model);
    return printed.text.substr(printed.text.find("g ("));
  }

  /// Both texts are the same except for the data.
  void ExpectSame(const std::string& skeleton, const std::string& full) const {
    const PrintResult printed = Print(ModelOf(kHead + full));
    EXPECT_EQ(Attached(skeleton), printed.text.substr(printed.text.find("g ("))) << skeleton;
  }
};

constexpr const char* kGap = R"(float[1] = ["elided": ""])";

std::string With(const char* text, const std::string& data) {
  std::string result;
  for (const char* at = text; *at != '\0'; ++at) *at == '$' ? result += data : result += *at;
  return result;
}

TEST_F(WeightNames, SwappedConstantsKeepTheirData) {
  WriteModel(
      "full.onnx",
      "g () => (y) { a = Constant <value = float[1] {1}> () b = Constant <value = float[1] {2}> () y = Sub (a, b) }");
  ExpectSame(
      With("g () => (y) { b = Constant <value = $> () a = Constant <value = $> () y = Sub (a, b) }", kGap),
      "g () => (y) { b = Constant <value = float[1] {2}> () a = Constant <value = float[1] {1}> () y = Sub (a, b) }");
}

TEST_F(WeightNames, HarmlessEditsChangeNothing) {
  WriteModel("full.onnx", R"(g (float[1] x) => (float[1] y) <float[1] v = {1}, float[1] w = {2}> {
      [n] a = ConstantOfShape <value = float[1] {3}> (x)
      y = If (x) <then_branch = t () => (float[1] u) <float[1] k = {4}> { u = Add (k, v) },
                  else_branch = e () => (float[1] u) { k = Constant <value = float[1] {5}> () u = Add (k, w) }> }
      <domain: "d", opset_import: ["" : 21]> f (p) => (q) { k = Constant <value = float[1] {6}> () q = Add (p, k) })");
  // Nodes and graphs are swapped, inserted and renamed, and a constant becomes an initializer.
  ExpectSame(R"(other (float[1] x) => (float[1] y) <float[1] w = ["elided": ""], float[1] v = ["elided": ""]> {
      z = Neg (x)
      y = If (z) <else_branch = e2 () => (float[1] u) <float[1] k = ["elided": ""]> { u = Add (k, w) },
                  then_branch = t2 () => (float[1] u) { k = Constant <value = float[1] = ["elided": ""]> () u = Add (k, v) }>
      [m] a = ConstantOfShape <value = float[1] = ["elided": ""]> (z) }
      <domain: "d", opset_import: ["" : 21]> f (p) => (q) { k = Constant <value = float[1] = ["elided": ""]> () q = Add (p, k) })",
             R"(other (float[1] x) => (float[1] y) <float[1] w = {2}, float[1] v = {1}> {
      z = Neg (x)
      y = If (z) <else_branch = e2 () => (float[1] u) <float[1] k = {5}> { u = Add (k, w) },
                  then_branch = t2 () => (float[1] u) { k = Constant <value = float[1] {4}> () u = Add (k, v) }>
      [m] a = ConstantOfShape <value = float[1] {3}> (z) }
      <domain: "d", opset_import: ["" : 21]> f (p) => (q) { k = Constant <value = float[1] {6}> () q = Add (p, k) })");
  // A tensor in another graph is found by its name if the name is unique, but not if three tensors have it.
  EXPECT_NE(
      Attached(
          R"(g (float[1] x) => (y) { y = If (x) <then_branch = t () => (u) { u = Add (v, x) v = Constant <value = float[1] = ["elided": ""]> () }> })")
          .find("{1}"),
      std::string::npos);
  EXPECT_EQ(Attached(R"(g (x) => (y) { k = Constant <value = float[1] = ["elided": ""]> () y = Add (k, x) })"),
            "graph.node[0].attribute[\"value\"].t: this tensor: its data cannot be found in 'full.onnx', because the "
            "tensor has no name or shares its name with another tensor; a text that 'print --weights elide' writes "
            "contains checksums, which identify the data [weights-ambiguous]");
}

TEST_F(WeightNames, WhatHasNoneIsMatchedInTheSkeletonItselfOnly) {
  const char* const text = "g (x) => (y) { = d.Log <of = $> (x) = d.Log <of = $, all = [$, $]> (x) y = Relu (x) }";
  WriteModel("full.onnx", With(text, "float[1] {1}"));
  EXPECT_THAT(Attached(With(text, kGap)), ::testing::HasSubstr("float[1] {1}"));
  const std::string edited = Attached(With("g (x) => (y) { = d.Log <of = $> (x) y = Relu (x) }", kGap));
  EXPECT_TRUE(edited.ends_with("[weights-ambiguous]")) << edited;
}

TEST_F(WeightNames, ThatAreTheSameTwiceTellNothing) {
  WriteModel("full.onnx", "g () => () <float[1] w = {1}, float[1] w = {2}, float[2] v = {3, 4}> {}");
  EXPECT_THAT(Attached(R"(g () => () <float[1] w = ["elided": ""]> {})"), ::testing::EndsWith("[weights-ambiguous]"));
  const std::string twice = R"(g () => () <float[2] v = ["elided": ""], float[2] v = ["elided": ""]> {})";
  EXPECT_NE(Attached(twice).find("; the same applies to 1 more tensor; "), std::string::npos) << Attached(twice);
  EXPECT_THAT(Attached(R"(g () => () <float[1] v = ["elided": ""]> {})"), ::testing::EndsWith("[weights-other-type]"));
}

TEST_F(WeightNames, SafetensorsKnowConstantsByTheirOutputs) {
  onnx::ModelProto full = ModelOf(
      "g () => (y) { a = Constant <value = float[1] {1}> () b = Constant <value = float[1] {2}> () y = Sub (a, b) }");
  ASSERT_EQ(Told(Save(&full, "w.safetensors")), "");
  onnx::ModelProto model =
      ModelOf(With("g () => (y) { b = Constant <value = $> () a = Constant <value = $> () y = Sub (a, b) }", kGap));
  ASSERT_EQ(Told(AttachWeights(&model, Path("w.safetensors"), Here())), "");
  ASSERT_EQ(Told(InlineExternal(&model, Here())), "");
  EXPECT_EQ(model.graph().node(0).attribute(0).t().raw_data(), std::string("\0\0\0\x40", 4));
  model = ModelOf(With("g (x) => (y) { y = Relu (x) = d.Log <of = $> (x) }", kGap));
  EXPECT_TRUE(Told(AttachWeights(&model, Path("w.safetensors"), Here())).ends_with("[weights-ambiguous]"));
}

TEST_F(WeightNames, SkeletonsKeepShapes) {
  onnx::ModelProto model =
      ModelOf("g () => () <int64[2] s = {2, 3}, int64 one = {1}, int64[1, 2] m = {1, 2}, int32[1] i = {1}> {}");
  ASSERT_EQ(Told(ElideWeights(&model, Elision::kNothing, 1)), "");
  EXPECT_EQ(Bytes(model),
            Bytes(ModelOf(R"(g () => () <int64[2] s = {2, 3}, int64 one = {1}, int64[1, 2] m = ["elided": ""],
                             int32[1] i = ["elided": ""]> {})")));
}

// The time for many tensors below one long name is linear in the length of the name plus the number of tensors.
TEST_F(WeightNames, AreFoundInLinearTime) {
  onnx::ModelProto model;
  onnx::NodeProto* const node = model.mutable_graph()->add_node();
  node->add_output(std::string(1 << 20, 'n'));
  constexpr int kTensors = 5000;
  for (int i = 0; i < kTensors; ++i) {
    onnx::AttributeProto* const attribute = node->add_attribute();
    attribute->set_name(fmt::format("a{}", i));
    attribute->mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  }
  weights::TensorNames names;
  std::set<std::uint32_t> numbers;
  weights::ForEachTensor(&model,
                         [&](onnx::TensorProto*, const Place& place) { numbers.insert(names.Of(place).exact); });
  EXPECT_EQ(numbers.size(),
            static_cast<std::size_t>(kTensors));  // if each tensor had a complete name, there would be 5 GB of names
}

}  // namespace
}  // namespace onnxc::testing
