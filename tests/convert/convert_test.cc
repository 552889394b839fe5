// Converting models to other versions of the operators: recorded pairs, what is refused, and there and back.
#include "convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/printer.h>
#include <onnxc/set.h>

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
}

}  // namespace
}  // namespace onnxc::testing
