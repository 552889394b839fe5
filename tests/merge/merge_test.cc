// Merges versions of models. ONNXC_MERGES is the number of merges of random versions; `scripts/nightly` sets a
// larger number.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/differ.h>
#include <onnxc/merger.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

using onnx::ModelProto;

int CountOfMerges() {
  const char* const count = std::getenv("ONNXC_MERGES");
  return count == nullptr ? 1000 : std::atoi(count);
}

MergeResult MergeOf(const ModelProto& base, const ModelProto& ours, const ModelProto& theirs, bool check = true) {
  return Merge({base}, {ours}, {theirs}, {.check = check});
}

/// Returns the differences except for the order of lists whose order has no meaning.
std::string DifferenceOf(const ModelProto& one, const ModelProto& other) {
  return RenderText(Diff(one, other, {.ignore = {Aspect::kStorage}}));
}

/// A change of a model, and the elements that it reads or changes. Two changes that touch different elements do not
/// depend on each other.
struct Change {
  std::set<std::string> touched;
  std::function<void(ModelProto*)> make;
};

/// Makes models, and changes of them. The values are v0, v1, ...; the node n0 computes the value v0, and so on.
class Changes {
 public:
  explicit Changes(std::uint32_t seed) : random_(seed) {}

  int Below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  std::string Base() {
    nodes_ = 3 + Below(12);
    functions_ = 1 + Below(4);
    std::string text =
        "<ir_version: 10, opset_import: [\"\" : 20, \"my\" : 1], producer_name: \"p\", metadata_props: [\"k0\": \"a\", "
        "\"k1\": \"b\", \"k2\": \"c\"]>\ng (float[3] x) => (float[3] y) <float[3] w0 = {1, 2, 3}, float[3] w1 = {4, 5, "
        "6}, "
        "float[3] w2 = {7, 8, 9}>\n{\n";
    for (int i = 0; i < nodes_; ++i) text += fmt::format("   [n{0}] v{0} = {1}\n", i, Call(i));
    text += fmt::format("   y = Sum ({})\n}}\n", AllValues());
    for (int i = 0; i < functions_; ++i) text += Function(fmt::format("F{}", i));
    return text;
  }

  Change Make(const ModelProto& base, const std::string& side) {
    const std::string fresh = fmt::format("{}{}", side, next_++);
    const int node = Below(nodes_);
    const int function = Below(functions_);
    const std::string value = fmt::format("v{}", node);
    const std::string key = fmt::format("k{}", Below(3));
    const std::string weight = fmt::format("w{}", Below(3));
    const int number = Below(1000);
    switch (Below(14)) {
      case 0: return {{value + ".doc"}, [=](auto* m) { NodeOf(m, value)->set_doc_string(fresh); }};
      case 1:
        return {{value + ".operator"}, [=](auto* m) { NodeOf(m, value)->set_op_type(number % 2 ? "Tan" : "Erf"); }};
      case 2:
        return {{value + ".metadata"}, [=](auto* m) {
                  auto* entry = NodeOf(m, value)->add_metadata_props();
                  entry->set_key(fresh);
                  entry->set_value("1");
                }};
      case 3: return {{value + ".value", value + ".order"}, [=](auto* m) { Insert(m, value, fresh); }};
      case 4: return {UsesOf(base, value), [=](auto* m) { RenameValue(m, value, fresh); }};
      case 5: {
        std::set<std::string> touched = UsesOf(base, value);
        touched.merge(std::set<std::string>{value + ".doc", value + ".metadata", value + ".order"});
        const onnx::NodeProto& removed = base.graph().node(node);
        if (removed.input_size() > 0) touched.insert(removed.input(0) + ".value");
        return {touched, [=](auto* m) { RemoveNode(m, value); }};
      }
      case 6: {
        const std::string next = fmt::format("v{}", node + 1);
        return {{value + ".order", next + ".order", value + ".value"}, [=](auto* m) { MoveBack(m, value); }};
      }
      case 7:
        return {{weight}, [=](auto* m) {
                  InitializerOf(m, weight)->set_raw_data(std::string(12, static_cast<char>(number % 100)));
                }};
      case 8:
        return {{fresh}, [=](auto* m) {
                  auto* tensor = m->mutable_graph()->add_initializer();
                  *tensor = ParseText<onnx::TensorProto>("float[1] t = {1}");
                  tensor->set_name(fresh);
                }};
      case 9: return {{key}, [=](auto* m) { EntryOf(m, key)->set_value(fresh); }};
      case 10: {
        return {{fresh}, [=](auto* m) { AddFunction(m, fresh, function); }};
      }
      case 11:
        return {{fmt::format("F{}.import", function)}, [=](auto* m) {
                  auto* const imports = FunctionOf(m, function)->mutable_opset_import();
                  if (!imports->empty()) imports->at(0).set_version(14 + number % 6);
                }};
      case 12:
        return {{fmt::format("F{}.node", function)}, [=](auto* m) {
                  auto* const nodes = FunctionOf(m, function)->mutable_node();
                  if (!nodes->empty()) nodes->at(0).set_op_type(number % 2 ? "Cos" : "Sin");
                }};
      default:
        return {{fmt::format("F{}.doc", function)}, [=](auto* m) { FunctionOf(m, function)->set_doc_string(fresh); }};
    }
  }

