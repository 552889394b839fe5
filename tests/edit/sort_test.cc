#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/diagnostic.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rewrite.h>
#include <onnxc/sort.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "source/free_names.h"
#include "testing/full_model.h"
#include "testing/model_texts.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_model.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::testing {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

const std::string kHead = "<ir_version: 8, opset_import: [\"\": 17, \"d\": 1]>\n";

onnx::ModelProto Read(const std::string& text, SourceMap* places = nullptr) {
  onnx::ModelProto model;
  EXPECT_TRUE(Ok(Parse(text, &model, {.source_map_out = places, .tell_functions_apart = true}))) << text;
  return model;
}

/// Returns the first outputs of the nodes after sorting, or the findings.
std::string Sorted(const std::string& nodes, const std::string& inputs = "bool c, float x") {
  const std::string text = kHead + "g (" + inputs + ") => (float y) { " + nodes + " }";
  SourceMap places;
  onnx::ModelProto model = Read(text, &places);
  const Diagnostics found = SortNodes(&model, {.source_map = &places});
  std::string shown;
  for (const Diagnostic& finding : found.items()) {
    shown += text.substr(finding.range.begin, finding.range.end - finding.range.begin) + ": " + finding.message + "\n";
  }
  for (const auto& node : model.graph().node()) shown += (shown.empty() ? "" : " ") + node.output(0);
  return shown;
}

TEST(Sort, TakesTheFirstNodeThatIsReady) {
  EXPECT_EQ(Sorted("y = Neg(b) b = Neg(a) a = Neg(x)"), "a b y");
  EXPECT_EQ(Sorted("b = Neg(a) p = Neg(x) q = Neg(p) a = Neg(x) y = Add(b, q)"), "p q a b y");
  EXPECT_EQ(Sorted("p = Neg(x) y = Neg(p) b = Neg(x)"), "p y b");
  EXPECT_EQ(Sorted("y = Add(t, t) t = Neg(x)"), "t y");
  EXPECT_EQ(Sorted("y, z = d.f (\"\", q) p, q = d.f (\"\", x)"), "p y");
}

TEST(Sort, WaitsForWhatSubgraphsReadFromOutside) {
  const std::string other = ", else_branch = e () => (float b) { b = Neg(x) }> ";
  EXPECT_EQ(Sorted("y = If(c) <then_branch = t () => (float a) { a = Neg(late) }" + other + "late = Neg(x)"), "late y");
  EXPECT_EQ(Sorted("y = If(c) <then_branch = t () => (float a) { a = If(c) <then_branch = u () => (float i) { i = "
                   "Neg(late) }" +
                   other + "}" + other + "late = Neg(x)"),
            "late y");
  EXPECT_EQ(Sorted("y = If(c) <then_branch = t () => (float late) { }" + other + "late = Neg(x)"), "late y");
  // The subgraph reads its own values of these names.
  EXPECT_EQ(Sorted("y = If(c) <then_branch = t () => (float a) { own = Neg(x) a = Neg(own) }" + other + "own = Neg(y)"),
            "y own");
  EXPECT_EQ(Sorted("y = d.f (x) <body = t (float own) => (float a) { a = Neg(own) }> own = Neg(y)"), "y own");
  EXPECT_EQ(Sorted("y = d.f (x) <body = t () => (float a) <float own = {1}> { a = Neg(own) }> own = Neg(y)"), "y own");
}

TEST(Sort, DoesNotMoveWhatIsSortedThoughANameHasTwoValues) {
  EXPECT_EQ(Sorted("a = Neg(x) x = Neg(a) y = Neg(x)"), "a x y");
  EXPECT_EQ(Sorted("t = Neg(x) a = Neg(t) t = Neg(a) y = Neg(t)"), "t a t y");
  const std::string text = kHead +
                           "g (float x) => (float y) { t = Neg(x) y = d.f (x) <body = b () => (float u) { u = Neg(t) t "
                           "= Neg(u) }> }";
  onnx::ModelProto model = Read(text);
  EXPECT_TRUE(Ok(SortNodes(&model)));
  EXPECT_EQ(Bytes(model), Bytes(Read(text)));
}

