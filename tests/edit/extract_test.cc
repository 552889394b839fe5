// Parts of models, which become separate models.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/extract.h>
#include <onnxc/printer.h>

#include <string>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using Names = std::vector<std::string>;

/// The part of a model that is given as text.
struct Part {
  Part(const std::string& text, const Names& from, const Names& to) {
    SourceMap places;
    const SourceText source("m", text);
    EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
    found = RenderText(ExtractPart(&model, {.from = from, .to = to, .source_map = &places}), source);
  }

  [[nodiscard]] std::string Text() const { return Print(model).text; }

  onnx::ModelProto model;
  std::string found;
};

const std::string kModel = R"(<ir_version: 10, opset_import: ["": 21, "f": 1, "g": 1]>
m (float[N, 2] x, float[2] u) => (float[N, 2] y)
<float[2] w = {1, 2}, float[2] v = {3, 4}, float[N, 2] c> {
  a = Mul (x, w)
  b = f.Half (a)
  c = Add (b, u)
  d = Mul (c, v)
  y = g.Twice (d)
}
<domain: "f", opset_import: ["": 21]> Half (p) => (q) { q = Relu (p) }
<domain: "g", opset_import: ["": 21]> Twice (p) => (q) { q = Add (p, p) }
)";

TEST(Extract, TakesWhatIsBetween) {
  const Part part(kModel, {"a", "u"}, {"c"});
  EXPECT_EQ(part.found, "");
  EXPECT_EQ(part.Text(), R"(<
   ir_version: 10,
   opset_import: ["": 21, "f": 1]
>
m (float[N, 2] a, float[2] u) => (float[N, 2] c) {
   b = f.Half (a)
   c = Add (b, u)
}

<
   domain: "f",
   opset_import: ["": 21]
>
Half (p) => (q) {
   q = Relu (p)
})");
  EXPECT_TRUE(testing::Ok(CheckModel(part.model)));
}

TEST(Extract, BeginsAndEndsAtTheGraph) {
  const Part to(kModel, {}, {"b"});
  EXPECT_EQ(to.found, "");
  ASSERT_EQ(to.model.graph().input_size(), 1);
  EXPECT_EQ(to.model.graph().input(0).name(), "x");
  EXPECT_EQ(to.model.graph().initializer_size(), 1);
  const Part from(kModel, {"c"}, {});
  EXPECT_EQ(from.found, "");
  EXPECT_EQ(from.model.graph().output(0).name(), "y");
  EXPECT_EQ(from.model.graph().value_info_size(), 0);
  EXPECT_EQ(from.model.functions_size(), 1);
}

TEST(Extract, AnInitializerMayBeAnInput) {
  const Part part(kModel, {"c", "v"}, {"d"});
  EXPECT_EQ(part.found, "");
  EXPECT_EQ(part.model.graph().initializer_size(), 0);
  EXPECT_NE(part.Text().find("(float[N, 2] c, float[2] v)"), std::string::npos) << part.Text();
}

TEST(Extract, AnInitializerThatIsAnInputToo) {
  const Part part(R"(<ir_version: 3, opset_import: ["": 7]>
m (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { a = Neg (x) y = Mul (a, w) })",
                  {"a"}, {"y"});
  EXPECT_EQ(part.found, "");
  EXPECT_EQ(part.model.graph().input_size(), 2);
  EXPECT_EQ(part.model.graph().initializer_size(), 1);
}

TEST(Extract, InputsKeepTheirOrder) {
  const Part part(R"(<ir_version: 3, opset_import: ["": 7]>
m (float[2] w, float[2] x, float[2] v) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {1, 2}> {
  a = Mul (x, w)
  y = Mul (a, v)
})",
                  {}, {});
  EXPECT_EQ(part.found, "");
  EXPECT_NE(part.Text().find("m (float[2] w, float[2] x, float[2] v) => (float[2] y)"), std::string::npos)
      << part.Text();
}

