#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/diagnostic.h>
#include <onnxc/inline.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rewrite.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testing/computed.h"
#include "testing/full_model.h"
#include "testing/model_texts.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/random_model.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::testing {
namespace {

// ---- single cases

const std::string kCallerHead = "<ir_version: 10, opset_import: [\"\": 21, \"d\": 1]>\n";

onnx::ModelProto ReadModel(const std::string& text, SourceMap* places = nullptr) {
  onnx::ModelProto model;
  EXPECT_TRUE(Ok(Parse(text, &model, {.source_map_out = places, .tell_functions_apart = true}))) << text;
  return model;
}

std::string FunctionText(const std::string& body, const std::string& overload = "") {
  return "<domain: \"d\", overload: \"" + overload + "\", opset_import: [\"\": 21, \"d\": 1]>\n" + body + "\n";
}

/// Returns the nodes of the graph after all calls were replaced, on one line, or the findings with their places.
std::string Inlined(const std::string& nodes, const std::vector<std::string>& functions, InlineOptions options = {}) {
  std::string text = kCallerHead + "g (bool c, float[2] x) => (float[2] y) { " + nodes + " }\n";
  for (const std::string& function : functions) {
    text += FunctionText(function, &function != &functions[0] && function.starts_with("f ") ? "fast" : "");
  }
  SourceMap places;
  onnx::ModelProto model = ReadModel(text, &places);
  const onnx::ModelProto original = ReadModel(text);
  options.source_map = &places;
  const Diagnostics found = InlineFunctions(&model, options);
  std::string shown;
  for (const Diagnostic& finding : found.items()) {
    if (finding.range != kNowhere) {
      shown += text.substr(finding.range.begin, finding.range.end - finding.range.begin) + ": ";
    }
    shown += finding.message + "\n";
  }
  if (!found.ok()) return shown;
  EXPECT_EQ(ComputedBy(model), ComputedBy(original)) << text;
  model.mutable_graph()->clear_value_info();
  onnx::GraphProto body;
  body.mutable_node()->CopyFrom(model.graph().node());
  for (const onnx::NodeProto& node : body.node()) {
    std::string line = Print(node).text;
    std::ranges::replace(line, '\n', ' ');
    line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }), line.end());
    shown += (shown.empty() ? "" : "; ") + line;
  }
  return shown;
}

TEST(Inline, GivesNewNamesToInnerValuesAndNodes) {
  const std::string f = "f (a) => (b) { [first] t = Neg (a) b = Abs (t) }";
  EXPECT_EQ(Inlined("y = d.f (x)", {f}), "[f_first] f_t = Neg (x); y = Abs (f_t)");
  EXPECT_EQ(Inlined("[one] h = d.f (x) y = d.f (h)", {f}),
            "[one_first] one_t = Neg (x); h = Abs (one_t); [f_first] f_t = Neg (h); y = Abs (f_t)");
  EXPECT_EQ(
      Inlined("f_t = Neg (x) h = d.f (f_t) y = d.f (h)", {f}),
      "f_t = Neg (x); [f_first] f_t_2 = Neg (f_t); h = Abs (f_t_2); [f_2_first] f_2_t = Neg (h); y = Abs (f_2_t)");
  EXPECT_EQ(Inlined("y = d.f (x)", {f, "unused (a) => (b) { b = Neg (a) }"}), "[f_first] f_t = Neg (x); y = Abs (f_t)");
}

TEST(Inline, ReplacesNestedCalls) {
  EXPECT_EQ(Inlined("y = d.f (x)",
                    {"f (a) => (b) { [in] t = d.h (a) b = d.h (t) }", "h (a) => (b) { u = Neg (a) b = Abs (u) }"}),
            "f_in_u = Neg (x); f_t = Abs (f_in_u); h_u = Neg (f_t); y = Abs (h_u)");
}

TEST(Inline, DoesNotCaptureNames) {
  // The graph inside of the function has values with the names of the call.
  const std::string f =
      "f (c, a) => (b) { b = If (c) <then_branch = t () => (float[2] x) { h = Neg (a) x = Abs (h) }, else_branch = e "
      "() "
      "=> (float[2] y) { y = Abs (a) }> }";
  EXPECT_EQ(Inlined("h = Neg (x) y = d.f (c, h)", {f}),
            "h = Neg (x); y = If (c) < then_branch = t () => (float[2] f_x) { f_h = Neg (h) f_x = Abs (f_h) }, "
            "else_branch = e () => (float[2] f_y) { f_y = Abs (h) } >");
}

