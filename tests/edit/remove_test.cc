// RemoveNodes() connects the readers of a node with its input, wherever they are, and changes nothing else.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/remove.h>
#include <onnxc/rewrite.h>

#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "testing/model_texts.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

onnx::ModelProto MessageOf(const std::string& text, SourceMap* places = nullptr) {
  onnx::ModelProto model;
  EXPECT_TRUE(Ok(Parse(text, &model, {.source_map_out = places, .tell_functions_apart = true}))) << text;
  return model;
}

/// Returns the nodes of the graph after the removal, as a text without line breaks, or the errors with what they blame.
std::string Removed(const std::string& nodes, const RemoveOptions& options, const std::string& values = "",
                    const std::string& rest = "") {
  const std::string text =
      "<ir_version: 10, opset_import: [\"\": 21, \"d\": 1]>\ng (bool c, float[2] x, float[3] z) => "
      "(float[2] y)" +
      values + " { " + nodes + " }\n" + rest;
  SourceMap places;
  onnx::ModelProto model = MessageOf(text, &places);
  RemoveOptions all = options;
  all.source_map = &places;
  RemovedNodes count;
  const Diagnostics found = RemoveNodes(&model, all, &count);
  std::string shown;
  for (const Diagnostic& finding : found.items()) {
    const bool has_place = finding.range != kNowhere;
    shown += has_place ? text.substr(finding.range.begin, finding.range.end - finding.range.begin) + ": " : "";
    shown += finding.message + "\n";
  }
  if (!found.ok()) return shown;
  std::string printed = Print(model.graph()).text;
  printed = printed.substr(printed.find("{\n") + 2);
  for (const char c : printed.substr(0, printed.rfind("\n}"))) {
    if (c != '\n' && !(c == ' ' && (shown.empty() || shown.back() == ' '))) shown += c;
    if (c == '\n' && !shown.empty() && shown.back() != ' ') shown += ' ';
  }
  if (count.kept > 0) shown += " # " + std::to_string(count.kept) + " kept";
  return shown;
}

TEST(Remove, ReadersGetTheInput) {
  EXPECT_EQ(Removed("a = Neg (x) b = Relu (a) y = Abs (b)", {.nodes = {"b"}}), "a = Neg (x) y = Abs (a)");
  EXPECT_EQ(Removed("[n] b = Relu (x) y = Add (b, b)", {.nodes = {"n"}}), "y = Add (x, x)");
  EXPECT_EQ(Removed("a = Identity (x) b = Identity (a) y = Abs (b)", {.operators = {"Identity"}}), "y = Abs (x)");
  EXPECT_EQ(Removed("y = Neg (x) b = Relu (y)", {.nodes = {"b"}}), "y = Neg (x)");
  EXPECT_EQ(
      Removed("b = Relu (x) y = If (c) <then_branch = t () => (float[2] p) { p = Neg (b) }, else_branch = e () => "
              "(float[2] q) { i = Relu (x) q = Abs (i) }>",
              {.operators = {"Relu"}}),
      "y = If (c) < then_branch = t () => (float[2] p) { p = Neg (x) }, else_branch = e () => (float[2] q) { q = "
      "Abs (x) } >");
}

TEST(Remove, TheInputHasTheTypeOfTheOutput) {
  const std::string kRatio = " <float ratio = {0.5}, bool mode = {0}, float[2] w = {1, 2}>";
  EXPECT_EQ(Removed("b = Dropout (x, ratio, mode) y = Abs (b)", {.operators = {"Dropout"}}, kRatio), "y = Abs (x)");
  EXPECT_EQ(Removed("u = d.unknown (x) b, m = Dropout (u, ratio) y = Abs (b)", {.operators = {"Dropout"}}, kRatio),
            "u = d.unknown (x) y = Abs (u)");
  EXPECT_EQ(Removed("b = Clip (x, ratio, ratio) y = Abs (b)", {.nodes = {"b"}}, kRatio), "y = Abs (x)");
  EXPECT_EQ(Removed("b = Add (x, w) y = Abs (b)", {.nodes = {"b"}}, kRatio),
            "b = Add (x, w): the Add node cannot be removed: its readers could get 'x' or 'w'; the option 'with' says "
            "which\n");
  EXPECT_EQ(Removed("b = Add (x, w) y = Abs (b)", {.nodes = {"b"}, .with = "w"}, kRatio), "y = Abs (w)");
  EXPECT_EQ(Removed("[n] b = Cast <to = 7> (x) y = Cast <to = 1> (b)", {.nodes = {"n"}}),
            "[n] b = Cast <to = 7> (x): the node 'n' cannot be removed: its output 'b' is int64[2], but 'x', which "
            "would replace it, is float[2]\n");
  EXPECT_EQ(Removed("b = Concat <axis = 0> (x, x) s = Slice (b, i, j) y = Abs (s)", {.nodes = {"b"}},
                    " <int64[1] i = {0}, int64[1] j = {2}>"),
            "b = Concat <axis = 0> (x, x): the Concat node cannot be removed: its output 'b' is float[4], but 'x', "
            "which would replace it, is float[2]\n");
}