 private:
  std::string Call(int i) {
    const auto read = [&] { return i == 0 || Below(4) == 0 ? std::string("x") : fmt::format("v{}", Below(i)); };
    switch (Below(4)) {
      case 0: return fmt::format("my.F{} ({})", Below(functions_), read());
      case 1: return fmt::format("Add ({}, w{})", read(), Below(3));
      case 2: return fmt::format("Neg ({})", read());
      default: return fmt::format("Relu ({})", read());
    }
  }
  std::string AllValues() const {
    std::string list;
    for (int i = 0; i < nodes_; ++i) list += fmt::format("{}v{}", i == 0 ? "" : ", ", i);
    return list;
  }
  static std::string Function(const std::string& name) {
    return fmt::format("\n<domain: \"my\", opset_import: [\"\" : 20]>\n{} (x) => (y)\n{{\n   y = Relu (x)\n}}\n", name);
  }

  /// Returns the value, and the operators of the nodes that read or compute it.
  static std::set<std::string> UsesOf(const ModelProto& model, const std::string& value) {
    std::set<std::string> uses = {value + ".value", value + ".operator"};
    for (const onnx::NodeProto& node : model.graph().node()) {
      const auto& reads = node.input();
      if (std::find(reads.begin(), reads.end(), value) != reads.end()) uses.insert(node.output(0) + ".operator");
    }
    return uses;
  }

  // Each function below does nothing if another change has removed its element.
  template <typename List, typename Is>
  static auto* FindIn(List* list, const Is& is) {
    static typename List::value_type none;
    for (auto& element : *list) {
      if (is(element)) return &element;
    }
    none.Clear();
    return &none;
  }
  static onnx::NodeProto* NodeOf(ModelProto* model, const std::string& value) {
    return FindIn(model->mutable_graph()->mutable_node(),
                  [&](const auto& node) { return node.name() == "n" + value.substr(1); });
  }
  static onnx::TensorProto* InitializerOf(ModelProto* model, const std::string& name) {
    return FindIn(model->mutable_graph()->mutable_initializer(), [&](const auto& t) { return t.name() == name; });
  }
  static onnx::StringStringEntryProto* EntryOf(ModelProto* model, const std::string& key) {
    return FindIn(model->mutable_metadata_props(), [&](const auto& entry) { return entry.key() == key; });
  }
  static onnx::FunctionProto* FunctionOf(ModelProto* model, int number) {
    return FindIn(model->mutable_functions(), [&](const auto& f) { return f.name() == fmt::format("F{}", number); });
  }