// The attributes of Gradient are names of values.
TEST(Extract, SeesTheValuesOfAGradient) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21, "ai.onnx.preview.training": 1]>
m (float[2] x) => (float[2] y, float[2] d) {
  c = Neg (x)
  y = Abs (c)
  d = ai.onnx.preview.training.Gradient <xs = ["x"], y = "y"> (x)
})";
  const Part part(text, {}, {"d"});
  EXPECT_EQ(part.found, "");
  EXPECT_EQ(part.model.graph().node_size(), 3);
}

TEST(Extract, SeesWhatBranchesRead) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (bool c, float[2] x) => (float[2] y) <float[2] w = {1, 2}> {
  a = Neg (x)
  b = Neg (a)
  y = If (c) <
    then_branch = t () => (p) { a = Abs (b) p = Mul (a, w) },
    else_branch = e () => (q) { q = Identity (b) }
  >
})";
  const Part part(text, {"c", "b"}, {"y"});  // the branch defines the `a` that it reads
  EXPECT_EQ(part.found, "");
  EXPECT_EQ(part.model.graph().node_size(), 1);
  EXPECT_EQ(part.model.graph().initializer_size(), 1);
  const Part missing(text, {"c"}, {"y"});
  EXPECT_EQ(
      missing.found,
      R"(m:3:12: error: the part also needs the graph's input 'x'; add it to the values at which the part begins [unknown-name]
    3 |   a = Neg (x)
      |            ^
)");
}

TEST(Extract, KeepsAnnotationsWithTheirScales) {
  onnx::ModelProto model = FromTextProto<onnx::ModelProto>(R"pb(
    ir_version: 8
    opset_import { version: 17 }
    graph {
      name: "g"
      node { input: "x" output: "a" op_type: "Relu" }
      node { input: "a" output: "y" op_type: "Neg" }
      initializer { name: "s" data_type: 1 float_data: 1 }
      initializer { name: "t" data_type: 1 float_data: 1 }
      input {
        name: "x"
        type {
          tensor_type {
            elem_type: 1
            shape {}
          }
        }
      }
      output {
        name: "y"
        type {
          tensor_type {
            elem_type: 1
            shape {}
          }
        }
      }
      quantization_annotation {
        tensor_name: "a"
        quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "s" }
      }
      quantization_annotation {
        tensor_name: "y"
        quant_parameter_tensor_names { key: "SCALE_TENSOR" value: "t" }
      }
    }
  )pb");
  EXPECT_TRUE(ExtractPart(&model, {.to = {"a"}}).empty());
  ASSERT_EQ(model.graph().quantization_annotation_size(), 1);
  ASSERT_EQ(model.graph().initializer_size(), 1);
  EXPECT_EQ(model.graph().initializer(0).name(), "s");
}

TEST(Extract, WeightsStayWhereTheyAre) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(kModel, &model)));
  const onnx::TensorProto* const weights = &model.graph().initializer(1);
  EXPECT_TRUE(ExtractPart(&model, {.from = {"c"}, .to = {"d"}}).empty());
  EXPECT_EQ(&model.graph().initializer(0), weights);
}

TEST(Extract, TellsWhatIsMissing) {
  Part part(kModel, {"aa"}, {"c", "zzz"});
  EXPECT_EQ(part.found, R"(m: error: no value named 'aa' is visible here [unknown-name]
m: error: no value named 'zzz' is visible here [unknown-name]
)");
  onnx::ModelProto before;
  ASSERT_TRUE(testing::Ok(Parse(kModel, &before)));
  EXPECT_EQ(Bytes(part.model), Bytes(before));
  const Diagnostics found = ExtractPart(&part.model, {.from = {"b"}, .to = {"c"}});
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(found.items()[0].path, "graph.node[2].input[1]");
  EXPECT_EQ(found.items()[0].message,
            "the part also needs the graph's input 'u'; add it to the values at which the part begins");
}