TEST(Sort, ShowsEachCycleAtItsPlace) {
  EXPECT_EQ(Sorted("[one] a = Add(x, c2) [two] b = Neg(a) [three] c2 = Neg(b) y = Neg(c2)"),
            "c2: 'c2' depends on itself: the node 'one' -> the node 'three' -> the node 'two' -> the node 'one'\n"
            " a b c2 y");
  EXPECT_EQ(Sorted("y = Add(x, y)"), "y: the Add node reads its own output 'y'\n y");
  EXPECT_EQ(Sorted("p = Neg(q) q = Abs(p) u = Neg(v) v = Abs(u) y = Neg(z) z = Neg(x)"),
            "q: 'q' depends on itself: the Neg node -> the Abs node -> the Neg node\n"
            "v: 'v' depends on itself: the Neg node -> the Abs node -> the Neg node\n p q u v y z");
  EXPECT_EQ(Sorted("t = Neg(y) y = If(c) <then_branch = t () => (float a) { a = Neg(t) }, else_branch = e () => (float "
                   "b) { b = Neg(x) }>"),
            "y: 'y' depends on itself: the Neg node -> the If node -> the Neg node\n t y");
  onnx::ModelProto model =
      Read(kHead + "g (float x) => (float y) { y = d.f (x) <body = b () => (float u) { u = Neg(v) v = Neg(u) }> }");
  const Diagnostics found = SortNodes(&model);
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_EQ(ToString(found.items()[0]),
            "graph.node[0].attribute[\"body\"].g.node[0].input[0]: error: 'v' depends on itself: the Neg node -> the "
            "Neg node -> the Neg node [cycle]");
}

TEST(Sort, RefusesWhatIsNestedTooDeeplyAndMapsOfOthers) {
  onnx::ModelProto deep;
  onnx::GraphProto* graph = deep.mutable_graph();
  for (int i = 0; i < 200; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  EXPECT_FALSE(SortNodes(&deep).ok());
  SourceMap places;
  const onnx::ModelProto model = Read(kHead + "g (float x) => (float y) { y = Neg(x) }", &places);
  onnx::ModelProto copy = model;
  EXPECT_EQ(ToString(SortNodes(&copy, {.source_map = &places}).items().at(0)),
            "error: the source map was made for a different message [other-message]");
}

// ---- any model, whose nodes are in any order

/// Calls visit(nodes) for each list of nodes in the message, outer lists first.
void ForEachList(Message* message, const std::function<void(Nodes*)>& visit) {
  if (auto* const graph = dynamic_cast<onnx::GraphProto*>(message)) visit(graph->mutable_node());
  if (auto* const function = dynamic_cast<onnx::FunctionProto*>(message)) visit(function->mutable_node());
  const auto& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) ForEachList(reflection.MutableMessage(message, field), visit);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*message, field); ++i) {
      ForEachList(reflection.MutableRepeatedMessage(message, field, i), visit);
    }
  }
}

int Shuffle(onnx::ModelProto* model, RandomValues* random) {
  int moved = 0;
  ForEachList(model, [&](Nodes* nodes) {
    for (int i = nodes->size() - 1; i > 0; --i) {
      const int other = static_cast<int>(random->Below(static_cast<std::size_t>(i) + 1));
      nodes->SwapElements(i, other);
      moved += i == other ? 0 : 1;
    }
  });
  return moved;
}

/// Returns the bytes of the model with the nodes of each list in an order that depends only on the nodes.
std::string InAnyOrder(onnx::ModelProto model) {
  std::vector<Nodes*> lists;
  ForEachList(&model, [&](Nodes* nodes) { lists.push_back(nodes); });
  for (auto nodes = lists.rbegin(); nodes != lists.rend(); ++nodes) {  // inner lists first
    std::vector<std::pair<std::string, onnx::NodeProto*>> keyed;
    for (onnx::NodeProto& node : **nodes) keyed.emplace_back(Bytes(node), &node);
    std::ranges::sort(keyed);
    std::ranges::transform(keyed, (*nodes)->pointer_begin(), [](const auto& each) { return each.second; });
  }
  return Bytes(model);
}

/// Returns the outputs of the nodes in the order in which they should be: again and again the first node is taken that
/// reads no output of the others.
std::string ExpectedOrder(const Nodes& nodes) {
  std::vector<const onnx::NodeProto*> left;
  for (const onnx::NodeProto& node : nodes) left.push_back(&node);
  std::string order;
  while (!left.empty()) {
    std::set<std::string_view> missing;
    for (const onnx::NodeProto* node : left) missing.insert(node->output().begin(), node->output().end());
    const auto next = std::ranges::find_if(left, [&](const onnx::NodeProto* node) {
      bool is_ready = true;
      ForEachFreeName(*node, [&](const std::string& name, const auto&...) { is_ready &= !missing.contains(name); });
      return is_ready;
    });
    if (next == left.end()) return "a cycle";
    for (const std::string& output : (*next)->output()) order += output + " ";
    left.erase(next);
  }
  return order;
}