  /// Adds a node behind the one that computes the value, and reads the value in it.
  static void Insert(ModelProto* model, const std::string& value, const std::string& name) {
    auto* const nodes = model->mutable_graph()->mutable_node();
    onnx::NodeProto* const node = nodes->Add();
    node->set_op_type("Abs");
    node->add_input(value);
    node->add_output(name);
    for (int i = nodes->size() - 1; i > 0 && (*nodes)[i - 1].name() != "n" + value.substr(1); --i) {
      nodes->SwapElements(i, i - 1);
    }
  }
  static void RenameValue(ModelProto* model, const std::string& from, const std::string& to) {
    for (auto& node : *model->mutable_graph()->mutable_node()) {
      for (auto* names : {node.mutable_input(), node.mutable_output()}) {
        for (std::string& name : *names) name = name == from ? to : name;
      }
    }
  }
  /// Removes the node, and lets its readers read the node's first input.
  static void RemoveNode(ModelProto* model, const std::string& value) {
    auto* const nodes = model->mutable_graph()->mutable_node();
    for (int i = 0; i < nodes->size(); ++i) {
      if ((*nodes)[i].name() != "n" + value.substr(1)) continue;
      const std::string source = (*nodes)[i].input(0);
      const std::string output = (*nodes)[i].output(0);
      nodes->DeleteSubrange(i, 1);
      for (auto& node : *nodes) {
        for (std::string& name : *node.mutable_input()) name = name == output ? source : name;
      }
      return;
    }
  }
  /// Moves the node behind the next one, unless that one reads its value.
  static void MoveBack(ModelProto* model, const std::string& value) {
    auto* const nodes = model->mutable_graph()->mutable_node();
    for (int i = 0; i + 1 < nodes->size(); ++i) {
      if ((*nodes)[i].name() != "n" + value.substr(1)) continue;
      const auto& reads = (*nodes)[i + 1].input();
      if (std::find(reads.begin(), reads.end(), value) == reads.end()) nodes->SwapElements(i, i + 1);
      return;
    }
  }
  static void AddFunction(ModelProto* model, const std::string& name, int before) {
    auto* const functions = model->mutable_functions();
    *functions->Add() = ParseText<ModelProto>(Function(name), {.tell_functions_apart = true}).functions(0);
    for (int i = functions->size() - 1; i > 0 && (*functions)[i].name() != fmt::format("F{}", before); --i) {
      functions->SwapElements(i, i - 1);
      if ((*functions)[i].name() == fmt::format("F{}", before)) break;
    }
  }

  std::mt19937 random_;
  int nodes_ = 0;
  int functions_ = 0;
  int next_ = 0;
};

/// Two versions of a model, and what they have in common.
struct Case {
  std::string text;
  ModelProto base;
  ModelProto ours;
  ModelProto theirs;
  ModelProto both;      ///< both sides' changes, ours first
  ModelProto reversed;  ///< theirs first
  bool are_independent = true;
};

Case CaseOf(std::uint32_t seed) {
  Changes changes(seed);
  Case made;
  made.text = changes.Base();
  made.base = ParseText<ModelProto>(made.text);
  std::vector<Change> ours;
  std::vector<Change> theirs;
  for (int i = changes.Below(3); i >= 0; --i) ours.push_back(changes.Make(made.base, "a"));
  for (int i = changes.Below(3); i >= 0; --i) theirs.push_back(changes.Make(made.base, "b"));
  for (const Change& our_change : ours) {
    for (const Change& their_change : theirs) {
      for (const std::string& element : our_change.touched) {
        made.are_independent &= !their_change.touched.contains(element);
      }
    }
  }
  const auto apply = [](const std::vector<Change>& list, ModelProto model) {
    for (const Change& change : list) change.make(&model);
    return model;
  };
  made.ours = apply(ours, made.base);
  made.theirs = apply(theirs, made.base);
  made.both = apply(theirs, made.ours);
  made.reversed = apply(ours, made.theirs);
  return made;
}

std::string Versions(const Case& made) {
  return "ours:\n" + RenderText(Diff(made.base, made.ours)) + "theirs:\n" + RenderText(Diff(made.base, made.theirs));
}

TEST(Merge, GivesTheModelWithBothChangesOrAConflict) {
  int merged = 0;
  int independent = 0;
  int refused = 0;  // independent changes
  for (int seed = 0; seed < CountOfMerges(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case made = CaseOf(static_cast<std::uint32_t>(seed));
    const MergeResult result = MergeOf(made.base, made.ours, made.theirs);
    merged += result.ok();
    independent += made.are_independent;
    refused += !result.ok() && made.are_independent;
    if (result.ok()) {
      const std::string difference = DifferenceOf(made.both, result.model);
      EXPECT_TRUE(difference.empty() || DifferenceOf(made.reversed, result.model).empty())
          << "seed " << seed << "\n"
          << made.text << Versions(made) << "wrong:\n"
          << difference;
    }
  }
  std::printf("%d of %d merged; %d of %d independent changes refused\n", merged, CountOfMerges(), refused, independent);
  EXPECT_GT(merged, CountOfMerges() * 3 / 4);
  EXPECT_LE(refused, independent / 200);  // if it is uncertain which nodes are the same
}

/// A version that did not change gives the other one, byte for byte, whatever the messages contain.
TEST(Merge, TakesTheOnlyVersionThatChanged) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(CountOfMerges()) / 2; ++seed) {
    ModelProto base;
    FillAtRandom(&base, seed);
    ModelProto changed = base;
    ChangeAtRandom(&changed, seed + 1);
    for (const auto& [ours, theirs] : {std::pair(&changed, &base), {&base, &changed}, {&changed, &changed}}) {
      const MergeResult result = MergeOf(base, *ours, *theirs);
      EXPECT_TRUE(testing::Ok(result)) << "seed " << seed << "\n" << result.diagnostics;
      EXPECT_EQ(Bytes(result.model), Bytes(changed)) << "seed " << seed;
    }
  }
}