TEST(Remove, OutputsKeepTheirNames) {
  EXPECT_EQ(Removed("a = Neg (x) y = Identity (a)", {.nodes = {"y"}}), "y = Neg (x)");
  EXPECT_EQ(Removed("a = Neg (x) r = Relu (a) y = Identity (a) s = Abs (y)", {.nodes = {"y"}}, " <float[2] a>"),
            "y = Neg (x) r = Relu (y) s = Abs (y)");
  EXPECT_EQ(Removed("y = Identity (x)", {.nodes = {"y"}}), "y = Identity (x) # 1 kept");
  EXPECT_EQ(Removed("a = Identity (x) [n] y = Relu (a)", {.nodes = {"n", "a"}}), "[n] y = Identity (x) # 1 kept");
  EXPECT_EQ(
      Removed("a = Neg (x) y = If (c) <then_branch = t () => (float[2] p) { p = Relu (a) }, else_branch = e () => "
              "(float[2] q) { i = Abs (x) q = Relu (i) }>",
              {.operators = {"Relu"}}),
      "a = Neg (x) y = If (c) < then_branch = t () => (float[2] p) { p = Identity (a) }, else_branch = e () => "
      "(float[2] q) { q = Abs (x) } > # 1 kept");
}

TEST(Remove, InFunctionsToo) {
  SourceMap places;
  onnx::ModelProto model = MessageOf(R"(<ir_version: 10, opset_import: ["": 21, "d": 1]>
g (float[2] x) => (float[2] y) { y = d.f (x) }
<domain: "d", opset_import: ["": 21]> f (p) => (q) { a = Neg (p) b = Relu (a) c = Abs (b) q = Relu (c) }
<domain: "d", opset_import: ["e": 1]> h (p) => (q) { q = e.Op (p) })",
                                     &places);
  ASSERT_TRUE(Ok(RemoveNodes(&model, {.operators = {"Relu"}, .source_map = &places})));
  ASSERT_EQ(model.functions(0).node_size(), 2);
  EXPECT_EQ(model.functions(0).node(1).input(0), "a");
  EXPECT_EQ(model.functions(0).node(1).output(0), "q");
  const Diagnostics found = RemoveNodes(&model, {.operators = {"e.Op"}});
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(ToString(found.items()[0]),
            "functions[1] \"h\".node[0]: error: the Op node cannot be removed: an Identity must compute 'q', but the "
            "standard operators are not imported [opset-version-missing]");
}

