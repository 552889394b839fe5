// Converting models to other versions of the operators: recorded pairs, what is refused, and there and back.
#include "convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/printer.h>
#include <onnxc/set.h>
#include <onnxc/source_map.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "source/nodes.h"
#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::HasSubstr;

onnx::ModelProto ModelOf(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

std::int64_t VersionOf(const onnx::ModelProto& model, const std::string& domain) {
  for (const auto& import : model.opset_import()) {
    if (import.domain() == domain) return import.version();
  }
  return 0;
}

/// Returns the nodes without the names of values and without the order of attributes, sorted.
std::vector<std::string> NodesOf(const onnx::ModelProto& model) {
  std::vector<std::string> nodes;
  ForEachNode(model, [&](const onnx::NodeProto& node) {
    std::vector<std::string> attributes;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) {
        attributes.push_back(attribute.name());  // its nodes are visited, too
      } else {
        attributes.push_back(Print(attribute).text);
      }
    }
    std::ranges::sort(attributes);
    std::string text = node.op_type();
    for (const std::string& attribute : attributes) text += " " + attribute;
    nodes.push_back(text + " " + std::to_string(node.input_size()) + " " + std::to_string(node.output_size()));
  });
  std::ranges::sort(nodes);
  return nodes;
}

struct Pair {
  std::string name;
  char up = '-';
  char down = '-';
  std::string domain;
  std::string old_text;
  std::string new_text;
};

std::vector<Pair> ReadPairs() {
  std::vector<Pair> pairs;
  std::istringstream lines(ReadWhole(std::filesystem::path(kTestdata) / "opsets/cases.txt"));
  bool is_new = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("==== ")) {
      std::istringstream words(line.substr(5));
      std::string up;
      std::string down;
      Pair pair;
      words >> pair.name >> up >> down >> pair.domain;
      pair.up = up.back();
      pair.down = down.back();
      pairs.push_back(pair);
      is_new = false;
    } else if (line == "--") {
      is_new = true;
    } else if (!pairs.empty()) {
      (is_new ? pairs.back().new_text : pairs.back().old_text) += line + "\n";
    }
  }
  return pairs;
}

std::vector<std::string> Messages(const Diagnostics& found) {
  std::vector<std::string> all;
  for (const Diagnostic& each : found.items()) all.push_back(ToString(each));
  return all;
}

void CheckDirection(const Pair& pair, const std::string& from, const std::string& to, char kind) {
  if (kind == '-') return;
  onnx::ModelProto model = ModelOf(from);
  const onnx::ModelProto goal = ModelOf(to);
  const Diagnostics found = SetInModel(&model, {.opsets = {{pair.domain, VersionOf(goal, pair.domain)}}});
  EXPECT_EQ(found.ok(), kind != '!') << pair.name << ::testing::PrintToString(Messages(found));
  if (kind == '=') {
    EXPECT_EQ(NodesOf(model), NodesOf(goal)) << pair.name << Print(model).text;
  }
  if (kind != '!') {
    EXPECT_EQ(VersionOf(model, pair.domain), VersionOf(goal, pair.domain)) << pair.name;
  }
}

TEST(Conversion, RecordedPairs) {
  const std::vector<Pair> pairs = ReadPairs();
  EXPECT_GT(pairs.size(), 200U);
  for (const Pair& pair : pairs) {
    CheckDirection(pair, pair.old_text, pair.new_text, pair.up);
    CheckDirection(pair, pair.new_text, pair.old_text, pair.down);
  }
}

// A conversion to the same version changes nothing, and one there and back gives equal nodes.
TEST(Conversion, ThereAndBack) {
  for (const Pair& pair : ReadPairs()) {
    if (pair.up != '=' || pair.down != '=') continue;
    onnx::ModelProto model = ModelOf(pair.old_text);
    const std::string before = Bytes(model);
    const std::int64_t version = VersionOf(model, pair.domain);
    const std::int64_t other = VersionOf(ModelOf(pair.new_text), pair.domain);
    EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{pair.domain, version}}})));
    EXPECT_EQ(Bytes(model), before) << pair.name;
    EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{pair.domain, other}}})));
    EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{pair.domain, version}}})));
    EXPECT_EQ(NodesOf(model), NodesOf(ModelOf(pair.old_text))) << pair.name;
  }
}

