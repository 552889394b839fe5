#include <onnxc/info.h>

#include <algorithm>
#include <limits>

#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ModelInfo InfoOf(const std::string& text) { return Inspect(ParseText<onnx::ModelProto>(text)); }

TEST(Inspect, TellsTheHeader) {
  const ModelInfo info = InfoOf(R"(<ir_version: 10, opset_import: ["": 21, "d": 2], producer_name: "p",
                                   producer_version: "1", domain: "m", model_version: 7> g (x) => (y) { y = Relu (x) })");
  EXPECT_EQ(info.ir_version, 10);
  EXPECT_EQ(info.producer_name, "p");
  EXPECT_EQ(info.producer_version, "1");
  EXPECT_EQ(info.domain, "m");
  EXPECT_EQ(info.model_version, 7);
  ASSERT_EQ(info.opset_imports.size(), 2u);
  EXPECT_EQ(info.opset_imports[1].domain, "d");
  EXPECT_EQ(info.opset_imports[1].version, 2);
  EXPECT_EQ(info.graph_name, "g");
  EXPECT_GT(info.bytes, 0);
}

const std::string kNested = R"(<ir_version: 10, opset_import: ["": 21]>
  g (float[N] x, float[2] w) => (float[N] y) <float[2] w = {1, 2}, int4[3] q = {{1, -2, 3}}, string[2] s = {"ab", "c"}> {
    c = Less (x, x)
    y = If (c) <then_branch = t () => (p) {
      d = Constant <value = float[4] {1, 2, 3, 4}> ()
      p = If (c) <then_branch = u () => (r) <float[3] v = {1, 2, 3}> { r = f.Half (x) }>
    }>
  }
  <domain: "f", opset_import: ["": 21]> Half (a) => (b) { h = Relu (a) b = Relu (h) })";

TEST(Inspect, CountsAtEveryDepth) {
  const ModelInfo info = InfoOf(kNested);
  EXPECT_EQ(info.nodes, 7);
  EXPECT_EQ(info.subgraphs, 2);
  EXPECT_EQ(info.subgraph_depth, 2);
  std::vector<std::string> operators;
  for (const OperatorTotal& total : info.operators) {
    operators.push_back(total.domain + ":" + total.op_type + " " + std::to_string(total.nodes));
  }
  EXPECT_THAT(operators, ElementsAre(":If 2", ":Relu 2", ":Constant 1", ":Less 1", "f:Half 1"));
  ASSERT_EQ(info.functions.size(), 1u);
  EXPECT_EQ(info.functions[0].name, "Half");
  EXPECT_EQ(info.functions[0].nodes, 2);
}

TEST(Inspect, AddsUpTensors) {
  const ModelInfo info = InfoOf(kNested);
  std::vector<std::string> totals;
  for (const TensorTotal& total : info.initializers) {
    totals.push_back(total.element_type + " " + std::to_string(total.tensors) + " " + std::to_string(total.elements) +
                     " " + std::to_string(total.bytes));
  }
  EXPECT_THAT(totals, ElementsAre("float 2 5 20", "string 1 2 3", "int4 1 3 2"));
  ASSERT_EQ(info.constants.size(), 1u);
  EXPECT_EQ(info.constants[0].elements, 4);
  EXPECT_EQ(info.constants[0].bytes, 16);
}

TEST(Inspect, CountsExternalDataByTheirShapes) {
  const ModelInfo info = InfoOf(R"(<ir_version: 10, opset_import: ["": 21]>
    g (x) => (y) <float[1000] w = ["location": "w.bin"]> { y = Add (x, w) })");
  ASSERT_EQ(info.initializers.size(), 1u);
  EXPECT_EQ(info.initializers[0].bytes, 4000);
  EXPECT_EQ(info.initializers[0].external_bytes, 4000);
}

TEST(Inspect, LeavesOutInputsThatHaveAnInitializer) {
  const ModelInfo info = InfoOf(kNested);
  ASSERT_EQ(info.inputs.size(), 1u);
  EXPECT_EQ(info.inputs[0].name, "x");
  EXPECT_EQ(info.inputs[0].type, "float[N]");
  ASSERT_EQ(info.outputs.size(), 1u);
}

TEST(Inspect, SurvivesShapesThatMakeNoNumber) {
  auto model = FromTextProto<onnx::ModelProto>(R"(graph {
    initializer { dims: -3 data_type: 1 } initializer { dims: 9223372036854775807 dims: 4 data_type: 1 }
    initializer { dims: 9223372036854775807 data_type: 2 } initializer { dims: 9223372036854775807 data_type: 2 }
    initializer { dims: 1 data_type: 99 } })");
  const ModelInfo info = Inspect(model);
  ASSERT_EQ(info.initializers.size(), 3u);
  EXPECT_EQ(info.initializers[0].element_type, "uint8");
  EXPECT_EQ(info.initializers[0].bytes, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(info.initializers[1].bytes, 0);
  EXPECT_EQ(info.initializers[2].element_type, "type 99");
}

TEST(Inspect, LooksIntoEveryPartOfTheModel) {
  const std::string graph = R"({ node { op_type: "A" attribute { name: "list" graphs { node { op_type: "B" } } } } })";
  const auto model = FromTextProto<onnx::ModelProto>(
      "graph { sparse_initializer { values { name: 'x' data_type: 1 dims: 2 } } input { name: 'x' } input { name: 'z' }"
      "        node { op_type: 'C' attribute { tensors { data_type: 6 dims: 3 } sparse_tensor { values { data_type: 7 "
      "dims: 5 } }"
      "                                        sparse_tensors { values { data_type: 11 dims: 7 } } } } }"
      "training_info { initialization " +
      graph + " algorithm " + graph +
      "}"
      "functions { name: 'f' attribute_proto { t { data_type: 9 dims: 11 } } }");
  const ModelInfo info = Inspect(model);
  EXPECT_EQ(info.nodes, 5);
  EXPECT_EQ(info.subgraphs, 2);
  ASSERT_EQ(info.inputs.size(), 1u);
  EXPECT_EQ(info.inputs[0].name, "z");
  ASSERT_EQ(info.initializers.size(), 1u);
  EXPECT_EQ(info.initializers[0].elements, 2);
  std::vector<std::string> constants;
  for (const TensorTotal& total : info.constants) {
    constants.push_back(total.element_type + " " + std::to_string(total.elements));
  }
  EXPECT_THAT(constants, ElementsAre("double 7", "int64 5", "int32 3", "bool 11"));
}

TEST(Inspect, TakesTheEmptyModel) { EXPECT_THAT(Inspect(onnx::ModelProto()).operators, IsEmpty()); }

TEST(Inspect, HostileNamesDoNotReachTheTerminal) {
  const FileInfo file{
      .name = "m", .format = "text", .bytes = 1, .model = InfoOf("\"\x1b[31m\" (\"\x1b[2J\") => (y) {}")};
  EXPECT_THAT(RenderText({&file, 1}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RenderJson({&file, 1}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace onnxc::testing