TEST(Remove, WhatIsUncertainIsRefused) {
  EXPECT_EQ(Removed("a, b = Split <num_outputs = 2> (x) y = Concat <axis = 0> (a, b)", {.nodes = {"a"}}),
            "a, b = Split <num_outputs = 2> (x): the Split node cannot be removed: several of its outputs are read, "
            "'a' and 'b'\n");
  EXPECT_EQ(Removed("a = Constant <value_float = 1.0> () y = Add (x, a)", {.nodes = {"a"}}),
            "a = Constant <value_float = 1.0> (): the Constant node cannot be removed: it has no input that its "
            "readers can get; the option 'with' names another value\n");
  EXPECT_EQ(Removed("b = Relu (x) y = Abs (b)", {.nodes = {"b"}, .with = "late"}),
            "b = Relu (x): the Relu node cannot be removed: no value named 'late' is visible there\n");
  EXPECT_EQ(Removed("b = Relu (x) y = Abs (b)", {.nodes = {"bb"}, .operators = {"Rely"}}),
            "the model has no node 'bb'; there are 'b', 'y'\nthe model has no node of the operator 'Rely'; there is "
            "also 'Relu'\n");
  EXPECT_EQ(Removed("[n] b = Relu (x) [n] y = Abs (b)", {.nodes = {"n"}}),
            "[n] y = Abs (b): 2 nodes are named 'n'; name the one that is meant by one of its outputs\n");
  // A value of the branch hides the input.
  EXPECT_EQ(
      Removed("b = Relu (x) y = d.loop (c) <body = t () => (float[2] p) { x = Neg (b) p = Abs (b) }>", {.nodes = {"b"}})
          .substr(0, 41),
      "x = Neg (b): after the removal, 'x' would");
  // The new value is computed too late.
  EXPECT_NE(Removed("b = Relu (x) a = Abs (b) w = Neg (x) y = Abs (a)", {.nodes = {"b"}, .with = "w"})
                .find("the model without the nodes would be wrong: "),
            std::string::npos);
}

// ---- the findings of a review

TEST(Remove, OutputsKeepTheirAnnotationsAndTypes) {
  const std::string head = "<ir_version: 10, opset_import: [\"\": 21, \"d\": 1]>\n@quantization_annotation [";
  const auto annotation = [](const std::string& value, const std::string& scale) {
    return "{tensor_name: \"" + value + "\", quant_parameter_tensor_names: [\"SCALE_TENSOR\": \"" + scale + "\"]}";
  };
  const std::string graph =
      "] g (float[2] x) => (float[2] y) <float s = {1}, float t = {2}> { c = Relu (x) y = Identity (c) }\n"
      "<domain: \"d\", opset_import: [\"\": 21]> f (p) => (q) <float[1] a, float[2] q> { a = Relu (p) q = Identity (a) "
      "}\n"
      "<domain: \"d\", opset_import: [\"\": 21]> h (p) => (q) <float[1] a> { a = Relu (p) q = Identity (a) }";
  for (const std::string& annotations :
       {annotation("y", "s"), annotation("c", "t") + ", " + annotation("y", "s"), annotation("c", "s")}) {
    onnx::ModelProto model = MessageOf(head + annotations + graph);
    ASSERT_TRUE(Ok(RemoveNodes(&model, {.operators = {"Identity"}})));
    ASSERT_EQ(model.graph().quantization_annotation_size(), 1) << annotations;
    const onnx::TensorAnnotation& left = model.graph().quantization_annotation(0);
    EXPECT_EQ(left.tensor_name(), "y");
    EXPECT_EQ(left.quant_parameter_tensor_names(0).value(), "s");
    for (const auto& [function, size] : {std::pair(0, 2), std::pair(1, 1)}) {
      ASSERT_EQ(model.functions(function).value_info_size(), 1);
      EXPECT_EQ(model.functions(function).value_info(0).name(), "q");
      EXPECT_EQ(model.functions(function).value_info(0).type().tensor_type().shape().dim(0).dim_value(), size);
    }
  }
}

TEST(Remove, TheOrderOfTheNamesDoesNotMatter) {
  std::vector<std::string> names = {"A", "B", "C"};
  do {
    onnx::ModelProto model = MessageOf(
        "<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x) => (float[2] y, float[2] z, float[2] w) { k = Neg "
        "(x) "
        "[A] y = Identity (k) [B] z = Identity (y) [C] w = Dropout (z) }");
    RemovedNodes count;
    ASSERT_TRUE(Ok(RemoveNodes(&model, {.nodes = names}, &count))) << names[0] << names[1];
    EXPECT_EQ(count.removed, 1);
    EXPECT_EQ(count.kept, 2);
    std::string nodes;
    for (const onnx::NodeProto& node : model.graph().node()) nodes += node.output(0) + node.input(0) + " ";
    EXPECT_EQ(nodes, "yx zy wz ");
  } while (std::ranges::next_permutation(names).found);
}