std::vector<std::string> Refusals(const std::string& text, std::int64_t version) {
  onnx::ModelProto model = ModelOf(text);
  return Messages(SetInModel(&model, {.opsets = {{"", version}}}));
}

TEST(Conversion, AllRefusalsAtOnceWithTheirPlaces) {
  const std::vector<std::string> found = Refusals(R"(<ir_version: 10, opset_import: ["": 21, "f": 1]>
g (float[2, 3] x, int64[1] axes, bool c) => (float[m] y) {
  y = If (c) <then_branch = t () => (float[m] a) { a = ReduceMax <keepdims = 0> (x, axes) },
              else_branch = e () => (float[m] b) { b = f.sum (x, axes) }>
  z = Mod (x, x)
  unread = Softmax (x)
}
<domain: "f", opset_import: ["": 21]> sum (a, axes) => (b) { b = ReduceMean <keepdims = 0> (a, axes) }
)",
                                                  17);
  ASSERT_EQ(found.size(), 2U) << ::testing::PrintToString(found);
  EXPECT_THAT(found[0], HasSubstr("graph.node[0].attribute[\"then_branch\"].g.node[0]"));
  EXPECT_THAT(found[0],
              HasSubstr("ReduceMax cannot be converted to version 17: the input 'axes' ('axes') must be a constant"));
  EXPECT_THAT(found[1], HasSubstr("functions[0]"));
}

// What only changing the number accepted, although the meaning changed or the result was invalid.
TEST(Conversion, MeaningsThatTheNumberAloneChanges) {
  const auto converted = [](const std::string& body, int from, int to, const std::string& x = "float[2, 3]") {
    onnx::ModelProto model = ModelOf("<ir_version: 8, opset_import: [\"\": " + std::to_string(from) + "]> g (" + x +
                                     " x) => (" + x + " y) { " + body + " }");
    const Diagnostics found = SetInModel(&model, {.opsets = {{"", to}}});
    return found.ok() ? Print(model.graph().node(model.graph().node_size() - 1)).text : Messages(found).front();
  };
  EXPECT_THAT(converted("y = Flatten <axis = -1> (x)", 11, 10), HasSubstr("axis = 1"));
  EXPECT_THAT(converted("y = Squeeze <axes = [-1]> (x)", 11, 10, "float[2, 1]"), HasSubstr("axes = [1]"));
  EXPECT_THAT(converted("y = Unsqueeze <axes = [-1]> (x)", 11, 10), HasSubstr("axes = [2]"));
  EXPECT_THAT(converted("y = Selu (x)", 5, 6), HasSubstr("alpha = 1.6732"));
  EXPECT_THAT(converted("p = Constant <value = int64[4] {0, 1, 0, 1}> () y = Pad <mode = \"wrap\"> (x, p)", 19, 18),
              HasSubstr("Identity"));
  EXPECT_THAT(converted("y = Mod (x, x)", 28, 27), HasSubstr("fmod = 0 takes no floating-point numbers"));
  EXPECT_THAT(converted("y = ScatterND <reduction = \"max\"> (x, i, x)", 18, 17),
              HasSubstr("there is no reduction 'max'"));
}

TEST(Conversion, FunctionsOfOldIrVersions) {
  onnx::ModelProto model = ModelOf(
      R"(<ir_version: 7, opset_import: ["": 12, "f": 1]> g (float[2, 3, 4] x) => (float[2, 3, 4] y) { y = f.soft (x) }
<domain: "f", opset_import: ["": 12]> soft (a) => (b) { b = Softmax (a) }
)");
  EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{"", 13}}})));
  EXPECT_EQ(model.functions(0).opset_import(0).version(), 13);
  EXPECT_EQ(model.functions(0).node(0).op_type(), "Flatten");
}

/// Returns the converted model as text, followed by what was told.
std::string Converted(const std::string& ir_and_opset, const std::string& graph, std::int64_t version,
                      const std::string& domain = "") {
  onnx::ModelProto model = ModelOf("<ir_version: " + ir_and_opset + "]> " + graph);
  const Diagnostics found = SetInModel(&model, {.opsets = {{domain, version}}});
  std::string text = Print(model).text;
  for (const std::string& message : Messages(found)) text += message + "\n";
  return text;
}