/// If both versions change fields at random, the result does not depend on which one is ours.
TEST(Merge, TreatsBothVersionsAlike) {
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(CountOfMerges()) / 2; ++seed) {
    ModelProto base;
    FillAtRandom(&base, seed);
    ModelProto ours = base;
    ModelProto theirs = base;
    ChangeAtRandom(&ours, seed + 1);
    ChangeAtRandom(&theirs, seed + 2);
    const MergeResult one = MergeOf(base, ours, theirs, false);
    const MergeResult other = MergeOf(base, theirs, ours, false);
    EXPECT_EQ(one.ok(), other.ok()) << "seed " << seed << "\n" << one.diagnostics << other.diagnostics;
    EXPECT_TRUE(!one.ok() || !other.ok() || DifferenceOf(one.model, other.model).empty())
        << "seed " << seed << "\nours:\n"
        << RenderText(Diff(base, ours)) << "theirs:\n"
        << RenderText(Diff(base, theirs)) << "other:\n"
        << DifferenceOf(one.model, other.model);
  }
}

/// Returns one side of each conflict.
std::string Resolved(std::string_view text, bool is_ours) {
  std::string lines;
  bool in_ours = false;
  bool in_theirs = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.empty() ? text.size() : line.size());
    if (line == "<<<<<<< ours\n") {
      in_ours = true;
    } else if (line == "=======\n" && in_ours) {
      in_ours = false;
      in_theirs = true;
    } else if (line == ">>>>>>> theirs\n") {
      in_theirs = false;
    } else if (is_ours ? !in_theirs : !in_ours) {
      lines += line;
    }
  }
  return lines;
}

/// The text is a text of the merged model, and both sides of its conflicts are texts of models, too.
TEST(Merge, WritesATextOfTheMergedModel) {
  const PrintOptions kWhole{.final_line_break = true};
  int kept = 0;
  for (int seed = 0; seed < CountOfMerges(); ++seed) {
    const Case made = CaseOf(static_cast<std::uint32_t>(seed));
    const std::string comment = "   # says why\n   y = Sum";
    std::string ours = Print(made.ours, kWhole).text;
    ours.replace(ours.find("   y = Sum"), 10, comment);
    const std::string theirs = Print(made.theirs, kWhole).text;
    const std::string base = Print(made.base, kWhole).text;
    const MergeResult result =
        Merge({made.base, base}, {made.ours, ours}, {made.theirs, theirs}, {.text = true, .check = false});
    EXPECT_EQ(Bytes(ParseText<ModelProto>(Resolved(result.text, true))), Bytes(result.model)) << "seed " << seed;
    if (result.has_conflicts) (void)ParseText<ModelProto>(Resolved(result.text, false));
    EXPECT_TRUE(result.text.find("# says why") != std::string::npos || result.has_conflicts) << "seed " << seed;
    kept += result.text.find(comment) != std::string::npos;
  }
  std::printf("%d of %d comments at their places\n", kept, CountOfMerges());
  EXPECT_GT(kept, CountOfMerges() * 9 / 10);
}

// ---- single conflicts

/// Merges three texts of models. Returns the merged text, or the conflicts.
std::string MergeTexts(const std::vector<std::string>& texts, bool text = false) {
  std::vector<ModelProto> models;
  for (const std::string& version : texts) {
    models.push_back(ParseText<ModelProto>(version, {.tell_functions_apart = true}));
  }
  const MergeResult result = Merge({models[0], texts[0]}, {models[1], texts[1]}, {models[2], texts[2]}, {.text = true});
  if (text || result.ok()) return result.text;
  std::string conflicts;
  for (const Diagnostic& conflict : result.diagnostics.items()) conflicts += ToString(conflict) + "\n";
  return conflicts;
}

