// A function is identified by three names, which may contain any characters: no two different triples are the same
// function, for the linker, the checker, declared operators or the comparison of models.
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/differ.h>
#include <onnxc/linker.h>

#include <array>
#include <string>
#include <vector>

#include "source/names.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using Triple = std::array<std::string, 3>;  // domain, name, overload

/// All triples of some texts. Those of two different triples often make the same text when they are joined.
std::vector<Triple> Triples() {
  const std::vector<std::string> parts = {"a",  "b",   "a::b", "b::a", "a:b",  "b:", ":b",
                                          "::", "a.b", ".",    "\"",   "a\nb", "\n", "a b"};
  std::vector<Triple> triples;
  std::vector<std::string> domains = parts;
  domains.emplace_back();
  for (const std::string& domain : domains) {
    for (const std::string& name : parts) {
      for (const std::string& overload : parts) triples.push_back({domain, name, overload});
      triples.push_back({domain, name, ""});
    }
  }
  return triples;
}

void AddFunction(const Triple& names, const std::string& doc, onnx::ModelProto* model) {
  onnx::FunctionProto& function = *model->add_functions();
  function.set_domain(names[0]);
  function.set_name(names[1]);
  if (!names[2].empty()) function.set_overload(names[2]);
  function.set_doc_string(doc);
  function.add_input("x");
  function.add_output("y");
  onnx::NodeProto& node = *function.add_node();
  node.set_op_type("Relu");
  node.add_input("x");
  node.add_output("y");
  function.add_opset_import()->set_version(21);
}

void AddCall(const Triple& names, onnx::GraphProto* graph) {
  onnx::NodeProto& node = *graph->add_node();
  node.set_domain(names[0]);
  node.set_op_type(names[1]);
  if (!names[2].empty()) node.set_overload(names[2]);
  node.add_input("x");
  node.add_output("y" + std::to_string(graph->node_size()));
}

onnx::ModelProto Empty() {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(21);
  model.mutable_graph()->set_name("g");
  return model;
}

Triple NamesOf(const onnx::FunctionProto& function) {
  return {function.domain(), function.name(), function.overload()};
}

TEST(FunctionKeys, TheLinkerTellsAllApart) {
  const std::vector<Triple> triples = Triples();
  std::vector<LinkInput> libraries;
  LinkInput& library = libraries.emplace_back(LinkInput{SourceText("lib.onnx", ""), {}, {}});
  for (const Triple& names : triples) AddFunction(names, names[0] + "|" + names[1] + "|" + names[2], &library.message);
  // Every second function is called: none of the others is added.
  onnx::ModelProto model = Empty();
  std::vector<Triple> called;
  for (std::size_t i = 0; i < triples.size(); i += 2) called.push_back(triples[i]);
  for (const Triple& names : called) AddCall(names, model.mutable_graph());
  for (const SourceFindings& findings : Link(&model, SourceText("m.onnx", ""), {}, libraries)) {
    ADD_FAILURE() << RenderText(findings.diagnostics, findings.source);
  }
  ASSERT_EQ(model.functions_size(), static_cast<int>(called.size()));
  for (int i = 0; i < model.functions_size(); ++i) {
    EXPECT_EQ(NamesOf(model.functions(i)), called[static_cast<std::size_t>(i)]);
    EXPECT_EQ(model.functions(i).doc_string(), library.message.functions(2 * i).doc_string());
  }
}

// A library with one function serves the calls of this function only.
TEST(FunctionKeys, TheLinkerFindsOnlyEqualOnes) {
  const std::vector<Triple> triples = {{"a::b", "c", ""}, {"a", "b::c", ""}, {"a", "b", "c"},   {"a:b", ":c", ""},
                                       {"a", "f:o", ""},  {"a", "f", "o"},   {"a.b", "c", ""},  {"a", "b.c", ""},
                                       {"a", "b\n", "c"}, {"a", "b", "\nc"}, {"a\n", "b", "c"}, {"\"a\"", "b", "c"},
                                       {"a", "", "b::c"}, {"a", "::b", "c"}, {"", "a", "c"},    {"", "a::b", "c"}};
  for (const Triple& defined : triples) {
    for (const Triple& called : triples) {
      std::vector<LinkInput> libraries;
      LinkInput& library = libraries.emplace_back(LinkInput{SourceText("lib.onnx", ""), {}, {}});
      AddFunction(defined, "", &library.message);
      onnx::ModelProto model = Empty();
      AddCall(called, model.mutable_graph());
      (void)Link(&model, SourceText("m.onnx", ""), {}, libraries);
      EXPECT_EQ(model.functions_size(), defined == called ? 1 : 0)
          << ::testing::PrintToString(defined) << ::testing::PrintToString(called);
    }
  }
}

TEST(FunctionKeys, TheCheckerFindsNoneTwice) {
  onnx::ModelProto model = Empty();
  for (const Triple& names : Triples()) AddFunction(names, "", &model);
  const Diagnostics found = CheckModel(model, {.max_diagnostics = 1'000'000});
  for (const Diagnostic& finding : found.items()) {
    EXPECT_NE(Name(finding.kind), "duplicate-function") << finding.path << finding.message;
  }
}

// A function is compared with the function of the same names: its documentation changes, and nothing else.
TEST(FunctionKeys, TheComparisonPairsEqualOnes) {
  const std::vector<Triple> triples = Triples();
  onnx::ModelProto before = Empty();
  onnx::ModelProto after = Empty();
  for (std::size_t i = 0; i < triples.size(); ++i) {
    AddFunction(triples[i], "before", &before);
    AddFunction(triples[triples.size() - 1 - i], "after", &after);
  }
  std::size_t changed = 0;
  for (const Difference& difference : Diff(before, after, {.ignore = {Aspect::kStorage}})) {
    EXPECT_EQ(difference.kind, Difference::Kind::kChanged) << difference.path;
    if (difference.aspect == Aspect::kDocs) ++changed;
  }
  EXPECT_EQ(changed, triples.size());
}

TEST(FunctionKeys, JoinedKeysDiffer) {
  const std::vector<Triple> triples = Triples();
  OwnedNameSet keys;
  for (const Triple& names : triples) keys.insert(JoinedKey({names[0], names[1], names[2]}));
  EXPECT_EQ(keys.size(), triples.size());
  EXPECT_NE(JoinedKey({"a", ""}), JoinedKey({"a"}));
  EXPECT_NE(JoinedKey({"1 a"}), JoinedKey({"", "a"}));
}

}  // namespace
}  // namespace onnxc::testing
