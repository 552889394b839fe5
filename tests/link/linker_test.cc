// Linking functions of libraries into a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/linker.h>

#include <string>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

/// A model and libraries, each from its text.
struct Parts {
  Parts(const std::string& model_text, const std::vector<std::string>& library_texts)
      : source("model.onnxtxt", model_text) {
    EXPECT_TRUE(testing::Ok(Parse(source.text(), &model, {.source_map_out = &places}))) << model_text;
    libraries.reserve(library_texts.size());
    for (const std::string& text : library_texts) {
      const std::string name = "lib" + std::to_string(libraries.size() + 1) + ".onnxtxt";
      LinkInput& library = libraries.emplace_back(LinkInput{SourceText(name, text), {}, {}});
      const ParseOptions options{.source_map_out = &library.places, .tell_functions_apart = true};
      EXPECT_TRUE(testing::Ok(Parse(text, &library.message, options))) << text;
    }
  }

  /// The findings as they are shown to users.
  std::string LinkAll() {
    std::string shown;
    for (const SourceFindings& findings : Link(&model, source, places, libraries)) {
      shown += RenderText(findings.diagnostics, findings.source);
    }
    return shown;
  }

  /// "domain.name:overload" of each.
  [[nodiscard]] std::vector<std::string> Functions() const {
    std::vector<std::string> names;
    for (const auto& function : model.functions()) {
      names.push_back(function.domain() + "." + function.name() +
                      (function.overload().empty() ? "" : ":" + function.overload()));
    }
    return names;
  }
  [[nodiscard]] std::vector<std::string> Imports() const {
    std::vector<std::string> imports;
    for (const auto& import : model.opset_import()) {
      imports.push_back(import.domain() + " " + std::to_string(import.version()));
    }
    return imports;
  }

  SourceText source;
  SourceMap places;
  onnx::ModelProto model;
  std::vector<LinkInput> libraries;
};

using Names = std::vector<std::string>;

const std::string kLibrary = R"(<domain: "d", opset_import: ["" : 17]>
unused (a) => (b) { b = Relu(a) }
<domain: "d", opset_import: ["" : 17]>
leaf (a) => (b) { b = Abs(a) }
<domain: "d", opset_import: ["" : 17, "d" : 1]>
top (a) => (b) { b = d.leaf(a) }
<domain: "d", overload: "two", opset_import: ["" : 17]>
top (a) => (b) { b = Neg(a) }
)";

std::string ModelCalling(const std::string& body, const std::string& imports = R"("" : 17, "d" : 1)") {
  return "<ir_version: 10, opset_import: [" + imports + "]> g (float[2] x, bool c) => (float[2] y) { " + body + " }";
}

TEST(Linker, TakesWhatIsCalledAndWhatThatCalls) {
  Parts parts(ModelCalling("y = d.top(x)"), {kLibrary});
  EXPECT_EQ(parts.LinkAll(), "");
  EXPECT_EQ(parts.Functions(), (Names{"d.leaf", "d.top"}));
  EXPECT_EQ(parts.Imports(), (Names{" 17", "d 1"}));
  EXPECT_TRUE(testing::Ok(CheckModel(parts.model)));
  EXPECT_EQ(Bytes(parts.model.functions(0)), Bytes(parts.libraries[0].message.functions(1)));
}

TEST(Linker, MatchesOverloadAndDomain) {
  Parts overload(ModelCalling("y = d.top:two(x)"), {kLibrary});
  EXPECT_EQ(overload.LinkAll(), "");
  EXPECT_EQ(overload.Functions(), (Names{"d.top:two"}));
  Parts other(ModelCalling("y = e.top(x) z = top(x)"), {kLibrary});
  EXPECT_EQ(other.LinkAll(), "");
  EXPECT_EQ(other.Functions(), Names());
  Parts unknown(ModelCalling("y = d.top:three(x)"), {kLibrary});
  EXPECT_THAT(unknown.LinkAll(), ::testing::HasSubstr("[unknown-function]"));
  EXPECT_EQ(unknown.Functions(), Names());
}