/// Merges three lists of nodes. Returns the merged nodes, or the conflicts.
std::string MergeNodes(const std::string& base, const std::string& ours, const std::string& theirs,
                       const std::string& our_version = "12") {
  const auto text = [](const std::string& nodes, const std::string& version) {
    const std::string header =
        "<ir_version: 8, opset_import: [\"\" : " + version + "]>\ng (float[3, 3] x) => (float[3, 3] y) ";
    return Print(ParseText<ModelProto>(header + "{\n" + nodes + "}\n"), {.final_line_break = true}).text;
  };
  std::string merged = MergeTexts({text(base, "12"), text(ours, our_version), text(theirs, "12")});
  const std::size_t begin = merged.find("{\n");
  if (begin == std::string::npos) return merged;
  merged = merged.substr(begin + 2, merged.size() - begin - 4);
  for (std::size_t at; (at = merged.find("   ")) != std::string::npos;) merged.erase(at, 3);
  return merged;
}

TEST(Merge, MergesTheFieldsOfANode) {
  EXPECT_EQ(MergeNodes("y = Gemm <alpha = 1.0, beta = 1.0> (x, x)\n", "y = Gemm <alpha = 2.0, beta = 1.0> (x, x)\n",
                       "y = Gemm <alpha = 1.0, beta = 3.0> (x, x)\n"),
            "y = Gemm <alpha = 2.0, beta = 3.0> (x, x)\n");
  const std::string before = "a = Abs (x)\nb = Neg (x)\n";
  EXPECT_EQ(MergeNodes(before + "y = Add (x, x)\n", before + "y = Add (a, x)\n", before + "y = Add (x, b)\n"),
            before + "y = Add (a, b)\n");
  EXPECT_EQ(
      MergeNodes("y = Gemm <alpha = 1.0> (x, x)\n", "y = Gemm <alpha = 2.0> (x, x)\n",
                 "y = Gemm <alpha = 3.0> (x, x)\n"),
      "graph.node[0].attribute[\"alpha\"]: error: both versions changed this: to 2.0 in ours, and to 3.0 in theirs "
      "[merge-conflict]\n");
  EXPECT_EQ(
      MergeNodes("y = LeakyRelu <alpha = 0.1> (x)\n", "y = Elu <alpha = 0.1> (x)\n",
                 "y = LeakyRelu <alpha = 0.2> (x)\n"),
      "graph.node[0]: error: both versions changed this: to y = Elu (x) in ours, and to y = LeakyRelu (x) in theirs "
      "[merge-conflict]\n");
}

TEST(Merge, RefusesToReadAnotherValue) {
  const std::string y = "y = Add (a, b)\n";
  // Theirs reads a value that ours has removed, renamed, or given the name of another one.
  const std::string base = "a = Abs (x)\nb = Neg (x)\n" + y;
  const std::string theirs = "a = Abs (x)\nb = Neg (x)\nc = Exp (a)\n" + y;
  const std::string expected =
      "graph.node[2]: error: theirs reads 'a' here, which ours removed, renamed or replaced [merge-conflict]\n";
  EXPECT_EQ(MergeNodes(base, "b = Neg (x)\ny = Add (x, b)\n", theirs), expected);
  EXPECT_EQ(MergeNodes(base, "z = Abs (x)\nb = Neg (x)\ny = Add (z, b)\n", theirs), expected);
  EXPECT_EQ(MergeNodes(base, "b = Abs (x)\na = Neg (x)\ny = Add (b, a)\n", theirs), expected);
  // Ours computes the value in another way.
  EXPECT_EQ(MergeNodes(base, "t = Exp (x)\na = Mul (t, x)\nb = Neg (x)\n" + y, theirs),
            "t = Exp (x)\na = Mul (t, x)\nb = Neg (x)\nc = Exp (a)\n" + y);
}

TEST(Merge, RefusesAnotherMeaningOfAnOperator) {
  EXPECT_EQ(MergeNodes("y = Abs (x)\n", "y = Abs (x)\n", "a = Softmax (x)\ny = Abs (a)\n", "13"),
            "model: error: theirs added or changed 'a = Softmax (x)' for version 12 of the operators, but Softmax has "
            "another "
            "meaning in version 13, which the merged model would use [merge-conflict]\n");
  EXPECT_EQ(MergeNodes("y = Abs (x)\n", "y = Abs (x)\n", "a = Exp (x)\ny = Abs (a)\n", "13"),
            "a = Exp (x)\ny = Abs (a)\n");
}