std::string OutputsOf(const Nodes& nodes) {
  std::string outputs;
  for (const onnx::NodeProto& node : nodes) {
    for (const std::string& output : node.output()) outputs += output + " ";
  }
  return outputs;
}

/// Returns whether the order of the nodes is wrong or unknown.
bool HasNoOrder(const onnx::ModelProto& model) {
  const Diagnostics found = CheckModel(model, {.external_files = false, .infer = false});
  return std::ranges::any_of(found.items(), [](const Diagnostic& finding) {
    const std::string_view kind = Name(finding.kind);
    return kind == "not-sorted" || kind == "cycle" || kind == "duplicate-name" || kind == "duplicate-input";
  });
}

/// Returns the texts of sorted models in the test data and the documents.
std::vector<std::string> SortedTexts() {
  std::vector<std::string> texts = ModelTexts();
  std::erase_if(texts, [](const std::string& text) { return HasNoOrder(Read(text)); });
  return texts;
}

/// Adds nodes that read any of the values `known`; the graphs inside them do so, too.
void AddNodes(onnx::GraphProto* graph, std::vector<std::string> known, int levels, RandomValues* random, int* names) {
  graph->set_name("g" + std::to_string(++*names));
  for (std::size_t i = random->Below(12); i > 0 || graph->node().empty(); i -= i > 0 ? 1 : 0) {
    onnx::NodeProto* const node = graph->add_node();
    node->set_domain("d");
    node->set_op_type("f");
    for (std::size_t j = random->Below(4); j > 0; --j) node->add_input(random->Pick(known));
    for (std::size_t j = levels == 0 ? 0 : random->Below(3); j > 0; --j) {
      onnx::AttributeProto* const attribute = node->add_attribute();
      attribute->set_name("a" + std::to_string(j));
      attribute->set_type(onnx::AttributeProto::GRAPH);
      AddNodes(attribute->mutable_g(), known, levels - 1, random, names);
    }
    for (std::size_t j = 1 + random->Below(2); j > 0; --j) node->add_output("v" + std::to_string(++*names));
    known.insert(known.end(), node->output().begin(), node->output().end());
  }
  graph->add_output()->set_name(graph->node(graph->node_size() - 1).output(0));
}

onnx::ModelProto ModelAtRandom(RandomValues* random) {
  onnx::ModelProto model = Read(kHead + "g (float x) => () { }");
  int names = 0;
  AddNodes(model.mutable_graph(), {"x"}, 3, random, &names);
  return model;
}

/// Shuffles the nodes, sorts them, and compares with the original model.
int ExpectSortedAgain(const onnx::ModelProto& original, RandomValues* random) {
  onnx::ModelProto model = original;
  const int moved = Shuffle(&model, random);
  std::vector<std::string> expected;
  ForEachList(&model, [&](Nodes* nodes) { expected.push_back(ExpectedOrder(*nodes)); });
  EXPECT_TRUE(Ok(SortNodes(&model))) << original.DebugString();
  std::vector<std::string> actual;
  ForEachList(&model, [&](Nodes* nodes) { actual.push_back(OutputsOf(*nodes)); });
  for (std::vector<std::string>* const orders : {&expected, &actual})
    std::ranges::sort(*orders);  // the lists moved, too
  EXPECT_EQ(actual, expected) << original.DebugString();
  EXPECT_FALSE(HasNoOrder(model)) << original.DebugString();
  EXPECT_EQ(InAnyOrder(model), InAnyOrder(original)) << original.DebugString();
  return moved;
}

TEST(SortModels, StayAsTheyAreIfTheyAreSorted) {
  const std::vector<std::string> texts = SortedTexts();
  for (const std::string& text : texts) {
    onnx::ModelProto model = Read(text);
    ASSERT_TRUE(Ok(SortNodes(&model))) << text;
    EXPECT_EQ(Bytes(model), Bytes(Read(text))) << text;
  }
  std::printf("%zu texts\n", texts.size());
  EXPECT_GT(texts.size(), 200u);
}

TEST(SortModels, AreSortedAgainAfterShuffling) {
  RandomValues random(20);
  int models = 0;
  int moved = 0;
  for (const std::string& text : SortedTexts()) {
    moved += ExpectSortedAgain(Read(text), &random);
    ++models;
  }
  for (int round = 0; round < 300; ++round) {
    moved += ExpectSortedAgain(ModelAtRandom(&random), &random);
    ++models;
  }
  std::printf("%d models, in which %d nodes were moved\n", models, moved);
  EXPECT_GT(moved, 10000);
}