TEST(Linker, LooksIntoSubgraphsAndFunctions) {
  const std::string body = R"(y = If(c) <then_branch = t () => (a) { a = d.leaf(x) }, else_branch = e () => (b) {
      b = If(c) <then_branch = tt () => (a) { a = d.top:two(x) }, else_branch = ee () => (b2) { b2 = Neg(x) }> }>)";
  Parts parts(ModelCalling(body), {kLibrary});
  EXPECT_EQ(parts.LinkAll(), "");
  EXPECT_EQ(parts.Functions(), (Names{"d.leaf", "d.top:two"}));
  Parts function(ModelCalling("y = own.f(x)", R"("" : 17, "own" : 1)") +
                     R"(<domain: "own", opset_import: ["d" : 1]> f (a) => (b) { b = d.leaf(a) })",
                 {kLibrary});
  EXPECT_EQ(function.LinkAll(), "");
  EXPECT_EQ(function.Functions(), (Names{"own.f", "d.leaf"}));
}

TEST(Linker, LooksIntoListsOfGraphsAndTraining) {
  Parts lists(ModelCalling("y = Custom <l = [t () => (p) { p = d.leaf(x) }]> (x)"), {kLibrary});
  EXPECT_EQ(lists.LinkAll(), "");
  EXPECT_EQ(lists.Functions(), (Names{"d.leaf"}));
  for (const bool is_step : {false, true}) {
    Parts training(ModelCalling("y = Abs(x)"), {kLibrary});
    onnx::TrainingInfoProto& info = *training.model.add_training_info();
    onnx::NodeProto& node = *(is_step ? info.mutable_algorithm() : info.mutable_initialization())->add_node();
    node.set_domain("d");
    node.set_op_type("leaf");
    EXPECT_EQ(training.LinkAll(), "");
    EXPECT_EQ(training.Functions(), (Names{"d.leaf"}));
  }
}

// The standard domain has two names.
TEST(Linker, KnowsBothNamesOfTheStandardDomain) {
  Parts parts(ModelCalling("y = d.f(x)", R"("ai.onnx" : 17, "d" : 1)"),
              {R"(<domain: "d", opset_import: ["" : 12]> f (a) => (b) { b = Abs(a) })"});
  EXPECT_THAT(parts.LinkAll(),
              ::testing::HasSubstr("imports version 12 of domain '', but the linked model uses version 17"));
  Parts same(ModelCalling("y = d.f(x)", R"("ai.onnx" : 17, "d" : 1)"),
             {R"(<domain: "d", opset_import: ["" : 13, "other": 1]> f (a) => (b) { c = other.Op (a) b = Abs(c) })"});
  EXPECT_EQ(same.LinkAll(), "");
  EXPECT_EQ(same.Imports(), (Names{"ai.onnx 17", "d 1", "other 1"}));
}

TEST(Linker, SeveralLibrariesAndCycles) {
  Parts parts(ModelCalling("y = d.a(x)"),
              {R"(<domain: "d", opset_import: ["d" : 1, "e" : 1]> a (x) => (y) { y = e.b(x) })",
               R"(<domain: "e", opset_import: ["d" : 1]> b (x) => (y) { y = d.a(x) })"});
  EXPECT_EQ(parts.LinkAll(), "");
  EXPECT_EQ(parts.Functions(), (Names{"d.a", "e.b"}));
  EXPECT_EQ(parts.Imports(), (Names{" 17", "d 1", "e 1"}));
}

TEST(Linker, AddsImports) {
  Parts parts(ModelCalling("y = d.leaf(x)", R"("other" : 3)"), {kLibrary});
  EXPECT_EQ(parts.LinkAll(), "");
  EXPECT_EQ(parts.Imports(), (Names{"other 3", " 17", "d 1"}));
}

TEST(Linker, TakesOtherVersionsWithTheSameOperators) {
  const std::string library = R"(<domain: "d", opset_import: ["" : 14]> f (a) => (b) { b = Relu(a) })";
  Parts parts(ModelCalling("y = d.f(x)"), {library});
  EXPECT_EQ(parts.LinkAll(), "");
  EXPECT_EQ(parts.Functions(), (Names{"d.f"}));
  EXPECT_TRUE(testing::Ok(CheckModel(parts.model)));
}