TEST(Conversion, KeepsNumbersAndShapesOfConstants) {
  const std::string filled = "g (int64[K] s) => (T[M] y) { y = ConstantOfShape <value = T[1] {9007199254740993}> (s) }";
  const auto fill = [&](const std::string& type) {
    std::string graph = filled;
    for (std::size_t at = 0; (at = graph.find('T')) != std::string::npos;) graph.replace(at, 1, type);
    return Converted("4, opset_import: [\"\": 9", graph, 8);
  };
  EXPECT_THAT(fill("int64"), HasSubstr("not one of up to 53 bits"));
  EXPECT_THAT(fill("float"), HasSubstr("float {"));  // a scalar, which is expanded to any rank
  EXPECT_THAT(
      Converted("8, opset_import: [\"\": 17, \"ai.onnx.ml\": 4",
                "g (int64[2] x) => (int64[2] y) { y = ai.onnx.ml.LabelEncoder <keys_tensor = int64[1] "
                "{9007199254740993}, values_tensor = int64[1] {9007199254740995}, default_tensor = int64[1] "
                "{9007199254740997}> (x) }",
                3, "ai.onnx.ml"),
      ::testing::AllOf(HasSubstr("9007199254740993"), HasSubstr("9007199254740995"), HasSubstr("9007199254740997")));
  EXPECT_THAT(
      Converted("6, opset_import: [\"\": 11",
                "g (float[2, 4] x) => (float[2] y) { i = Constant <value = int64 {-1}> () y = Gather <axis = -1> "
                "(x, i) }",
                10),
      HasSubstr("int64 {3}"));
  EXPECT_THAT(
      Converted("6, opset_import: [\"\": 11", "g (float[4] x, int64[1] i) => (float[1] y) { y = Gather (x, i) }", 10),
      HasSubstr("no index may be negative"));
  const std::string hot =
      "g (int64[2] x) => (float[2, 3] y) { d = Constant <value = int64 {3}> () v = Constant <value = float[2] {W, "
      "0.3}> "
      "() y = OneHot (x, d, v) }";
  const auto between = [&](const std::string& off) {
    return Converted("4, opset_import: [\"\": 9", std::string(hot).replace(hot.find('W'), 1, off), 8);
  };
  EXPECT_THAT(between("-inf"), HasSubstr("0 times a value that is infinite or NaN is not 0"));
  EXPECT_THAT(between("1e8"), ::testing::AllOf(HasSubstr("{0.3}"), HasSubstr("{1e+08}")));
}

TEST(Conversion, WritesWholeNumbersAsNumbersWithAPoint) {
  const std::string swish =
      Converted("13, opset_import: [\"\": 28", "g (float[2] x) => (float[2] y) { y = SwiGLU (x, x) }", 27);
  EXPECT_THAT(swish, HasSubstr("alpha = 1"));
  const std::string group = Converted("10, opset_import: [\"\": 21",
                                      "g (float[2, 4, 3] x, float[4] s) => (float[2, 4, 3] y) { y = GroupNormalization "
                                      "<epsilon = 1.0, num_groups = 2> (x, s, s) }",
                                      20);
  EXPECT_THAT(group, ::testing::Not(HasSubstr("wrong")));
}

TEST(Conversion, AxesOfConcatenatedSequencesAreNotNegative) {
  const auto converted = [](const std::string& attributes) {
    return Converted(
        "6, opset_import: [\"\": 11",
        "g (float[2, 3] x) => (y) { s = SequenceConstruct (x, x) y = ConcatFromSequence <" + attributes + "> (s) }",
        10);
  };
  EXPECT_THAT(converted("axis = -1"), HasSubstr("Concat <axis = 1>"));
  EXPECT_THAT(converted("axis = -1, new_axis = 1"), ::testing::AllOf(HasSubstr("axes = [2]"), HasSubstr("axis = 2")));
}

TEST(Conversion, ASequenceOfNodesKeepsTheNameOfTheNode) {
  const std::string text =
      Converted("9, opset_import: [\"\": 20", "g (float[2] x) => (float[2] y) { [my_gelu] y = Gelu (x) }", 19);
  EXPECT_THAT(text, HasSubstr("[my_gelu] y = "));
}