TEST(Remove, TheOnlyInputMayHaveTheTypeOfTheOutput) {
  const auto in_function = [](const std::string& nodes, const RemoveOptions& options, int version = 21) {
    return Removed(
        "y = Neg (x)", options, "",
        "<domain: \"d\", opset_import: [\"\": " + std::to_string(version) + "]> f (p, e) => (r) { " + nodes + " }");
  };
  const std::string refused =
      " node cannot be removed: it has no input that its readers can get; the option 'with' names another value\n";
  EXPECT_EQ(in_function("s = Shape (p) r = Reshape (p, s)", {.nodes = {"s"}}), "s = Shape (p): the Shape" + refused);
  EXPECT_EQ(in_function("s = NonZero (p) r = Gather (p, s)", {.nodes = {"s"}}),
            "s = NonZero (p): the NonZero" + refused);
  EXPECT_EQ(in_function("q, m = Dropout (p) r = Not (m)", {.nodes = {"m"}}),
            "q, m = Dropout (p): the Dropout" + refused);
  EXPECT_EQ(in_function("s = Cast <to = 1> (p) r = Abs (s)", {.nodes = {"s"}}), "y = Neg (x)");
  EXPECT_EQ(in_function("s = Pow (p, e) r = Abs (s)", {.nodes = {"s"}}), "y = Neg (x)");
  EXPECT_EQ(in_function("s = Pow (p, e) r = Abs (s)", {.nodes = {"s"}}, 7),
            "s = Pow (p, e): the Pow node cannot be removed: its readers could get 'p' or 'e'; the option 'with' says "
            "which\n");
}

TEST(Remove, NamesOfSeveralOutputs) {
  EXPECT_EQ(
      Removed("y = If (c) <then_branch = t () => (float[2] a) { a = Neg (x) }, else_branch = e () => (float[2] a) "
              "{ a = Relu (x) }>",
              {.nodes = {"a"}}),
      "a = Relu (x): 2 nodes compute a value 'a'; give the one that is meant a name\n");
  EXPECT_EQ(Removed("k = Neg (x) y = Identity (k)", {.nodes = {"y"}}, "",
                    "<domain: \"d\", opset_import: [\"\": 21]> f (p) => (y) { y = Neg (p) }"),
            "y = Neg (x)");
}

TEST(Remove, NodesInsideOfRemovedNodesGoWithThem) {
  const std::string branches =
      " <then_branch = t () => (float[2] a) { s = Shape (h) i = Identity (s) a = Expand (x, i) }, else_branch = e () "
      "=> "
      "(float[2] b) { b = Identity (h) }>";
  EXPECT_EQ(Removed("h = Relu (x) k = If (c)" + branches + " y = Identity (k)",
                    {.operators = {"If", "Identity"}, .with = "x"}),
            "h = Relu (x) y = Identity (x) # 1 kept");
}

// A node that stays as an Identity keeps what does not depend on its operator.
TEST(Remove, IdentityKeepsMetadataAndDevices) {
  onnx::ModelProto model = MessageOf(R"(
<ir_version: 11, opset_import: ["": 17], configuration: [{name: "two", num_devices: 2}]>
g (float[2] x) => (float[2] y) <float ratio = {0.5}>
{
  @doc_string "doc" @metadata_props ["from": "layer1"] @device_configurations [{configuration_id: "two",
    sharding_spec: [{tensor_name: "ratio"}, {tensor_name: "y"}]}] [drop] y = Dropout <seed = 1> (x, ratio)
})");
  ASSERT_TRUE(Ok(RemoveNodes(&model, {.nodes = {"drop"}})));
  const onnx::NodeProto& node = model.graph().node(0);
  EXPECT_EQ(node.op_type() + node.name() + node.doc_string(), "Identitydropdoc");
  EXPECT_EQ(node.input_size() + node.attribute_size(), 1);
  ASSERT_EQ(node.metadata_props_size() + node.device_configurations_size(), 2);
  EXPECT_EQ(node.metadata_props(0).value(), "layer1");
  ASSERT_EQ(node.device_configurations(0).sharding_spec_size(), 1);
  EXPECT_EQ(node.device_configurations(0).sharding_spec(0).tensor_name(), "y");
}

