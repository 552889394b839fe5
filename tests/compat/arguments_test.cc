// Functions of the library report arguments that do not belong together, such as a source map of another message.
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/checker.h>
#include <onnxc/differ.h>
#include <onnxc/extract.h>
#include <onnxc/formatter.h>
#include <onnxc/infer.h>
#include <onnxc/inline.h>
#include <onnxc/printer.h>
#include <onnxc/remove.h>
#include <onnxc/set.h>
#include <onnxc/sort.h>

#include <optional>
#include <sstream>
#include <string>

#include "testing/predicates.h"

namespace onnxc {
namespace {

constexpr std::string_view kText =
    "<ir_version: 8, opset_import: [\"\": 17]>\ng (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { h = Add (x, w) "
    "y = Relu (h) }";
constexpr std::string_view kForeign = "error: the source map was made for a different message [other-message]\n";

std::string Shown(const Diagnostics& found) {
  std::ostringstream stream;
  stream << found;
  return stream.str();
}

class Arguments : public ::testing::Test {
 protected:
  Arguments() { EXPECT_TRUE(testing::Ok(Parse(kText, &model_, {.source_map_out = &places_}))); }

  onnx::ModelProto model_;
  SourceMap places_;
};

TEST_F(Arguments, TheSourceMapOfACopyIsAnError) {
  EXPECT_TRUE(testing::Ok(CheckModel(model_, {.source_map = &places_})));
  EXPECT_TRUE(testing::Ok(CheckGraph(model_.graph(), {.source_map = &places_})));
  EXPECT_TRUE(testing::Ok(CheckNode(model_.graph().node(0), {.source_map = &places_})));
  onnx::ModelProto copy = model_;
  EXPECT_EQ(Shown(CheckModel(copy, {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(CheckGraph(copy.graph(), {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(CheckNode(copy.graph().node(0), {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(InferTypes(copy, {.source_map = &places_}).diagnostics), kForeign);
  EXPECT_EQ(Shown(ExtractPart(&copy, {.to = {"h"}, .source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(SetInModel(&copy, {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(InlineFunctions(&copy, {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(RemoveNodes(&copy, {.source_map = &places_})), kForeign);
  EXPECT_EQ(Shown(SortNodes(&copy, {.source_map = &places_})), kForeign);
}

TEST_F(Arguments, TheInferenceOfACopyIsAnError) {
  constexpr std::string_view kExpected = "error: the inference was made for a different message [other-message]\n";
  const onnx::ModelProto copy = model_;
  const Inference inference = InferTypes(copy);
  EXPECT_TRUE(inference.IsOf(copy));
  EXPECT_FALSE(inference.IsOf(model_));
  EXPECT_EQ(Shown(WithTypes(model_, inference).diagnostics), kExpected);
  EXPECT_EQ(Shown(WithTypes(model_.graph(), inference).diagnostics), kExpected);
  EXPECT_EQ(Shown(AddTypes(&model_, inference)), kExpected);
  google::protobuf::Arena arena;
  auto* const placed = NewIn<onnx::ModelProto>(&arena);
  *placed = model_;
  EXPECT_EQ(Shown(AddTypes(placed, inference)), kExpected);
  EXPECT_EQ(placed->SerializeAsString(), model_.SerializeAsString());
}

TEST_F(Arguments, TwoTypesAreOneDifference) {
  const auto differences = Diff(model_, model_.graph());
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].before, "onnx.ModelProto");
  EXPECT_EQ(differences[0].after, "onnx.GraphProto");
}

TEST_F(Arguments, TheInferenceIsResetWhereTypesAreNotInferred) {
  std::optional<Inference> inference;
  EXPECT_TRUE(testing::Ok(CheckModel(model_, {.inference_out = &inference})));
  EXPECT_TRUE(inference.has_value());
  EXPECT_TRUE(testing::Ok(CheckModel(model_, {.infer = false, .inference_out = &inference})));
  EXPECT_FALSE(inference.has_value());
  inference.emplace();
  EXPECT_TRUE(testing::Ok(CheckNode(model_.graph().node(0), {.inference_out = &inference})));
  EXPECT_FALSE(inference.has_value());
}

TEST_F(Arguments, ConstantsAreGivenOnRequest) {
  const Inference some = InferTypes(model_);
  EXPECT_EQ(some.Find(model_.graph(), "w")->constant, nullptr);
  const Inference all = InferTypes(model_, {.all_constants = true});
  const ConstantValue* const weight = all.Find(model_.graph(), "w")->constant;
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(std::vector<double>(weight->reals.begin(), weight->reals.end()), (std::vector<double>{1, 2}));
}

TEST_F(Arguments, GraphsAndFunctionsAloneGetTypes) {
  const onnx::GraphProto& graph = model_.graph();
  const Typed<onnx::GraphProto> typed = WithTypes(graph, InferTypes(graph));
  ASSERT_TRUE(testing::Ok(typed));
  ASSERT_EQ(typed.message.value_info_size(), 1);
  EXPECT_EQ(typed.message.value_info(0).name(), "h");

  onnx::FunctionProto function;
  ASSERT_TRUE(testing::Ok(Parse(
      "<domain: \"d\", opset_import: [\"\": 17]> f (x) => (y) <float[2] x, float[?] y> { y = Relu (x) }", &function)));
  const Typed<onnx::FunctionProto> filled = WithTypes(function, InferTypes(function));
  ASSERT_TRUE(testing::Ok(filled));
  EXPECT_EQ(filled.message.value_info(1).type().tensor_type().shape().dim(0).dim_value(), 2);
}

TEST_F(Arguments, APrintedTextIsFormatted) {
  const std::string printed = Print(model_, {.final_line_break = true}).text;
  EXPECT_EQ(printed, Print(model_).text + "\n");
  EXPECT_EQ(FormatText(printed).text, printed);
  const std::string node = Print(model_.graph().node(0), {.final_line_break = true}).text;
  EXPECT_EQ(FormatText(node, {.kind = Kind::kNode}).text, node);
}

}  // namespace
}  // namespace onnxc