/// The result is a text of exactly the sorted model, and has all comments. Nothing changes if the model is sorted.
TEST(SortModels, KeepTheirTexts) {
  RandomValues random(21);
  int texts = 0;
  int moved = 0;
  std::size_t comments = 0;
  const auto keeps = [&](const onnx::ModelProto& original) {
    onnx::ModelProto model = original;
    const std::string own = Sprinkled(Print(model).text, &random, 4);
    EXPECT_TRUE(AreSame(Rewrite(own, model).text, own));
    moved += Shuffle(&model, &random);
    const std::string text = Sprinkled(Print(model).text, &random, 4);
    ASSERT_TRUE(Ok(SortNodes(&model)));
    const PrintResult result = Rewrite(text, model);
    ASSERT_TRUE(Ok(result)) << text;
    EXPECT_EQ(Bytes(Read(result.text)), Bytes(model)) << text;
    std::vector<std::string> before = CommentsIn(text);
    std::vector<std::string> after = CommentsIn(result.text);
    std::ranges::sort(before);
    std::ranges::sort(after);
    EXPECT_EQ(after, before) << text << "\n" << result.text;
    comments += before.size();
    ++texts;
  };
  for (const std::string& text : SortedTexts()) {
    const onnx::ModelProto model = Read(text);
    constexpr std::size_t kLongest = 4000;
    if (text.size() <= kLongest && model.graph().node_size() > 1) keeps(model);
  }
  for (int round = 0; round < 30; ++round) keeps(ModelAtRandom(&random));
  std::printf("%d texts with %zu comments\n", texts, comments);
  EXPECT_GT(texts, 50);
  EXPECT_GT(moved, 500);
}

TEST(SortModels, MoveEachCommentWithItsNode) {
  RandomValues random(22);
  for (int round = 0; round < 100; ++round) {
    const int count = 2 + static_cast<int>(random.Below(8));
    std::vector<std::string> nodes;
    for (int i = 0; i < count; ++i) {
      const std::string name = "v" + std::to_string(i);
      const std::string input = i == 0 ? "x" : "v" + std::to_string(random.Below(static_cast<std::size_t>(i)));
      nodes.push_back("   # above " + name + "\n   " + name + " = Neg  (" + input + ")  # behind " + name + "\n");
    }
    for (std::size_t i = nodes.size() - 1; i > 0; --i) std::swap(nodes[i], nodes[random.Below(i + 1)]);
    std::string text = kHead + "g (float x) => (float v0)\n{\n";
    for (const std::string& node : nodes) text += node;
    text += "}\n";
    onnx::ModelProto model = Read(text);
    ASSERT_TRUE(Ok(SortNodes(&model)));
    const std::string sorted = Rewrite(text, model).text;
    EXPECT_EQ(Bytes(Read(sorted)), Bytes(model)) << sorted;
    for (const std::string& node : nodes) EXPECT_NE(sorted.find(node), std::string::npos) << text << sorted;
    EXPECT_EQ(sorted.size(), text.size()) << text << sorted;
  }
}

TEST(SortModels, OfAnyMessagesLoseNothing) {
  int sorted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    RandomValues random(seed);
    onnx::ModelProto model;
    RandomModel(&random).Fill(&model, 3);
    const std::string before = InAnyOrder(model);
    sorted += SortNodes(&model).ok() ? 1 : 0;
    EXPECT_EQ(InAnyOrder(model), before) << seed;
    const std::string once = Bytes(model);
    (void)SortNodes(&model);
    EXPECT_EQ(Bytes(model), once) << seed;
  }
  std::printf("%d of 2000 models have no cycle\n", sorted);
  EXPECT_GT(sorted, 1000);
}

TEST(SortPlaces, ChangesOnlyTheOrderOfNodes) {
  RandomValues random(23);
  int models = 0;
  int moved = 0;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& original) {
    onnx::ModelProto model = original;
    moved += Shuffle(&model, &random);
    EXPECT_TRUE(Ok(SortNodes(&model))) << name;
    EXPECT_EQ(InAnyOrder(model), InAnyOrder(original)) << name;
    const Diagnostics found = CheckModel(model, {.external_files = false, .infer = false});
    for (const Diagnostic& finding : found.items()) {
      EXPECT_NE(Name(finding.kind), "not-sorted") << name << ToString(finding);
    }
    ++models;
  });
  std::printf("%d models, in which %d nodes were moved\n", models, moved);
  EXPECT_GT(models, 2000);
  EXPECT_GT(moved, models / 2);
}

}  // namespace
}  // namespace onnxc::testing