TEST(Conversion, RemovesAChainThatOnlyComputedAnAttribute) {
  const std::string text =
      Converted("10, opset_import: [\"\": 18",
                "g (float[2, 3] x) => (float[2] y) { a = Constant <value = int32[1] {1}> () b = Cast <to "
                "= 1> (a) c = Cast <to = 7> (b) y = ReduceMax <keepdims = 0> (x, c) }",
                17);
  EXPECT_THAT(text, ::testing::AllOf(HasSubstr("axes = [1]"), ::testing::Not(HasSubstr("Cast")),
                                     ::testing::Not(HasSubstr("Constant"))));
}

TEST(Conversion, VersionsThatAreNotKnown) {
  const std::string text = "<ir_version: 8, opset_import: [\"\": 17]> g (float x) => (float y) { y = Relu (x) }";
  EXPECT_THAT(Refusals(text, 99), ::testing::ElementsAre(HasSubstr("version 99 of '' is not known")));
  for (const std::string version : {"99", "2147483647", "-2147483647"}) {
    const std::string other = std::string(text).replace(text.find("17"), 2, version);
    EXPECT_THAT(Refusals(other, 17), ::testing::ElementsAre(HasSubstr("nothing can be converted from it")));
  }
}

// ---- reasons at the place where the cause is

TEST(Conversion, ACallThatLeavesOutAParameterIsTheReason) {
  const std::string graph =
      "g (float[2, 3] x) => (y, z) { y = f.outer <axes = [1]> (x) z = f.outer (x) }\n<domain: \"f\", opset_import: "
      "[\"\": 12, \"f\": 1]> outer <axes> (a) => (b) { b = f.sum <axes: ints = @axes> (a) }\n";
  const std::string sum = "sum <axes> (a) => (b) { b = ReduceSum <keepdims = 0, axes: ints = @axes> (a) }";
  const std::string header = "<ir_version: 9, opset_import: [\"\": 12, \"f\": 1]> ";
  const std::string function = "<domain: \"f\", opset_import: [\"\": 12]> ";
  const std::vector<std::string> found = Refusals(header + graph + function + sum, 13);
  ASSERT_EQ(found.size(), 1U) << ::testing::PrintToString(found);
  EXPECT_THAT(found[0],
              HasSubstr("functions[1] \"sum\".node[0]: error: ReduceSum cannot be converted to version 13: "
                        "'axes' is a parameter of the function, and the call that computes 'b' leaves it out"));
  // In a text, the call is shown, too.
  onnx::ModelProto model;
  SourceMap places;
  const std::string text = header + "g (float[2, 3] x) => (y) { y = f.sum (x) }\n" + function + sum;
  ASSERT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places})));
  const Diagnostics shown = SetInModel(&model, {.opsets = {{"", 13}}, .source_map = &places});
  ASSERT_EQ(shown.items().size(), 1U);
  ASSERT_EQ(shown.items()[0].notes.size(), 1U);
  EXPECT_EQ(shown.items()[0].range.begin, text.find("ReduceSum"));
  EXPECT_EQ(shown.items()[0].notes[0].range.begin, text.find("sum (x)"));
  // A parameter with a default value has a value in each call, and so has one that all calls give.
  EXPECT_THAT(Refusals(header + graph + function +
                           "sum <axes: ints = [0]> (a) => (b) { b = ReduceSum <keepdims = 0, axes: "
                           "ints = @axes> (a) }",
                       13),
              ::testing::IsEmpty());
  EXPECT_THAT(Refusals(header + "g (float[2, 3] x) => (y) { y = f.sum <axes = [1]> (x) }\n" + function + sum, 13),
              ::testing::IsEmpty());
}