TEST(Extract, SuggestsNames) {
  const std::string text = R"(<ir_version: 10, opset_import: ["": 21]>
m (float[4] weights) => (float[4] y) { [first] a = Relu (weights) [first] b = Neg (a) y = Abs (b) })";
  EXPECT_EQ(Part(text, {}, {"wieghts", "first"}).found,
            "m: error: no value named 'wieghts' is visible here; did you mean 'weights'? [unknown-name]\n"
            "m: error: no value named 'first' is visible here; the node of this name computes 'a' [unknown-name]\n");
  // A search takes time for each known name, so not every unknown name gets a suggestion.
  constexpr int kMany = 1000;
  const Part many(text, {}, Names(kMany, "wieghts"));
  const auto count = [&](std::string_view what) {
    int times = 0;
    for (std::size_t at = many.found.find(what); at != std::string::npos; at = many.found.find(what, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count("no value named 'wieghts'"), kMany);
  EXPECT_GE(count("did you mean 'weights'?"), 1);
  EXPECT_LT(count("did you mean 'weights'?"), 100);
}

TEST(Extract, NeedsAGraph) {
  onnx::ModelProto model;
  EXPECT_EQ(RenderText(ExtractPart(&model, {}), SourceText("m", "")),
            "m: error: the model has no graph [not-the-kind]\n");
  model.add_functions()->set_name("f");
  const std::string before = Bytes(model);
  EXPECT_EQ(RenderText(ExtractPart(&model, {}), SourceText("m", "")),
            "m: error: this is a library of functions, which has no graph [not-the-kind]\n");
  EXPECT_EQ(Bytes(model), before);
}

TEST(Extract, OneOutputOfANodeIsNoBeginningForAnother) {
  const Part part(R"(<ir_version: 10, opset_import: ["": 21]>
m (float[4] x) => (float[2] y) { a, b = Split <num_outputs = 2> (x) y = Add (a, b) })",
                  {"x", "a"}, {"y"});
  EXPECT_EQ(
      part.found,
      R"(m:2:81: error: the part needs 'b', but begins at 'a', which is another output of the same node [unknown-name]
    2 | m (float[4] x) => (float[2] y) { a, b = Split <num_outputs = 2> (x) y = Add (a, b) }
      |                                                                                 ^
)");
}

TEST(Extract, WarnsOfWhatThePartDoesNotHave) {
  const Part unread(kModel, {"a", "u", "x"}, {"c"});
  EXPECT_EQ(unread.found, "m: warning: nothing uses the input 'x' [unused-input]\n");
  const Part untyped(R"(<ir_version: 10, opset_import: ["": 21, "com.o": 1]>
m (float[2] x) => (float[2] y) { a = com.o.Unknown (x) y = com.o.Other (a) })",
                     {"a"}, {});
  EXPECT_EQ(untyped.found, "m: warning: the value 'a' has no type: its type is not completely known [old-untyped]\n");
}

// The checker only warns about an annotation that names a value that does not exist.
TEST(Extract, TakesAnnotationsThatNameNothing) {
  for (const bool is_inside : {false, true}) {
    onnx::ModelProto model;
    ASSERT_TRUE(testing::Ok(Parse(R"(<ir_version: 10, opset_import: ["": 21]>
m (float[2] x, bool c) => (float[2] y) {
  y = If (c) <then_branch = t () => (float[2] a) { a = Relu (x) }, else_branch = e () => (float[2] b) { b = Abs (x) }>
})",
                                  &model)));
    auto* graph = model.mutable_graph();
    if (is_inside) graph = graph->mutable_node(0)->mutable_attribute(0)->mutable_g();
    auto* const annotation = graph->add_quantization_annotation();
    annotation->set_tensor_name(is_inside ? "a" : "y");
    annotation->add_quant_parameter_tensor_names()->set_value("nowhere");
    const onnx::ModelProto before = model;
    EXPECT_TRUE(testing::Ok(ExtractPart(&model, {.to = {"y"}})));
    EXPECT_EQ(model.SerializeAsString(), before.SerializeAsString());
  }
}

TEST(Extract, LeavesTrainingOut) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(kModel, &model)));
  model.add_training_info()->mutable_algorithm()->set_name("t");
  const Diagnostics found = ExtractPart(&model, {.to = {"b"}});
  EXPECT_EQ(RenderText(found, SourceText("m", "")),
            "m: warning: training_info was left out: it applies only to the complete graph [old-dropped]\n");
  EXPECT_EQ(model.training_info_size(), 0);
}

}  // namespace
}  // namespace onnxc::testing
