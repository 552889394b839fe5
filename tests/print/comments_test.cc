// Comments after nodes, which a program supplies for the printer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <string>

#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

/// Returns the name of the graph or function, and the position of the node; returns nothing for the first node.
class Positions final : public NodeComments {
 public:
  void Append(const google::protobuf::Message& owner, std::size_t node, std::string* text) const override {
    if (node == 0) return;
    const auto* const graph = dynamic_cast<const onnx::GraphProto*>(&owner);
    *text += (graph != nullptr ? graph->name() : static_cast<const onnx::FunctionProto&>(owner).name());
    *text += ' ' + std::to_string(node);
  }
};

TEST(NodeComments, StandBehindTheNodesOfAllBodies) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(R"(<ir_version: 10, opset_import: ["" : 21, "d" : 1]>
g (bool c) => (d) {
   a = Not (c)
   d = If (a) <then_branch = t () => (p) { o = Not (c) p = Not (o) }, else_branch = e () => (q) { q = Not (c) }>
   @{op_type: "Not", input: ["c"], domain: "x"}
}
<domain: "d", opset_import: ["" : 21]>
f (x) => (z) { y = Neg (x) z = Neg (y) }
)",
                                &model)));
  const Positions positions;
  const std::string text = Print(model, {.comments = &positions}).text;
  const std::string plain = Print(model).text;
  for (const std::string_view line : {"p = Not (o)  # t 1\n", ">  # g 1\n", "z = Neg (y)  # f 1\n", "  # g 2\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("# e")));
  onnx::ModelProto again;
  ASSERT_TRUE(testing::Ok(Parse(text, &again)));
  EXPECT_EQ(again.SerializeAsString(), model.SerializeAsString());
  EXPECT_EQ(Print(again).text, plain);
}

TEST(NodeComments, DoNotDependOnTheThreads) {
  std::string text = "<ir_version: 10, opset_import: [\"\" : 21]>\ng (x0) => (x20000) {\n";
  for (int i = 0; i < 20000; ++i) text += "x" + std::to_string(i + 1) + " = Neg (x" + std::to_string(i) + ")\n";
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(text + "}\n", &model)));
  const Positions positions;
  const std::string one = Print(model, {.threads = 1, .comments = &positions}).text;
  EXPECT_TRUE(testing::AreSame(Print(model, {.threads = 4, .comments = &positions}).text, one));
  EXPECT_THAT(one, ::testing::HasSubstr("x20000 = Neg (x19999)  # g 19999\n"));
}

}  // namespace
}  // namespace onnxc::testing