TEST(Conversion, ASequenceThatIsStillReadIsTheReason) {
  const auto refusals = [](const std::string& nodes, int from, const std::string& output = "y") {
    return Refusals("<ir_version: 8, opset_import: [\"\": " + std::to_string(from) +
                        "]> g (float[2, 3] x, int64 i, bool c) => (" + output + ") { " + nodes + " }",
                    from - 1);
  };
  EXPECT_THAT(
      refusals("y = SequenceConstruct (x)", 11),
      ::testing::ElementsAre(HasSubstr("graph.node[0]: error: SequenceConstruct cannot be converted to version 10: "
                                       "before version 11 there are no sequences, and its result 'y' is an "
                                       "output of the graph")));
  EXPECT_THAT(refusals("y = Optional (x)", 15),
              ::testing::ElementsAre(HasSubstr("there are no optional values, and its result 'y' is an output")));
  EXPECT_THAT(refusals("s = SequenceConstruct (x) y = ConcatFromSequence <axis = 0> (s)", 11, "s, y"),
              ::testing::ElementsAre(HasSubstr("its result 's' is an output of the graph")));
  EXPECT_THAT(refusals("s = SequenceConstruct (x) y = my.op (s)", 11), ::testing::Contains(HasSubstr("is read by op")));
  // The node that reads it says why, once.
  EXPECT_THAT(refusals("s = SequenceConstruct (x) y = SequenceAt (s, i)", 11),
              ::testing::ElementsAre(HasSubstr("SequenceAt is new in version 11")));
  EXPECT_THAT(refusals("s = SequenceConstruct (x, x) y = ConcatFromSequence <axis = 0> (s)", 11), ::testing::IsEmpty());
  EXPECT_THAT(
      refusals("s = SequenceConstruct (x, x) y = If (c) <then_branch = t () => (a) { a = ConcatFromSequence <axis "
               "= 0> (s) }, else_branch = e () => (b) { b = Identity (x) }>",
               11),
      ::testing::IsEmpty());
}

// The nodes that a step puts into a subgraph take part in the next steps.
TEST(Conversion, StepsConvertTheSubgraphsOfEarlierSteps) {
  const std::string graph =
      "g (float[2, 3] x) => (float[2, 3] y) { a = Constant <value = int64 {0}> () y = CumSum (x, a) }";
  const std::string text = Converted("6, opset_import: [\"\": 11", graph, 8);
  EXPECT_THAT(text, HasSubstr("Scan"));
  EXPECT_THAT(Refusals("<ir_version: 6, opset_import: [\"\": 11]> " + graph, 6),
              ::testing::Contains(HasSubstr("Scan is new in version 8")));
  const std::string map =
      "g (seq(float[2, 3]) s) => (seq(float[]) y) { y = SequenceMap <body = b (float[2, 3] e) => (float[] r) { r = "
      "HardSwish (e) }> (s) }";
  EXPECT_THAT(
      Converted("9, opset_import: [\"\": 17", map, 13),
      ::testing::AllOf(HasSubstr("SequenceInsert"), HasSubstr("HardSigmoid"), ::testing::Not(HasSubstr("error"))));
  EXPECT_THAT(Converted("9, opset_import: [\"\": 17", map, 12), HasSubstr("Loop does not take seq(tensor(float))"));
}

TEST(Conversion, TheLoopOfASequenceMapKeepsWhatTheBodySays) {
  onnx::ModelProto model = ModelOf(
      "<ir_version: 9, opset_import: [\"\": 17]> g (seq(float[2, 3]) s) => (seq(float[]) y) { y = SequenceMap <body = "
      "@doc_string \"doc\" @metadata_props [\"from\": \"layer1\"] @quantization_annotation [{tensor_name: \"r\"}] own "
      "(float[2, 3] e) => (float[] r) { r = Neg (e) }> (s) }");
  ASSERT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{"", 16}}})));
  const onnx::GraphProto* body = nullptr;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() == "Loop") body = &node.attribute(0).g();
  }
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->name(), "own");
  EXPECT_EQ(body->doc_string(), "doc");
  ASSERT_EQ(body->metadata_props_size(), 1);
  EXPECT_EQ(body->metadata_props(0).value(), "layer1");
  ASSERT_EQ(body->quantization_annotation_size(), 1);
  EXPECT_EQ(body->quantization_annotation(0).tensor_name(), "r");
}

// ---- training