TEST(Merge, TakesTheDataOfATensorAsOneValue) {
  const auto text = [](const std::string& weights) {
    return "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float x) => (float y) <" + weights +
           "> {\ny = Sum (x, w)\n}\n";
  };
  const std::string merged =
      MergeTexts({text("float[2] w = {1, 2}"), text("float[1, 2] w = {1, 2}"), text("float[2] w = {1, 3}")});
  EXPECT_NE(merged.find("graph.initializer[0] \"w\": error: both versions changed this: to float[1, 2] in ours"),
            std::string::npos)
      << merged;
}

TEST(Merge, RefusesAnUncertainOrderOfInputs) {
  const auto text = [](const std::string& inputs) {
    return "<ir_version: 8, opset_import: [\"\" : 17]>\ng (" + inputs + ") => (float y) {\ny = Sum (x)\n}\n";
  };
  EXPECT_EQ(
      MergeTexts({text("float x"), text("float x, float a"), text("float x, float b")}),
      "graph: error: both versions added or moved inputs, and the order of inputs has a meaning [merge-conflict]\n");
  EXPECT_EQ(MergeTexts({text("float x, float a"), text("float x"), text("float b, float x, float a")}),
            text("float b, float x"));
}

TEST(Merge, KeepsFunctionsApart) {
  const std::string header = "<domain: \"my\", opset_import: [\"\" : 20]>\n";
  const std::string f = "F (x) => (y) {\n   y = Relu (x)\n}\n";
  const std::string g = "G (x) => (y) {\n   y = Neg (x)\n}\n\n";
  const std::string changed = "<domain: \"my\", opset_import: [\"\" : 19]>\n" + f;
  const std::string merged = MergeTexts({header + f, changed, header + g + header + f});
  EXPECT_EQ(Bytes(ParseText<ModelProto>(merged, {.tell_functions_apart = true})),
            Bytes(ParseText<ModelProto>(header + g + changed, {.tell_functions_apart = true})));
}

TEST(Merge, TellsFunctionsApartByThreeNames) {
  // With line breaks between them, the names of both functions would be equal texts.
  const std::string a = "<domain: \"a\", opset_import: [\"\" : 20]>\nb\"b\\nc\" (x) => (y) {\n   y = Relu (x)\n}\n";
  const std::string b = "<domain: b\"a\\nb\", opset_import: [\"\" : 20]>\nc (x) => (y) {\n   y = Neg (x)\n}\n";
  const std::string changed =
      "<domain: \"a\", opset_import: [\"\" : 20]>\nb\"b\\nc\" (x) => (y) {\n   y = Tanh (x)\n}\n";
  const std::string merged = MergeTexts({a + b, b + a, changed + b});
  EXPECT_EQ(Bytes(ParseText<ModelProto>(merged, {.tell_functions_apart = true})),
            Bytes(ParseText<ModelProto>(b + changed, {.tell_functions_apart = true})));
}

TEST(Merge, KeepsTheLineEndsOfOurText) {
  const auto with_returns = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    return text;
  };
  const auto text = [](const std::string& operators) {
    return "<ir_version: 8, opset_import: [\"\" : 17]>\n# the graph\ng (float x) => (float y) {\n" + operators + "}\n";
  };
  const std::string base = text("a = Abs (x)\ny = Abs (a)\n");
  const std::string ours = text("a = Exp (x)\ny = Abs (a)\n");
  const std::string theirs = text("a = Abs (x)\ny = Neg (a)\n");
  EXPECT_EQ(MergeTexts({base, with_returns(ours), theirs}), with_returns(text("a = Exp (x)\ny = Neg (a)\n")));
  EXPECT_EQ(MergeTexts({base, ours, with_returns(theirs)}), text("a = Exp (x)\ny = Neg (a)\n"));
}

TEST(Merge, MarksConflictsInTheText) {
  const auto text = [](const std::string& operators) {
    return "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float x) => (float y) {\n# first\n" + operators + "}\n";
  };
  EXPECT_EQ(MergeTexts({text("a = Abs (x)\ny = Abs (a)\n"), text("a = Exp (x)\ny = Abs (a)\n"),
                        text("a = Neg (x)\ny = Sign (a)\n")},
                       true),
            text("<<<<<<< ours\na = Exp (x)\n=======\na = Neg (x)\n>>>>>>> theirs\ny = Sign (a)\n"));
}

}  // namespace
}  // namespace onnxc::testing