TEST(Remove, NewErrorsAreSeenAmongManyOldOnes) {
  std::string nodes;
  for (int i = 0; i < 150; ++i) nodes += "u" + std::to_string(i) + " = Nothing (x) ";
  nodes += "[A] a = Neg (x) b = Relu (a) y = Abs (b)";
  EXPECT_NE(Removed(nodes, {.nodes = {"A"}, .with = "b"}).find("the model without the nodes would be wrong: "),
            std::string::npos);
}

// A long cycle, and many short ones. Each of the nodes is refused, with its path.
TEST(Remove, CyclesAndManyRefusalsTakeLinearTime) {
  onnx::ModelProto model =
      MessageOf("<ir_version: 10, opset_import: [\"\": 21]> g (float[2] x) => (float[2] y) { y = Abs (x) }");
  constexpr int kCount = 60'000;
  for (int i = 0; i < kCount; ++i) {
    onnx::NodeProto* const node = model.mutable_graph()->add_node();
    node->set_op_type("Identity");
    const int next = i < kCount / 2 ? (i + 1) % (kCount / 2) : i ^ 1;
    node->add_input("v" + std::to_string(next));
    node->add_output("v" + std::to_string(i));
  }
  const Diagnostics found = RemoveNodes(&model, {.operators = {"Identity"}});
  ASSERT_EQ(found.items().size(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(found.items().back().path, "graph.node[" + std::to_string(kCount) + "]");
}

TEST(Remove, ManyInputsTakeLinearTime) {
  onnx::ModelProto model = MessageOf(
      "<ir_version: 10, opset_import: [\"\": 21]> g (float[2] x) => (float[M] y) { y = Concat <axis = 0> () }");
  for (int i = 0; i < 300'000; ++i) {
    onnx::ValueInfoProto* const input = model.mutable_graph()->add_input();
    *input = model.graph().input(0);
    input->set_name("x" + std::to_string(i));
    model.mutable_graph()->mutable_node(0)->add_input(input->name());
  }
  const Diagnostics found = RemoveNodes(&model, {.nodes = {"y"}});
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_NE(found.items()[0].message.find("it has no input that its readers can get"), std::string::npos);
}

TEST(Remove, LongChainsTakeLinearTime) {
  onnx::ModelProto model =
      MessageOf("<ir_version: 10, opset_import: [\"\": 21]> g (float[2] x) => (float[2] y) { y = Abs (x) }");
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    onnx::NodeProto* const node = model.mutable_graph()->add_node();
    node->set_op_type("Relu");
    node->add_input(i == 0 ? "x" : "v" + std::to_string(i - 1));
    node->add_output("v" + std::to_string(i));
  }
  auto* const nodes = model.mutable_graph()->mutable_node();
  nodes->Mutable(0)->set_input(0, nodes->rbegin()->output(0));
  for (int i = 0; i < kCount; ++i) nodes->SwapElements(i, i + 1);
  RemovedNodes count;
  ASSERT_TRUE(Ok(RemoveNodes(&model, {.operators = {"Relu"}}, &count)));
  EXPECT_EQ(count.removed, kCount);
  EXPECT_EQ(model.graph().node(0).input(0), "x");
}

// ---- nodes that were inserted at random

/// Calls visit(message) for each graph and function.
void ForEachScope(Message* message, const std::function<void(Message*)>& visit) {
  const auto* const type = message->GetDescriptor();
  if (type == onnx::GraphProto::descriptor() || type == onnx::FunctionProto::descriptor()) visit(message);
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) ForEachScope(reflection.MutableMessage(message, field), visit);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*message, field); ++i) {
      ForEachScope(reflection.MutableRepeatedMessage(message, field, i), visit);
    }
  }
}

/// Replaces a name among the inputs of a node and of the nodes in its subgraphs, in one of `rarity` places.
int Redirect(const std::string& from, const std::string& to, RandomValues* random, std::size_t rarity,
             onnx::NodeProto* node) {
  int count = 0;
  for (std::string& input : *node->mutable_input()) {
    if (input != from || !random->OneIn(rarity)) continue;
    input = to;
    ++count;
  }
  for (onnx::AttributeProto& attribute : *node->mutable_attribute()) {
    if (!attribute.has_g()) continue;
    for (onnx::NodeProto& inner : *attribute.mutable_g()->mutable_node()) {
      count += Redirect(from, to, random, rarity, &inner);
    }
  }
  return count;
}