TEST(Inline, OmitsWhatTheCallOmits) {
  const std::string f = "f (a, lo, hi) => (b, m) { b = Clip (a, lo, hi) m = Neg (a) }";
  EXPECT_EQ(Inlined("y, \"\" = d.f (x, \"\", x)", {f}), "y = Clip (x, \"\", x); f_m = Neg (x)");
  EXPECT_EQ(Inlined("\"\", y = d.f (x)", {f}), "f_b = Clip (x, \"\", \"\"); y = Neg (x)");
  EXPECT_EQ(Inlined("y = d.f (x)", {"f (a, o) => (b, q) { b = Neg (a) q = Abs (o) }"}),
            "y = Neg (x); f_q = Abs (\"\")");
  EXPECT_EQ(
      Inlined("h, y = d.f (x)", {"f (a, o) => (b, o) { b = Neg (a) }"}),
      "f: the call of 'd::f' cannot be replaced by nodes: its output 'y' is an input of the function that the call "
      "omits\n");
}

TEST(Inline, CopiesOutputsThatAreInputsOrGivenTwice) {
  EXPECT_EQ(Inlined("y = d.f (x)", {"f (a) => (a) { }"}), "y = Identity (x)");
  EXPECT_EQ(Inlined("h, y = d.f (x)", {"f (a) => (b, b) { b = Neg (a) }"}), "h = Neg (x); y = Identity (h)");
  EXPECT_EQ(Inlined("\"\", y = d.f (x)", {"f (a) => (a, b) { b = Neg (a) }"}), "y = Neg (x)");
}

TEST(Inline, GivesValuesToAttributes) {
  const std::string f = "f <p, q: int = 7> (a) => (b) { b = d.Op <one: int = @p, two: int = @q, three = 3> (a) }";
  EXPECT_EQ(Inlined("y = d.f <p = 1> (x)", {f}), "y = d.Op <one = 1, two = 7, three = 3> (x)");
  EXPECT_EQ(Inlined("y = d.f <q = 2> (x)", {f}), "y = d.Op <two = 2, three = 3> (x)");
  const std::string h = "h <p, r: int = 5> (a) => (b) { b = d.f <p: int = @p, q: int = @r> (a) }";
  EXPECT_EQ(Inlined("y = d.h <p = 1> (x)", {f, h}), "y = d.Op <one = 1, two = 5, three = 3> (x)");
  EXPECT_EQ(Inlined("y = d.h (x)", {f, h}), "y = d.Op <two = 5, three = 3> (x)");
  const std::string in_graph =
      "f <p> (c, a) => (b) { b = If (c) <then_branch = t () => (float[2] u) { u = d.Op <one: int = @p> (a) }, "
      "else_branch "
      "= e () => (float[2] v) { v = Neg (a) }> }";
  EXPECT_EQ(Inlined("y = d.f <p = 4> (c, x)", {in_graph}),
            "y = If (c) < then_branch = t () => (float[2] f_u) { f_u = d.Op <one = 4> (x) }, else_branch = e () => "
            "(float[2] f_v) { f_v = Neg (x) } >");
}

/// If `p` is omitted, the called function uses its own default value; the operator would use its own.
TEST(Inline, RefusesReferencesWhoseDefaultWouldBeLost) {
  const std::string f = "f <q: int = 7> (a) => (b) { b = d.Op <two: int = @q> (a) }";
  const std::string h = "h <p> (a) => (b) { b = d.f <q: int = @p> (a) }";
  EXPECT_EQ(Inlined("y = d.h (x)", {f, h}, {.functions = {"f"}}),
            "f: the call of 'd::f' cannot be replaced by nodes: if the attribute 'p' of the function around it is "
            "omitted, 'q' has its default value\n");
  EXPECT_EQ(Inlined("y = d.h (x)", {f, h}), "y = d.Op <two = 7> (x)");
}

