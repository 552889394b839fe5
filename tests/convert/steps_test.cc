// The table of steps between versions of operators, compared with what each version changed, and what it decides: which
// nodes have another meaning if only the number of the version changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/set.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "convert/rules.h"
#include "tables/operator_changes.h"
#include "tables/signatures.h"
#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::HasSubstr;

struct Change {
  std::string domain;
  std::string op_type;
  int from = 0;
  int to = 0;
  std::string kind;
  std::string up;

  /// Whether a node of the old version needs more than another number. What the signatures of the two versions say
  /// needs no row: attributes and types that the new version lacks.
  [[nodiscard]] bool NeedsRule() const {
    const bool is_of_signature =
        kind == "deprecated" || kind == "types-removed" || up.starts_with("remove consumed_inputs");
    return up != "renumber" && !is_of_signature;
  }
};

std::vector<Change> ReadChanges() {
  std::vector<Change> changes;
  std::istringstream lines(ReadWhole(std::filesystem::path(kTestdata) / "opsets/changes.tsv"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") || line.starts_with("domain\t")) continue;
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    EXPECT_EQ(row.size(), 6U) << line;
    changes.push_back({row[0], row[1], std::stoi(row[2]), std::stoi(row[3]), row[4], row[5]});
  }
  return changes;
}

onnx::NodeProto NodeOf(const std::string& op_type, std::string_view attribute) {
  onnx::NodeProto node;
  node.set_op_type(op_type);
  if (!attribute.empty()) node.add_attribute()->set_name(std::string(attribute));
  return node;
}

TEST(Steps, TheTableHasEachChangeThatNeedsARule) {
  const std::vector<Change> changes = ReadChanges();
  EXPECT_EQ(changes.size(), 432U);
  for (const Change& change : changes) {
    const std::string name = change.op_type + " " + std::to_string(change.to);
    const convert::StepRow* const row = convert::FindRow(change.domain, change.op_type, change.to);
    EXPECT_EQ(row != nullptr && row->up != nullptr, change.NeedsRule()) << name;
    if (!change.domain.empty()) continue;
    const onnx::NodeProto node = NodeOf(change.op_type, row == nullptr ? "" : row->attribute);
    EXPECT_EQ(HasOtherMeaning(node, change.to - 1, change.to), change.NeedsRule()) << name;
    EXPECT_EQ(HasOtherMeaning(node, change.to, change.to - 1), change.NeedsRule()) << name;
    EXPECT_FALSE(HasOtherMeaning(node, change.to, change.to)) << name;
    if (row != nullptr && !row->attribute.empty()) {
      EXPECT_FALSE(HasOtherMeaning(NodeOf(change.op_type, ""), change.to - 1, change.to)) << name;
    }
  }
}

// The changes are those of the operators that onnxc knows, and each row of the table is one of them.
TEST(Steps, TheChangesAreThoseOfTheOperators) {
  using Step = std::tuple<std::string, std::string, int>;
  std::set<Step> steps;
  std::set<std::pair<std::string, std::string>> operators;
  for (const Change& change : ReadChanges()) {
    EXPECT_TRUE(steps.emplace(change.domain, change.op_type, change.to).second);
    operators.emplace(change.domain, change.op_type);
    const auto versions = FindVersions(FindDomain(change.domain), change.op_type);
    const auto is = [](int version) { return [version](const Operator& op) { return op.since == version; }; };
    EXPECT_TRUE(std::ranges::any_of(versions, is(change.from))) << change.op_type << change.from;
    EXPECT_TRUE(std::ranges::any_of(versions, is(change.to))) << change.op_type << change.to;
  }
  for (const auto& [domain, op_type] : operators) {
    const auto versions = FindVersions(FindDomain(domain), op_type);
    for (const Operator& op : versions.subspan(1)) {
      EXPECT_TRUE(steps.contains({domain, op_type, op.since})) << op_type << " " << op.since;
    }
  }
}

std::string WithNumberOnly(const std::string& graph, int from, int to) {
  onnx::ModelProto model;
  const std::string text = "<ir_version: 10, opset_import: [\"\": " + std::to_string(from) + "]> " + graph;
  EXPECT_TRUE(Ok(Parse(text, &model))) << text;
  const std::string before = Bytes(model);
  const Diagnostics found = SetInModel(&model, {.opsets = {{"", to}}, .number_only = true});
  EXPECT_EQ(model.opset_import(0).version(), to);
  model.mutable_opset_import(0)->set_version(from);
  EXPECT_EQ(Bytes(model), before) << "only the number changes";
  return found.ok() ? "" : ToString(found.items().front());
}

// A node is refused if the conversion would change it, and in no other case, upwards and downwards.
TEST(Steps, OnlyTheNumberChangesIfNoNodeHasAnotherMeaning) {
  struct Case {
    std::string node;
    int old_version;
    int new_version;
    std::string other;  ///< a node of the operator that means the same in both versions; "" if there is none
    bool down;          ///< from the new version to the old one
  };
  const std::string x =
      "g (float[2, 3, 8, 8] x, int64[4] i) => (float[M] y, float[M] z) { z = Constant <value = float {1}> () ";
  const std::vector<Case> cases = {
      {"y = MaxPool <kernel_shape = [3, 3], ceil_mode = 1> (x)", 21, 22, "y = MaxPool <kernel_shape = [3, 3]> (x)",
       false},
      {"y = AveragePool <kernel_shape = [3, 3], ceil_mode = 1> (x)", 21, 22,
       "y = AveragePool <kernel_shape = [3, 3], ceil_mode = 0> (x)", false},
      {"d, y = Dropout (x)", 9, 10, "y = Dropout (x)", false},
      {"y = Selu (x)", 5, 6, "y = Selu <alpha = 1.5, gamma = 1.5> (x)", false},
      {"y = Softmax (x)", 12, 13, "y = Softmax <axis = 3> (x)", false},
      {"v = Constant <value = float[2] {0, 1}> () d = Constant <value = int64 {4}> () y = OneHot (i, d, v)", 10, 11,
       "v = Constant <value = float[2] {0, 1}> () d = Constant <value = int64 {4}> () k = Constant <value = int64[1] "
       "{3}> () y = OneHot (k, d, v)",
       false},
      {"y = Flatten <axis = -1> (x)", 10, 11, "y = Flatten <axis = 3> (x)", true},
      {"p = Constant <value = int64[8] {0, 0, 1, 1, 0, 0, 1, 1}> () y = Pad <mode = \"wrap\"> (x, p)", 18, 19,
       "p = Constant <value = int64[8] {0, 0, 1, 1, 0, 0, 1, 1}> () y = Pad <mode = \"edge\"> (x, p)", true},
      {"y = Mod (x, x)", 27, 28, "y = Mod <fmod = 1> (x, x)", true},
      {"y = ScatterElements <reduction = \"max\"> (x, i, x)", 17, 18,
       "y = ScatterElements <reduction = \"add\"> (x, i, x)", true},
  };
  for (const Case& each : cases) {
    const int from = each.down ? each.new_version : each.old_version;
    const int to = each.down ? each.old_version : each.new_version;
    EXPECT_THAT(WithNumberOnly(x + each.node + " }", from, to), HasSubstr("has different meanings in versions"));
    EXPECT_EQ(WithNumberOnly(x + each.other + " }", from, to), "");
  }
  // A version that is far away, or out of range.
  EXPECT_EQ(WithNumberOnly(x + "y = Relu (x) }", 20, 99), "");
}

}  // namespace
}  // namespace onnxc::testing