/// Inserts an Identity behind an output of the node `at`, for some readers of the output, or behind all outputs of the
/// graph that the node computes. Returns the number of inserted nodes.
template <typename Scope>
int InsertBehind(int at, int number, RandomValues* random, Scope* scope) {
  onnx::NodeProto* const giver = scope->mutable_node(at);
  if (giver->output().empty() || giver->output(0).empty()) return 0;
  const std::string value = giver->output(0);
  const std::string inserted = "inserted_" + std::to_string(number);
  bool is_output = false;
  for (const auto& output : scope->output()) {
    if constexpr (std::is_same_v<Scope, onnx::GraphProto>) {
      is_output |= output.name() == value;
    } else {
      is_output |= output == value;
    }
  }
  onnx::NodeProto identity;
  identity.set_op_type("Identity");
  identity.set_name(inserted);
  if (is_output) {  // the node computes the new value, of which all but the output is made
    for (int i = at + 1; i < scope->node_size(); ++i) {
      Redirect(value, inserted, random, 1, scope->mutable_node(i));
    }
    giver->set_output(0, inserted);
    identity.add_input(inserted);
    identity.add_output(value);
  } else {
    int readers = 0;
    for (int i = at + 1; i < scope->node_size(); ++i) {
      readers += Redirect(value, inserted, random, 2, scope->mutable_node(i));
    }
    if (readers == 0) return 0;
    identity.add_input(value);
    identity.add_output(inserted);
    if (random->OneIn(2)) scope->add_value_info()->set_name(inserted);
  }
  *scope->add_node() = std::move(identity);
  for (int i = scope->node_size() - 1; i > at + 1; --i) scope->mutable_node()->SwapElements(i, i - 1);
  return 1;
}

/// Returns whether each name is defined once in all of the model, so that an inserted reader reads what it should.
bool HasUniqueNames(onnx::ModelProto model) {
  std::set<std::string> names;
  bool is_unique = true;
  ForEachScope(&model, [&](Message* scope) {
    const auto add = [&](const auto& list) {
      for (const auto& node : list) {
        for (const std::string& output : node.output()) is_unique &= output.empty() || names.insert(output).second;
      }
    };
    if (auto* const graph = dynamic_cast<onnx::GraphProto*>(scope)) {
      for (const auto& input : graph->input()) is_unique &= names.insert(input.name()).second;
      for (const auto& tensor : graph->initializer()) is_unique &= names.insert(tensor.name()).second;
      add(graph->node());
    } else {
      add(dynamic_cast<onnx::FunctionProto*>(scope)->node());
    }
  });
  return is_unique;
}