TEST(Linker, TellsBothPlacesOfAConflictOfVersions) {
  const std::string library =
      "\n"
      R"(<domain: "d", opset_import: ["" : 12]>
f (a) => (b) { b = If(a) <then_branch = t () => (x) { x = Relu(a) }, else_branch = e () => (y) { y = Relu(a) }> })";
  Parts parts(ModelCalling("y = d.f(x)"), {library});
  const std::string before = Bytes(parts.model);
  EXPECT_EQ(parts.LinkAll(),
            R"(lib1.onnxtxt:2:30: error: the function 'd::f' imports version 12 of domain '', but the )"
            R"(linked model uses version 17; see model.onnxtxt:1:33 [opset-conflict]
    2 | <domain: "d", opset_import: ["" : 12]>
      |                              ^~~~~~~
)");
  EXPECT_EQ(Bytes(parts.model), before);
  // In an unknown domain, any two versions are different.
  Parts custom(ModelCalling("y = d.f(x) z = d.g(x)"),
               {R"(<domain: "d", opset_import: ["c" : 1]> f (a) => (b) { b = c.op(a) })",
                R"(<domain: "d", opset_import: ["c" : 2]> g (a) => (b) { b = c.op(a) })"});
  EXPECT_THAT(
      custom.LinkAll(),
      ::testing::HasSubstr("lib2.onnxtxt:1:30: error: the function 'd::g' imports version 2 of domain 'c', but the "
                           "linked model uses version 1; see lib1.onnxtxt:1:30 [opset-conflict]"));
}

TEST(Linker, TellsBothPlacesOfAFunctionDefinedTwice) {
  const std::string other = R"(<domain: "d", opset_import: ["" : 17]>
leaf (a) => (b) { b = Exp(a) })";
  Parts libraries(ModelCalling("y = d.leaf(x)"), {kLibrary, other});
  EXPECT_THAT(libraries.LinkAll(),
              ::testing::HasSubstr("lib2.onnxtxt:2:1: error: the function 'd::leaf' is defined twice; see "
                                   "lib1.onnxtxt:4:1 [duplicate-definition]\n"));
  Parts model(ModelCalling("y = d.leaf(x)") + "\n" + other, {kLibrary});
  EXPECT_THAT(model.LinkAll(),
              ::testing::HasSubstr("lib1.onnxtxt:4:1: error: the function 'd::leaf' is defined twice; see "
                                   "model.onnxtxt:3:1 [duplicate-definition]\n"));
  Parts same_file(ModelCalling("y = d.leaf(x)"), {kLibrary + other});
  const std::string told = same_file.LinkAll();
  EXPECT_NE(told.find("lib1.onnxtxt:10:1: error: the function 'd::leaf' is defined twice [duplicate-definition]"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("lib1.onnxtxt:4:1: note: the other one is here"), std::string::npos) << told;
}

TEST(Linker, WhatNothingCallsIsNoConflict) {
  Parts parts(ModelCalling("y = d.leaf(x)"),
              {kLibrary, R"(<domain: "d", opset_import: ["" : 1]> unused (a) => (b) { b = Exp(a) })", kLibrary});
  EXPECT_EQ(parts.LinkAll(), "");  // the third library has the same functions
  EXPECT_EQ(parts.Functions(), (Names{"d.leaf"}));
}

TEST(Linker, TellsPathsInLibrariesWithoutText) {
  Parts parts(ModelCalling("y = d.leaf(x)"),
              {kLibrary, R"(<domain: "d", opset_import: ["" : 17]> leaf (a) => (b) { b = Exp(a) })"});
  for (LinkInput& library : parts.libraries) library.places.Clear();
  EXPECT_EQ(parts.LinkAll(),
            "lib2.onnxtxt: error: functions[0] \"leaf\": the function 'd::leaf' is defined twice; see "
            "lib1.onnxtxt: functions[1] \"leaf\" [duplicate-definition]\n");
}

}  // namespace
}  // namespace onnxc::testing
