#include "diff/changed_nodes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "source/nodes.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

constexpr const char* kImports = R"(<ir_version: 10, opset_import: ["": 21, "f": 1]>)";

/// Returns the changes of the nodes in the second text, by their first outputs.
std::map<std::string, std::string> Changes(const std::string& before, const std::string& after) {
  const auto old_model = ParseText<onnx::ModelProto>(kImports + before);
  const auto new_model = ParseText<onnx::ModelProto>(kImports + after);
  const ChangedNodes changed = FindChangedNodes(old_model, new_model);
  std::map<std::string, std::string> changes;
  ForEachNode(new_model, [&](const onnx::NodeProto& node) {
    const auto found = changed.find(&node);
    if (found != changed.end()) changes[node.output(0)] = found->second == NodeChange::kAdded ? "added" : "changed";
  });
  return changes;
}

using Expected = std::map<std::string, std::string>;

TEST(ChangedNodes, AreThoseWithOtherFields) {
  EXPECT_EQ(Changes("g (x) => (y) { a = Neg (x) b = Elu <alpha = 1.0> (a) y = Abs (b) }",
                    "g (x) => (y) { a = Neg (x) b = Elu <alpha = 2.0> (a) y = Abs (b) }"),
            (Expected{{"b", "changed"}}));
}

TEST(ChangedNodes, AnInsertedNodeIsTheOnlyOne) {
  EXPECT_EQ(Changes("g (x) => (y) { a = Neg (x) y = Abs (a) }", "g (x) => (y) { a = Neg (x) b = Sin (a) y = Abs (b) }"),
            (Expected{{"b", "added"}}));
}

TEST(ChangedNodes, NamesAndCommentsDoNotCount) {
  EXPECT_EQ(Changes("g (x) => (y) { a = Neg (x) y = Abs (a) }",
                    "h (x) => (y) { @doc_string \"new\" [label] b = Neg (x) y = Abs (b) }"),
            Expected{});
}

TEST(ChangedNodes, ReadersOfOtherWeightsAreChanged) {
  EXPECT_EQ(Changes("g (x) => (y) <float w = {1}, float v = {1}> { a = Mul (x, w) b = Mul (a, v) y = Add (b, w) }",
                    "g (x) => (y) <float w = {2}, float v = {1}> { a = Mul (x, w) b = Mul (a, v) y = Add (b, w) }"),
            (Expected{{"a", "changed"}, {"y", "changed"}}));
}

TEST(ChangedNodes, ReadersInGraphsInsideAreChanged) {
  const std::string head = "g (c, x) => (y) <float w = {";
  const auto text = [&head](const std::string& weight) {
    return head + weight +
           R"(}> { y = If (c) <then_branch = t () => (p) { n = Neg (x) p = Mul (n, w) }, else_branch = e () => (q) {
        q = If (c) <then_branch = u () => (r) { s = Neg (x) r = Add (s, w) }, else_branch = v () => (o) { o = Neg (x) }> }> })";
  };
  EXPECT_EQ(Changes(text("1"), text("2")), (Expected{{"p", "changed"}, {"r", "changed"}}));
}

TEST(ChangedNodes, AGraphInsideThatGivesTheWeightChangesItsNode) {
  const auto text = [](const std::string& weight) {
    return "g (c, x) => (y) <float w = {" + weight +
           "}> { y = If (c) <then_branch = t () => (w) {}, else_branch = e () => (q) { q = Neg (x) }> }";
  };
  EXPECT_EQ(Changes(text("1"), text("2")), (Expected{{"y", "changed"}}));
}

TEST(ChangedNodes, AValueInsideHidesTheWeight) {
  const auto text = [](const std::string& weight) {
    return "g (c, x) => (y) <float w = {" + weight +
           "}> { a = Mul (x, w) y = If (c) <then_branch = t () => (p) { w = Neg (x) p = Abs (w) }, "
           "else_branch = e () => (q) { q = Neg (x) }> }";
  };
  EXPECT_EQ(Changes(text("1"), text("2")), (Expected{{"a", "changed"}}));
}

TEST(ChangedNodes, AreFoundInSubgraphsAndFunctions) {
  const std::string if_node = "g (c, x) => (y) { y = If (c) <then_branch = t () => (p) { p = Neg (x) }, else_branch = ";
  EXPECT_EQ(Changes(if_node + "e () => (q) { q = Abs (x) }> }", if_node + "e () => (q) { q = Sin (x) }> }"),
            (Expected{{"q", "changed"}}));
  const std::string caller = R"(g (x) => (y) { y = f.F (x) })";
  const std::string head = R"(<domain: "f", opset_import: ["": 21]> F (a) => (b) )";
  EXPECT_EQ(Changes(caller + head + "{ b = Neg (a) }", caller + head + "{ c = Neg (a) b = Abs (c) }").count("b"), 1u);
  EXPECT_EQ(Changes(caller, caller + head + "{ b = Neg (a) }"), (Expected{{"b", "added"}}));
}

}  // namespace
}  // namespace onnxc::testing