TEST(RemoveModels, InsertedNodesGoAndTheModelIsAsItWas) {
  RandomValues random(41);
  int inserted = 0;
  int models = 0;
  for (const std::string& text : ModelTexts()) {
    const onnx::ModelProto model = MessageOf(text);
    if (!CheckModel(model, {.external_files = false}).ok() || !HasUniqueNames(model)) continue;
    for (int round = 0; round < 4; ++round) {
      onnx::ModelProto changed = model;
      std::vector<std::string> names;
      ForEachScope(&changed, [&](Message* scope) {
        for (int i = 0; i < 6; ++i) {
          auto* const graph = dynamic_cast<onnx::GraphProto*>(scope);
          auto* const function = dynamic_cast<onnx::FunctionProto*>(scope);
          const int size = graph != nullptr ? graph->node_size() : function->node_size();
          if (size == 0) return;
          const int at = static_cast<int>(random.Below(static_cast<std::size_t>(size)));
          const int number = static_cast<int>(names.size());
          const int count =
              graph != nullptr ? InsertBehind(at, number, &random, graph) : InsertBehind(at, number, &random, function);
          if (count > 0) names.push_back("inserted_" + std::to_string(number));
        }
      });
      if (names.empty() || !CheckModel(changed, {.external_files = false}).ok()) continue;
      onnx::ModelProto removed = changed;
      RemovedNodes count;
      const Diagnostics found = RemoveNodes(&removed, {.nodes = names}, &count);
      ASSERT_TRUE(Ok(found)) << changed.DebugString();
      EXPECT_EQ(count.kept, 0);
      ASSERT_EQ(Bytes(removed), Bytes(model)) << changed.DebugString();
      inserted += static_cast<int>(count.removed);
      ++models;
      if (round > 0 || text.size() > 3000) continue;
      const std::string own = Sprinkled(Print(changed).text, &random, 4);
      const PrintResult result = Rewrite(own, removed);
      ASSERT_TRUE(Ok(result)) << own;
      EXPECT_EQ(Bytes(MessageOf(result.text)), Bytes(removed)) << own << result.text;
      // Each node that stays keeps the comment behind it, also if it computes the output of a removed node now.
      std::string commented;
      std::vector<std::string> kept;
      std::istringstream lines(Print(changed).text);
      for (std::string line; std::getline(lines, line);) {
        commented += line;
        if (line.ends_with(')') && line.find(" = ") != std::string::npos) {
          const std::string comment = " # comment " + std::to_string(commented.size()) + ".";
          commented += comment;
          if (line.find("[inserted_") == std::string::npos) kept.push_back(comment);
        }
        commented += '\n';
      }
      const std::string rewritten = Rewrite(commented, removed).text;
      for (const std::string& comment : kept) {
        EXPECT_NE(rewritten.find(comment), std::string::npos) << comment << '\n' << commented << rewritten;
      }
    }
  }
  std::printf("%d inserted nodes in %d models\n", inserted, models);
  EXPECT_GT(models, 100);
  EXPECT_GT(inserted, 500);
}

TEST(RemoveModels, WithoutAllNodesOfAnOperatorAreRightOrRefused) {
  int removed = 0;
  int refused = 0;
  for (const std::string& text : ModelTexts()) {
    const onnx::ModelProto model = MessageOf(text);
    std::map<DiagnosticKind, int> before;
    const Diagnostics errors = CheckModel(model, {.external_files = false}).ErrorsOnly();
    for (const Diagnostic& error : errors.items()) ++before[error.kind];
    std::set<std::string> operators;
    onnx::ModelProto copy = model;
    ForEachScope(&copy, [&](Message* scope) {
      const auto add = [&](const auto& nodes) {
        for (const onnx::NodeProto& node : nodes) {
          operators.insert((node.domain().empty() ? "" : node.domain() + ".") + node.op_type());
        }
      };
      if (auto* const graph = dynamic_cast<onnx::GraphProto*>(scope)) {
        add(graph->node());
      } else {
        add(dynamic_cast<onnx::FunctionProto*>(scope)->node());
      }
    });
    for (const std::string& name : operators) {
      onnx::ModelProto changed = model;
      if (!RemoveNodes(&changed, {.operators = {name}}).ok()) {
        ++refused;
        continue;
      }
      ++removed;
      std::map<DiagnosticKind, int> left = before;
      const Diagnostics after = CheckModel(changed, {.external_files = false}).ErrorsOnly();
      for (const Diagnostic& error : after.items()) {
        EXPECT_GE(--left[error.kind], 0) << name << " of " << text << ToString(error);
      }
    }
  }
  std::printf("%d removals, %d refused\n", removed, refused);
  EXPECT_GT(removed, 150);
  EXPECT_GT(refused, 50);
}

TEST(Remove, RefusesWhatIsNestedTooDeeplyAndMapsOfOthers) {
  onnx::ModelProto deep;
  onnx::GraphProto* graph = deep.mutable_graph();
  for (int i = 0; i < 200; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  EXPECT_FALSE(RemoveNodes(&deep, {.nodes = {"n"}}).ok());
  SourceMap places;
  const onnx::ModelProto model =
      MessageOf("<ir_version: 8, opset_import: [\"\": 17]> g (float x) => (float y) { y = Neg (x) }", &places);
  onnx::ModelProto copy = model;
  EXPECT_EQ(ToString(RemoveNodes(&copy, {.nodes = {"y"}, .source_map = &places}).items().at(0)),
            "error: the source map was made for a different message [other-message]");
}

}  // namespace
}  // namespace onnxc::testing