const std::string kTraining = R"(<ir_version: 8, opset_import: ["": 12], training_info: [{
  initialization: (init () => (float[3] w_0) {
    ones = Constant <value = float[1, 3] {1, 2, 3}> ()
    w_0 = ReduceSum <axes = [0], keepdims = 0> (ones)
  }),
  algorithm: (step (float[2, 3] target) => (float[3] w_new, float loss) {
    difference = Sub (target, y)
    chances = Softmax (difference)
    squares = Mul (chances, chances)
    loss = ReduceSum <keepdims = 0> (squares)
    gradient = ReduceSum <axes = [-2], keepdims = 0> (y)
    w_new = Sub (w, gradient)
  }),
  initialization_binding: ["w": "w_0"],
  update_binding: ["w": "w_new"]
}]>
g (float[2, 3] x) => (float[2, 3] y) <float[3] w = {1, 2, 3}> { y = Mul (x, w) })";

TEST(Conversion, TrainingGraphsAreConvertedWithTheModel) {
  onnx::ModelProto model = ModelOf(kTraining);
  const onnx::ModelProto before = model;
  EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{"", 13}}})));
  ASSERT_EQ(model.training_info_size(), 1);
  const onnx::TrainingInfoProto& training = model.training_info(0);
  const auto operators = [](const onnx::GraphProto& graph) {
    std::vector<std::string> all;
    for (const onnx::NodeProto& node : graph.node()) all.push_back(node.op_type());
    return all;
  };
  EXPECT_THAT(operators(training.initialization()), ::testing::ElementsAre("Constant", "Constant", "ReduceSum"));
  EXPECT_EQ(training.initialization().node(2).input_size(), 2);
  EXPECT_THAT(operators(training.algorithm()),
              ::testing::ElementsAre("Sub", "Softmax", "Mul", "ReduceSum", "Constant", "ReduceSum", "Sub"));
  EXPECT_EQ(training.algorithm().node(1).attribute(0).i(), 1);  // the axis of version 12, whose rank 2 is that of 'y'
  EXPECT_EQ(Bytes(training.initialization_binding(0)), Bytes(before.training_info(0).initialization_binding(0)));
  EXPECT_EQ(Bytes(training.update_binding(0)), Bytes(before.training_info(0).update_binding(0)));
  EXPECT_TRUE(testing::Ok(CheckModel(model, {.external_files = false})));
  // Down again: constants that became attributes are removed from the training graphs, too. The rank comes from a value
  // of the model's graph.
  EXPECT_TRUE(testing::Ok(SetInModel(&model, {.opsets = {{"", 10}}})));
  EXPECT_THAT(operators(model.training_info(0).initialization()), ::testing::ElementsAre("Constant", "ReduceSum"));
  EXPECT_THAT(operators(model.training_info(0).algorithm()),
              ::testing::ElementsAre("Sub", "Softmax", "Mul", "ReduceSum", "ReduceSum", "Sub"));
  const onnx::NodeProto& gradient = model.training_info(0).algorithm().node(4);
  const auto axes = std::ranges::find(gradient.attribute(), "axes", &onnx::AttributeProto::name);
  ASSERT_NE(axes, gradient.attribute().end());
  EXPECT_EQ(axes->ints(0), 0);
}

TEST(Conversion, RefusalsInTrainingGraphsHaveTheirPlaces) {
  std::string text = kTraining;
  const std::string node = "chances = Softmax (difference)";
  text.replace(text.find(node), node.size(), "chances = Det (difference)");
  const std::vector<std::string> found = Refusals(text, 10);
  ASSERT_EQ(found.size(), 1U) << ::testing::PrintToString(found);
  EXPECT_THAT(found[0], HasSubstr("training_info[0].algorithm.node[1]"));
}

// What a training step assigns to an initializer is no constant.
TEST(Conversion, InitializersThatAreTrainedAreNoConstants) {
  const std::string text = R"(<ir_version: 8, opset_import: ["": 12], training_info: [{
  algorithm: (step () => (float most_new) { most_new = Neg (most) }), update_binding: ["most": "most_new"]
}]>
g (float[2] x) => (float[2] y) <float most = {1}> { kept = Identity (most) y = Clip (x, , kept) })";
  EXPECT_THAT(Refusals(text, 10), ::testing::ElementsAre(HasSubstr("must be a constant")));
  const std::string fixed = text.substr(text.find("g (float"));
  EXPECT_THAT(Refusals("<ir_version: 8, opset_import: [\"\": 12]> " + fixed, 10), ::testing::IsEmpty());
}

}  // namespace
}  // namespace onnxc::testing