TEST(Inline, RefusesCallsWithoutANeededAttribute) {
  EXPECT_EQ(Inlined("y = d.f (x)", {"f <p> (a) => (b) { k = Constant <value_float: float = @p> () b = Add (a, k) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: it does not set the attribute 'p'\n");
}

TEST(Inline, TellsFunctionsApart) {
  const std::string f = "f (a) => (b) { b = Neg (a) }";
  const std::string fast = "f (a) => (b) { b = Abs (a) }";
  const std::string nodes = "h = d.f (x) y = d.f:fast (h)";
  EXPECT_EQ(Inlined(nodes, {f, fast}), "h = Neg (x); y = Abs (h)");
  EXPECT_EQ(Inlined(nodes, {f, fast}, {.functions = {"d.f:fast"}}), "h = d.f (x); y = Abs (h)");
  EXPECT_EQ(Inlined(nodes, {f, fast}, {.except = {"d:f:fast"}}), "h = Neg (x); y = d.f:fast (h)");
  EXPECT_EQ(Inlined(nodes, {f, fast}, {.functions = {"f"}, .except = {"f:fast"}}), "h = Neg (x); y = d.f:fast (h)");
  EXPECT_EQ(Inlined(nodes, {f, fast}, {.functions = {"d.g"}}),
            "the model has no function 'd.g'; there is also 'd.f'\n");
}

TEST(Inline, RefusesWhatIsNoNodes) {
  EXPECT_EQ(Inlined("y = d.f (x)", {"f (a) => (b) { b = d.h (a) }", "h (a) => (b) { b = d.f (a) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: the function calls itself\n");
  EXPECT_EQ(Inlined("y = d.f (x, x)", {"f (a) => (b) { b = Neg (a) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: it has more inputs than the function\n");
  EXPECT_EQ(Inlined("y, z = d.f (x)", {"f (a) => (b) { b = Neg (a) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: it has more outputs than the function\n");
  EXPECT_EQ(Inlined("y = d.f (x)", {"f (a) => (b) { k = Neg (a) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: the function does not compute its output 'b'\n");
  EXPECT_EQ(
      Inlined("y = d.f (x)", {"f (a) => (b) { b = Neg (x) }"}),
      "f: the call of 'd::f' cannot be replaced by nodes: its nodes read 'x', which is no value of the function\n");
  EXPECT_EQ(Inlined("y = d.f (x)", {"f (a) => (b) { a = Neg (a) b = Neg (a) }"}),
            "f: the call of 'd::f' cannot be replaced by nodes: a node of the function computes its input 'a'\n");
  onnx::ModelProto library = ReadModel(FunctionText("f (a) => (b) { b = Neg (a) }"));
  EXPECT_FALSE(InlineFunctions(&library).ok());
}

TEST(Inline, RefusesOperatorsWithAnotherMeaning) {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\": 18, \"d\": 1]> g (float[2] x) => (float[2] y) { y = d.f (x) }\n"
      "<domain: \"d\", opset_import: [\"\": 17]> f (a) => (b) { b = ";
  onnx::ModelProto same = ReadModel(text + "Relu (a) }");
  EXPECT_TRUE(Ok(InlineFunctions(&same)));
  onnx::ModelProto other = ReadModel(text + "ReduceMax <axes = [0]> (a) }");
  EXPECT_EQ(
      ToString(InlineFunctions(&other).items().at(0)),
      "graph.node[0]: error: the call of 'd::f' cannot be replaced by nodes: ReduceMax may differ between version "
      "17 of the domain '', which the function imports, and version 18, which the model imports [cannot-inline]");
}

TEST(Inline, ImportsWhatTheNodesNeed) {
  onnx::ModelProto model = ReadModel(
      "<ir_version: 8, opset_import: [\"\": 17, \"d\": 1]> g (float[2] x) => (float[2] y) { y = d.f (x) }\n"
      "<domain: \"d\", opset_import: [\"\": 17, \"u\": 3]> f (a) => (b) { t = u.Op (a) b = Neg (t) }");
  EXPECT_TRUE(Ok(InlineFunctions(&model)));
  ASSERT_EQ(model.opset_import_size(), 2);
  EXPECT_EQ(model.opset_import(0).domain(), "");
  EXPECT_EQ(model.opset_import(1).domain(), "u");
  EXPECT_EQ(model.opset_import(1).version(), 3);
}

TEST(Inline, KeepsDocumentationMetadataAndTrueTypes) {
  onnx::ModelProto model = ReadModel(
      kCallerHead + "g (float[2] x) => (float[2] y) { y = d.f (x) }\n" +
      FunctionText(
          "f (a) => (b) <float[N] t, int64[2] u, float[3] v> { t = Neg (a) u = Abs (t) v = Abs (u) b = Abs (v) }"));
  onnx::NodeProto* const call = model.mutable_graph()->mutable_node(0);
  call->set_doc_string("the call");
  auto* const entry = call->add_metadata_props();
  entry->set_key("from");
  entry->set_value("call");
  *model.mutable_functions(0)->mutable_node(0)->add_metadata_props() = *entry;
  model.mutable_functions(0)->mutable_node(0)->mutable_metadata_props(0)->set_value("node");
  model.mutable_functions(0)->mutable_node(3)->set_doc_string("the node");
  EXPECT_TRUE(Ok(InlineFunctions(&model)));
  std::string said;
  for (const auto& node : model.graph().node()) said += node.metadata_props(0).value() + ":" + node.doc_string() + ";";
  EXPECT_EQ(said, "node:;call:;call:;call:the call\nthe node;");
  ASSERT_EQ(model.graph().value_info_size(), 1);  // the others contradict the type at this call
  EXPECT_EQ(model.graph().value_info(0).name(), "f_t");
  EXPECT_EQ(model.graph().value_info(0).type().tensor_type().shape().dim(0).value_case(), 0);
}

TEST(Inline, EndsAtALimit) {
  std::string text = kCallerHead + "g (float x) => (float y) { y = d.f0 (x) }\n";
  constexpr int kFunctions = 40;
  for (int i = 0; i < kFunctions; ++i) {
    const std::string next = i + 1 < kFunctions ? "d.f" + std::to_string(i + 1) : "Neg";
    text += FunctionText("f" + std::to_string(i) + " (a) => (b) { t = " + next + " (a) b = " + next + " (t) }");
  }
  onnx::ModelProto model = ReadModel(text);
  const Diagnostics found = InlineFunctions(&model);
  ASSERT_EQ(found.items().size(), 1u);
  EXPECT_NE(found.items()[0].message.find("the nodes of all calls would need more than 33"), std::string::npos)
      << found.items()[0].message;
  EXPECT_EQ(Name(found.items()[0].kind), "cannot-inline");
  // Calls without nodes are work, too.
  for (auto& function : *model.mutable_functions()) {
    for (auto& node : *function.mutable_node()) node.clear_output();
  }
  onnx::ModelProto empty = ReadModel(text);
  empty.mutable_functions(kFunctions - 1)->clear_node();
  *empty.mutable_functions(kFunctions - 1)->mutable_output(0) = "a";
  EXPECT_FALSE(InlineFunctions(&empty).ok());
}

TEST(Inline, RefusesWhatIsNestedTooDeeplyAndMapsOfOthers) {
  std::string text = kCallerHead + "g (bool c, float x) => (float y) { y = d.f0 (c, x) }\n";
  constexpr int kFunctions = 40;
  for (int i = 0; i < kFunctions; ++i) {
    const std::string next = i + 1 < kFunctions ? "d.f" + std::to_string(i + 1) + " (c, a)" : "Neg (a)";
    text += FunctionText("f" + std::to_string(i) +
                         " (c, a) => (b) { b = If (c) <then_branch = t () => (float u) { u = " + next +
                         " }, else_branch = e () => (float v) { v = Neg (a) }> }");
  }
  onnx::ModelProto deep = ReadModel(text);
  EXPECT_EQ(Name(InlineFunctions(&deep).items().at(0).kind), "nesting-too-deep");
  SourceMap places;
  const onnx::ModelProto model = ReadModel(kCallerHead + "g (float x) => (float y) { y = Neg(x) }", &places);
  onnx::ModelProto copy = model;
  EXPECT_EQ(ToString(InlineFunctions(&copy, {.source_map = &places}).items().at(0)),
            "error: the source map was made for a different message [other-message]");
}

/// A value that a default value refers to is that of this call.
TEST(Inline, GivesValuesInsideOfDefaultGraphs) {
  const auto f = [](const std::string& scale) {
    return "f <" + scale +
           ", body: graph = b () => (float o) { o = Constant <value_float: float = @scale> () }> (c, a) => (y) { "
           "q = If (c) <then_branch: graph = @body, else_branch = e () => (float z) { "
           "z = Constant <value_float = 2.0> () }> y = Mul (q, a) }";
  };
  const auto result = [](const std::string& value) {
    return "f_q = If (c) < then_branch = b () => (float f_o) { f_o = Constant <value_float = " + value +
           "> () }, else_branch = e () => (float f_z) { f_z = Constant <value_float = 2.0> () } >; y = Mul (f_q, x)";
  };
  EXPECT_EQ(Inlined("y = d.f <scale = 3.0> (c, x)", {f("scale")}), result("3.0"));
  EXPECT_EQ(Inlined("y = d.f (c, x)", {f("scale: float = 1.5")}), result("1.5"));
  EXPECT_EQ(Inlined("y = d.f (c, x)", {f("scale")}),
            "f: the call of 'd::f' cannot be replaced by nodes: it does not set the attribute 'scale'\n");
}

TEST(Inline, EndsAtDefaultsThatReferToDefaults) {
  std::string body = "f <";
  constexpr int kDefaults = 30;
  for (int i = 0; i < kDefaults; ++i) {
    const std::string next = "graph = @p" + std::to_string(i + 1);
    body += "p" + std::to_string(i) + ": graph = g () => () { h = d.Op <one: " + next + ", two: " + next + ", s = \"" +
            std::string(1000, 'x') + "\"> () }, ";
  }
  body += "p30: int = 1> (a) => (b) { b = d.Op <one: graph = @p0> (a) }";
  const std::string head = kCallerHead + "g (float x) => (float y) { y = d.f (x) }\n";
  onnx::ModelProto many = ReadModel(head + FunctionText(body));
  const Diagnostics found = InlineFunctions(&many);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.items()[0].message.find("would need more than"), std::string::npos) << found.items()[0].message;
  onnx::ModelProto circle = ReadModel(head + FunctionText("f <p: graph = g () => () { h = d.Op <one: graph = @p> () }> "
                                                          "(a) => (b) { b = d.Op <one: graph = @p> (a) }"));
  EXPECT_EQ(Name(InlineFunctions(&circle).items().at(0).kind), "nesting-too-deep");
}

/// The name of an output of a call may be that of another value in another graph.
TEST(Inline, KeepsDeclarationsOfOtherValues) {
  for (const char* const type : {"float[2]", "float[5]"}) {
    onnx::ModelProto model = ReadModel(
        kCallerHead +
        "g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] o) { t = d.f (x) o = Neg "
        "(t) }, else_branch = e () => (float[2] z) <" +
        type + " t> { t = Neg (x) z = Neg (t) }> }\n" + FunctionText("f (a) => (b) <float[3] b> { b = Neg (a) }"));
    EXPECT_TRUE(Ok(InlineFunctions(&model)));
    EXPECT_EQ(model.graph().node(0).attribute(0).g().value_info_size(), 0);
    EXPECT_EQ(model.graph().node(0).attribute(1).g().value_info_size(), 1) << type;
  }
}

TEST(Inline, RefusesAnIdentityThatIsAFunction) {
  const std::string text = kCallerHead + "g (float[2] x) => (float[2] y) { y = d.f (x) }\n" +
                           FunctionText("f (a) => (a) { }") +
                           "<domain: \"\", opset_import: [\"\": 21]> Identity (a) => (b) { b = Neg (a) }\n";
  for (const InlineOptions& options : {InlineOptions{}, InlineOptions{.functions = {"f"}}}) {
    onnx::ModelProto model = ReadModel(text);
    EXPECT_EQ(ToString(InlineFunctions(&model, options).items().at(0)),
              "graph.node[0]: error: the call of 'd::f' cannot be replaced by nodes: its output 'y' needs an Identity, "
              "but the model has a function of this name [cannot-inline]");
  }
}

TEST(Inline, RefusesAnIdentityThatDoesNotAcceptTheType) {
  const auto inlined = [](const std::string& version) {
    const std::string imports = "opset_import: [\"\": " + version + ", \"d\": 1]>";
    onnx::ModelProto model =
        ReadModel("<ir_version: 8, " + imports +
                  " g (bool c, float[2] x) => (float[2] y) { s = SequenceConstruct (x) y = If (c) <then_branch = t () "
                  "=> (float[2] o) { t = d.f (s) k = Constant <value_int = 0> () o = SequenceAt (t, k) }, else_branch "
                  "= e () => (float[2] z) { z = d.f (x) }> }\n<domain: \"d\", " +
                  imports + " f (a) => (a) { }");
    const Diagnostics found = InlineFunctions(&model);
    return found.ok() ? "" : ToString(found.items().at(0));
  };
  EXPECT_EQ(inlined("14"), "");
  EXPECT_EQ(inlined("13"),
            "graph.node[1].attribute[\"then_branch\"].g.node[0]: error: the call of 'd::f' cannot be replaced by "
            "nodes: its output 't' "
            "needs an Identity, which does not accept seq(tensor(float)) in version 13 of the domain '' "
            "[cannot-inline]");
}

/// The time does not grow with the number of calls times the size of what they do not use.
TEST(Inline, OmittedInputsAreNoWork) {
  std::string text;
  std::string inputs;
  std::string types;
  constexpr int kCalls = 20000;
  for (int i = 0; i < kCalls; ++i) {
    const std::string number = std::to_string(i);
    text += " t" + number + " = d.f ()";
    inputs += (i == 0 ? "a" : ", a") + number;
    types += (i == 0 ? "float a" : ", float a") + number;
  }
  onnx::ModelProto model =
      ReadModel(kCallerHead + "g (float x) => (float x) {" + text + " }\n" +
                FunctionText("f (" + inputs + ") => (b) <" + types + "> { b = Constant <value_float = 1.0> () }"));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(Ok(InlineFunctions(&model)));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));  // it was about a minute
  EXPECT_EQ(model.graph().node_size(), kCalls);
}

// ---- models at random, whose graphs and functions use the same few names

class RandomCalls {
 public:
  explicit RandomCalls(RandomValues* random) : random_(*random) {}

  onnx::ModelProto Make() {
    onnx::ModelProto model =
        ReadModel("<ir_version: 10, opset_import: [\"\": 21, \"d\": 1, \"u\": 1]> g (float a, float b) => () { }");
    functions_ = 1 + static_cast<int>(random_.Below(4));
    for (int i = 0; i < functions_; ++i) inputs_.push_back(1 + static_cast<int>(random_.Below(3)));
    for (int i = 0; i < functions_; ++i) outputs_.push_back(1 + static_cast<int>(random_.Below(3)));
    is_function_ = false;
    std::set<std::string> names = {"a", "b"};
    AddNodes(model.mutable_graph(), &names, -1, 2);
    for (const std::string& name : names) {
      if (name != "a" && name != "b") SetFloat(model.mutable_graph()->add_output(), name);
    }
    for (int i = 0; i < functions_; ++i) AddFunction(model.add_functions(), i);
    return model;
  }

 private:
  static void SetFloat(onnx::ValueInfoProto* value, const std::string& name) {
    value->set_name(name);
    value->mutable_type()->mutable_tensor_type()->set_elem_type(1);
    value->mutable_type()->mutable_tensor_type()->mutable_shape();
  }

  std::string NewName(const std::set<std::string>& names) {
    const std::vector<std::string> pool = {"a", "b", "c", "d", "x", "y", "f0_a", "f1_b", "f0_2_c"};
    for (int tries = 0; tries < 4; ++tries) {
      const std::string& name = random_.Pick(pool);
      if (!names.contains(name)) return name;
    }
    std::string name = "v";
    while (names.contains(name)) name += "v";
    return name;
  }

  void AddFunction(onnx::FunctionProto* function, int position) {
    is_function_ = true;
    function->set_domain("d");
    function->set_name("f" + std::to_string(position));
    for (const char* const domain : {"", "d", "u"}) {
      auto* const import = function->add_opset_import();
      import->set_domain(domain);
      import->set_version(*domain == '\0' ? 21 : 1);
    }
    function->add_attribute("p");
    auto* const q = function->add_attribute_proto();
    q->set_name("q");
    q->set_type(onnx::AttributeProto::INT);
    q->set_i(7 + position);
    std::set<std::string> names;
    for (int i = 0; i < inputs_[static_cast<std::size_t>(position)]; ++i) {
      const std::string name = NewName(names);
      names.insert(name);
      function->add_input(name);
    }
    AddNodes(function, &names, position, 2);
    for (int i = 0; i < outputs_[static_cast<std::size_t>(position)]; ++i) function->add_output(random_.Pick(names));
    for (const std::string& name : names) {
      if (!random_.OneIn(3)) continue;
      SetFloat(function->add_value_info(), name);
    }
  }

  /// Adds nodes after the visible `names`. They call functions after `position`.
  template <typename Owner>
  void AddNodes(Owner* owner, std::set<std::string>* names, int position, int levels) {
    for (std::size_t i = 1 + random_.Below(5); i > 0; --i) {
      onnx::NodeProto* const node = owner->add_node();
      const int callee = position + 1 + static_cast<int>(random_.Below(4));
      const bool is_call = callee < functions_;
      const auto at = static_cast<std::size_t>(callee);
      node->set_domain(is_call ? "d" : "u");
      node->set_op_type(is_call ? "f" + std::to_string(callee) : random_.OneIn(2) ? "A" : "B");
      if (random_.OneIn(3)) node->set_name(random_.OneIn(2) ? "n" : "f0");
      const std::size_t inputs = is_call ? static_cast<std::size_t>(inputs_[at]) - random_.Below(2) : random_.Below(3);
      for (std::size_t j = inputs; j > 0; --j) node->add_input(random_.OneIn(10) ? "" : random_.Pick(*names));
      AddAttributes(node, *names, is_call, position, levels);
      const std::size_t outputs =
          is_call ? static_cast<std::size_t>(outputs_[at]) - random_.Below(2) : 1 + random_.Below(2);
      for (std::size_t j = outputs; j > 0; --j) {
        const std::string name = random_.OneIn(6) ? "" : NewName(*names);
        if (!name.empty()) names->insert(name);
        node->add_output(name);
      }
    }
  }

  void AddAttributes(onnx::NodeProto* node, const std::set<std::string>& names, bool is_call, int position,
                     int levels) {
    for (const char* const name : {"p", "q"}) {
      if (random_.OneIn(2)) continue;
      auto* const attribute = node->add_attribute();
      attribute->set_name(name);
      attribute->set_type(onnx::AttributeProto::INT);
      if (is_function_ && random_.OneIn(2)) {
        attribute->set_ref_attr_name(*name == 'q' || random_.OneIn(2) ? "q" : "p");
      } else {
        attribute->set_i(static_cast<std::int64_t>(random_.Below(100)));
      }
    }
    if (is_call || levels == 0 || random_.OneIn(2)) return;
    auto* const attribute = node->add_attribute();
    attribute->set_name("body");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    onnx::GraphProto* const graph = attribute->mutable_g();
    graph->set_name("body");
    std::set<std::string> inner = names;
    const std::string input = NewName(inner);
    inner.insert(input);
    SetFloat(graph->add_input(), input);
    AddNodes(graph, &inner, position, levels - 1);
    for (const std::string& name : inner) {
      if (!names.contains(name) && name != input) SetFloat(graph->add_output(), name);
    }
  }

  RandomValues& random_;
  int functions_ = 0;
  bool is_function_ = false;
  std::vector<int> inputs_;
  std::vector<int> outputs_;
};

/// Returns the kinds of the errors of the checker.
std::multiset<std::string> ErrorKindsOf(const onnx::ModelProto& model) {
  std::multiset<std::string> kinds;
  const Diagnostics found = CheckModel(model, {.external_files = false, .infer = false});
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity == Severity::kError) kinds.emplace(Name(finding.kind));
  }
  return kinds;
}

TEST(InlineModels, ComputeTheSame) {
  RandomValues random(30);
  int inlined = 0;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const onnx::ModelProto original = RandomCalls(&random).Make();
    InlineOptions options;
    if (random.OneIn(3)) options.functions = {"f0"};
    if (random.OneIn(3)) options.except = {"d.f0"};
    onnx::ModelProto model = original;
    const Diagnostics found = InlineFunctions(&model, options);
    if (!found.ok()) {
      for (const Diagnostic& finding : found.items())
        EXPECT_EQ(Name(finding.kind), "cannot-inline") << ToString(finding);
      ++refused;
      continue;
    }
    ++inlined;
    ASSERT_EQ(ComputedBy(model), ComputedBy(original)) << original.DebugString() << model.DebugString();
    EXPECT_TRUE(model.functions().empty() || !options.functions.empty() || !options.except.empty());
    const std::multiset<std::string> before = ErrorKindsOf(original);
    for (const std::string& kind : ErrorKindsOf(model)) {
      EXPECT_TRUE(before.contains(kind)) << kind << original.DebugString() << model.DebugString();
    }
  }
  std::printf("%d models, %d are refused\n", inlined, refused);
  EXPECT_GT(inlined, 2000);
}

/// The result is a text of exactly the changed model, and what is not about functions keeps its comments.
TEST(InlineModels, KeepTheirTexts) {
  RandomValues random(31);
  int texts = 0;
  std::size_t comments = 0;
  for (int round = 0; round < 60; ++round) {
    onnx::ModelProto model = RandomCalls(&random).Make();
    const std::string text = Sprinkled(Print(model).text, &random, 6);
    if (!InlineFunctions(&model).ok()) continue;
    const PrintResult result = Rewrite(text, model);
    ASSERT_TRUE(Ok(result)) << text;
    EXPECT_EQ(Bytes(ReadModel(result.text)), Bytes(model)) << text;
    comments += CommentsIn(result.text).size();
    ++texts;
  }
  std::printf("%d texts with %zu comments\n", texts, comments);
  EXPECT_GT(texts, 30);
  EXPECT_GT(comments, 100u);
}

TEST(InlineModels, WithoutFunctionsStayAsTheyAre) {
  int texts = 0;
  int inlined = 0;
  for (const std::string& text : ModelTexts()) {
    const onnx::ModelProto original = ReadModel(text);
    onnx::ModelProto model = original;
    if (!model.has_graph() || !InlineFunctions(&model).ok()) continue;
    ++texts;
    inlined += original.functions().empty() ? 0 : 1;
    if (original.functions().empty()) {
      EXPECT_EQ(Bytes(model), Bytes(original)) << text;
    }
    EXPECT_EQ(ComputedBy(model), ComputedBy(original)) << text;
  }
  std::printf("%d texts, %d with functions\n", texts, inlined);
  EXPECT_GT(texts, 200);
}

TEST(InlineModels, OfAnyMessagesAreSafe) {
  int inlined = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomValues random(seed);
    onnx::ModelProto model;
    RandomModel(&random).Fill(&model, 3);
    inlined += InlineFunctions(&model).ok() ? 1 : 0;
  }
  EXPECT_GT(inlined, 100);
}

/// Gives the functions operands for all calls, and the operator sets of the model.
onnx::ModelProto Callable(onnx::ModelProto model) {
  for (onnx::FunctionProto& function : *model.mutable_functions()) {
    *function.mutable_opset_import() = model.opset_import();
    if (std::ranges::find(function.input(), "x") == function.input().end()) function.add_input("x");  // nodes read it
    while (function.input_size() < 4) function.add_input("more" + std::to_string(function.input_size()));
    while (function.output_size() < 4) function.add_output(function.input(0));
  }
  return model;
}

TEST(InlinePlaces, KeepEverythingElse) {
  int models = 0;
  std::map<std::string, int> refused;
  ForEachFullModel(AllPlaces(2), [&](const std::string& name, const onnx::ModelProto& connected) {
    const onnx::ModelProto original = Callable(connected);
    onnx::ModelProto model = original;
    ++models;
    if (const Diagnostics found = InlineFunctions(&model); !found.ok()) {
      ++refused[found.items()[0].message];
      return;
    }
    EXPECT_EQ(ComputedBy(model), ComputedBy(original)) << name;
    EXPECT_EQ(model.functions_size(), 0) << name;
    onnx::ModelProto rest[2] = {original, model};
    for (onnx::ModelProto& each : rest) {
      each.clear_functions();
      each.clear_opset_import();
      each.mutable_graph()->clear_node();
      each.mutable_graph()->clear_value_info();
      for (auto& training : *each.mutable_training_info()) {
        training.mutable_algorithm()->clear_node();
        training.mutable_initialization()->clear_node();
      }
    }
    EXPECT_EQ(Bytes(rest[0]), Bytes(rest[1])) << name;
  });
  int all_refused = 0;
  for (const auto& reason : refused) {
    std::printf("%d: %s\n", reason.second, reason.first.c_str());
    all_refused += reason.second;
  }
  EXPECT_GT(models - all_refused, 2000);
}

}  // namespace
}  // namespace onnxc::testing
