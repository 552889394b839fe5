// The types and shapes that are inferred for handwritten models.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/source_map.h>

#include <string>
#include <utility>

#include "testing/predicates.h"

namespace onnxc {
namespace {

constexpr std::string_view kHead = R"(<ir_version: 10, opset_import: ["" : 21, "l" : 1]> )";

/// Returns the inferred type of the value `name` in the graph.
std::string TypeOf(const std::string& graph, std::string_view name, const InferOptions& options = {}) {
  onnx::ModelProto model;
  const Diagnostics read = Parse(std::string(kHead) + graph, &model);
  EXPECT_TRUE(testing::Ok(read)) << graph << (read.empty() ? "" : read.items()[0].message);
  const Inference inference = InferTypes(model, options);
  EXPECT_TRUE(inference.diagnostics.empty()) << inference.diagnostics.items()[0].message;
  const InferredValue* const value = inference.Find(model.graph(), name);
  return value == nullptr ? "none" : ToString(value->type);
}

TEST(Infer, SymbolsAreSizes) {
  EXPECT_EQ(TypeOf("g (float[N, 4] x) => (y) { y = Relu(x) }", "y"), "float[N, 4]");
  EXPECT_EQ(TypeOf("g (float[N, 1] x, float[1, M] w) => (y) { y = Add(x, w) }", "y"), "float[N, M]");
  EXPECT_EQ(TypeOf("g (float[N] x, float[M] w) => (y) { y = Concat<axis = 0>(x, w) }", "y"), "float[N + M]");
  EXPECT_EQ(TypeOf("g (float[N, 3, 4] x) => (y) { y = Flatten(x) }", "y"), "float[N, 12]");
  EXPECT_EQ(TypeOf("g (float[N, 3, 4] x) => (y) <int64[2] s = {0, -1}> { y = Reshape(x, s) }", "y"), "float[N, 12]");
}

TEST(Infer, OfTwoImportsOfADomainTheLastCounts) {
  constexpr std::string_view kText = "<ir_version: 10, opset_import: [{}]> g (float[2] x) => (y) {{ y = Mish (x) }}";
  // Mish exists since version 18.
  for (const auto& [imports, has_mish] :
       {std::pair(R"("" : 11, "" : 18)", true), std::pair(R"("" : 18, "" : 11)", false),
        std::pair(R"("" : 18, "ai.onnx" : 11)", true), std::pair(R"("ai.onnx" : 18, "" : 11)", false)}) {
    onnx::ModelProto model;
    ASSERT_TRUE(testing::Ok(Parse(fmt::format(kText, imports), &model)));
    const Inference inference = InferTypes(model);
    const InferredValue* const y = inference.Find(model.graph(), "y");
    EXPECT_EQ(y != nullptr && ToString(y->type) == "float[2]", has_mish) << imports;
  }
}

TEST(Infer, SizesAreShownAsPeopleWriteThem) {
  const auto pooled = [](const std::string& shape, const std::string& attributes) {
    return TypeOf("g (float" + shape + " x) => (y) { y = MaxPool<" + attributes + ">(x) }", "y");
  };
  EXPECT_EQ(pooled("[1, 1, K]", "kernel_shape = [3], strides = [2], pads = [1, 1]"), "float[1, 1, (K + 1) / 2]");
  EXPECT_EQ(pooled("[1, 1, K]", "kernel_shape = [3]"), "float[1, 1, K - 2]");
  EXPECT_EQ(
      TypeOf("g (float[N] x, float[M] z) => (y) { n = Shape(x) m = Shape(z) d = Sub(n, m) y = ConstantOfShape(d) }",
             "y"),
      "float[N - M]");
  EXPECT_EQ(TypeOf("g (float[N] x) => (y) { n = Shape(x) ten = Constant<value_ints = [10]>() d = Sub(ten, n) "
                   "y = ConstantOfShape(d) }",
                   "y"),
            "float[10 - N]");
}

TEST(Infer, NamesOfDimensionsStayInTheirLine) {
  EXPECT_EQ(TypeOf(R"(g (float[b"N\x0a} #", M] x) => (y) { y = Relu(x) })", "y"), R"(float[N\n} #, M])");
}

TEST(Infer, ContentsFlowThroughShapeArithmetic) {
  const std::string graph =
      R"(g (float[N, 3, 4] x) => (y) <int64 zero = {0}, int64[1] first = {0}, int64[1] rest = {-1}> {
      s = Shape(x) n = Gather(s, zero) one = Unsqueeze(n, first) t = Concat<axis = 0>(one, rest) y = Reshape(x, t) })";
  EXPECT_EQ(TypeOf(graph, "y"), "float[N, 12]");
  EXPECT_EQ(TypeOf(graph, "y", {.data_propagation = false}), "float[?, ?]");
}

TEST(Infer, BranchesAreJoined) {
  const std::string graph = R"(g (bool c, float[N, 3] x) => (y) { y = If(c) <
      then_branch = t () => (a) { a = Relu(x) }, else_branch = e () => (b) { b = Concat<axis = 1>(x, x) }> })";
  EXPECT_EQ(TypeOf(graph, "y"), "float[N, ?]");
}

TEST(Infer, ANameGivenTwiceKeepsWhatHoldsForBoth) {
  EXPECT_EQ(TypeOf("g (float[2, 3] x) => (y) { y = Relu(x) y = Concat<axis = 0>(x, x) }", "y"), "float[?, 3]");
  EXPECT_EQ(TypeOf("g (float[2, 3] x) => (y) { y = Relu(x) y = Shape(x) }", "y"), "?[]");
}

TEST(Infer, AnOutputIsAsBothOfItsDeclarationsSay) {
  constexpr std::string_view kGraph = "g (float[2, 3] x) => (float[K, {}] y) <{} y> {{ y = Relu(x) }}";
  EXPECT_EQ(TypeOf(fmt::format(kGraph, 3, "float[]"), "y"), "float[2, 3]");
  for (const auto& [output, info] : {std::pair(4, "float[]"), std::pair(3, "float[3, 3]")}) {
    onnx::ModelProto model;
    ASSERT_TRUE(testing::Ok(Parse(std::string(kHead) + fmt::format(kGraph, output, info), &model)));
    const Diagnostics found = InferTypes(model).diagnostics;
    ASSERT_EQ(found.items().size(), 1) << output << info;
    EXPECT_EQ(Name(found.items()[0].kind), "declared-type");
  }
}

TEST(Infer, AKnownConditionChoosesTheBranch) {
  const std::string graph = R"(g (float[N, 3] x) => (y) <bool c = {1}> { y = If(c) <
      then_branch = t () => (a) { a = Relu(x) }, else_branch = e () => (b) { b = Concat<axis = 1>(x, x) }> })";
  EXPECT_EQ(TypeOf(graph, "y"), "float[N, 3]");
}

/// Returns the kinds of the findings about a model, one after another.
std::string KindsIn(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  const Diagnostics found = InferTypes(model).diagnostics;
  std::string kinds;
  for (const Diagnostic& finding : found.items()) {
    kinds += fmt::format("{}{} ", finding.severity == Severity::kError ? "" : "warning: ", Name(finding.kind));
  }
  return kinds;
}

TEST(Infer, BodiesMayHaveMoreInputsBeforeIrVersion4IfTheyHaveDefaults) {
  const auto kinds = [](int version, std::string_view initializer) {
    return KindsIn(
        fmt::format("<ir_version: {}, opset_import: [\"\": 11]> ", version) +
        fmt::format("g (int64 n, bool c, float[1] w, float[2] x) => (float[2] y) {{ y = Loop(n, c, x) <"
                    "body = b (int64 i, bool d, float[2] s, float[1] w) => (d, t) {} {{ t = Add(s, w) }}> }}",
                    initializer));
  };
  EXPECT_EQ(kinds(3, "<float[1] w = {1}>"), "");
  EXPECT_EQ(kinds(3, ""), "subgraph-inputs ") << "a value of the graph around it is no default";
  EXPECT_EQ(kinds(4, "<float[1] w = {1}>"), "subgraph-inputs ");
}

TEST(Infer, ADefaultValueIsNoFactAboutItsInput) {
  // The sizes: the caller may pass 4 elements for x, or 5 rows for p.
  EXPECT_EQ(TypeOf("g (float[N] x, float[4] w) => (y) <float[3] x = {1, 2, 3}> { y = Add (x, w) }", "y"), "float[4]");
  EXPECT_EQ(TypeOf("g (float[?, 2] p) => (y) <float[1, 2] p = {1, 2}> { y = Relu (p) }", "y"), "float[?, 2]");
  EXPECT_EQ(TypeOf("g (float[?, 2] p) => (y) <sparse_tensor(float[1, 2]) p = {[0, 0]: 1}> { y = Relu (p) }", "y"),
            "float[?, 2]");
  // The contents.
  constexpr std::string_view kGraph = "g (float[N, 6] x{}) => (y) <int64[2] s = {{3, -1}}> {{ y = Reshape(x, s) }}";
  EXPECT_EQ(TypeOf(fmt::format(kGraph, ""), "y"), "float[3, 2*N]");
  EXPECT_EQ(TypeOf(fmt::format(kGraph, ", int64[2] s"), "y"), "float[?, ?]");
  // A value that contradicts the declared type is a mistake, whatever the caller passes.
  EXPECT_EQ(KindsIn(std::string(kHead) + "g (float[4] x) => (y) <float[3] x = {1, 2, 3}> { y = Relu (x) }"),
            "declared-type ");
}

/// Before IR version 4, an initializer with an input is a constant, unless a node passes a value to the input.
TEST(Infer, InitializersHaveInputsBeforeIrVersion4) {
  const auto type_of = [](int version, const std::string& graph, const InferOptions& options = {}) {
    onnx::ModelProto model;
    EXPECT_TRUE(
        testing::Ok(Parse(fmt::format("<ir_version: {}, opset_import: [\"\": 11]> ", version) + graph, &model)));
    const Inference inference = InferTypes(model, options);
    EXPECT_TRUE(inference.diagnostics.empty()) << inference.diagnostics.items()[0].message;
    const InferredValue* const value = inference.Find(model.graph(), "y");
    return value == nullptr ? "none" : ToString(value->type);
  };
  const std::string graph = "g (float[N, 6] x, int64[2] s) => (y) <int64[2] s = {3, -1}> { y = Reshape(x, s) }";
  EXPECT_EQ(type_of(3, graph), "float[3, 2*N]");
  EXPECT_EQ(type_of(4, graph), "float[?, ?]");
  EXPECT_EQ(type_of(4, graph, {.constant_defaults = true}), "float[3, 2*N]");
  const std::string loop =
      "g (int64 n, bool c, float[6] x, int64[2] i) => (y) { u, z, y = Loop(n, c, x, i) <body = b (int64 t, bool d, "
      "float[6] v, int64[2] s) => (d, v, s, o) <int64[2] s = {3, 2}> { o = Reshape(v, s) }> }";
  EXPECT_EQ(type_of(3, loop), "float[?, ?, ?]") << "the node passes s";
  EXPECT_EQ(type_of(4, loop), "float[?, ?, ?]");
  EXPECT_EQ(type_of(4, loop, {.constant_defaults = true}), "float[?, ?, ?]");
}

TEST(Infer, WhatNeverRunsHasNoMistakes) {
  constexpr std::string_view kIf =
      "g ({} float[2, 3] x) => (y) {} {{ {} y = If(c) <"
      "then_branch = t () => (a) {{ a = MatMul(x, x) }}, else_branch = e () => (b) {{ b = Abs(x) }}> }}";
  const auto kinds = [&](std::string_view inputs, std::string_view values, std::string_view nodes, int version = 10) {
    return KindsIn(fmt::format("<ir_version: {}, opset_import: [\"\": 21]> ", version) +
                   fmt::format(kIf, inputs, values, nodes));
  };
  EXPECT_EQ(kinds("", "<bool c = {0}>", ""), "warning: unreached-clash ");
  EXPECT_EQ(kinds("", "", "c = Constant<value = bool[1] {0}>()"), "warning: unreached-clash ");
  EXPECT_EQ(kinds("", "<bool d = {1}>", "c = Not(d)"), "warning: unreached-clash ");
  EXPECT_EQ(kinds("", "<bool c = {1}>", ""), "dimension-clash ") << "the branch that is taken";
  EXPECT_EQ(kinds("bool c,", "", ""), "dimension-clash ") << "nobody knows";
  EXPECT_EQ(kinds("bool c,", "<bool c = {0}>", ""), "dimension-clash ") << "a default may be replaced";
  EXPECT_EQ(kinds("bool d,", "<bool d = {1}>", "c = Not(d)"), "dimension-clash ") << "what comes from it, too";
  EXPECT_EQ(kinds("bool d,", "<bool d = {1}>", "e = Identity(d) c = Not(e)"), "dimension-clash ");
  EXPECT_EQ(kinds("bool c,", "<bool c = {0}>", "", 3), "warning: unreached-clash ") << "before IR version 4 it may not";
  EXPECT_EQ(kinds("", "<bool c = {0}>", "z = MatMul(x, x)"), "dimension-clash warning: unreached-clash ");
}

TEST(Infer, ALoopOfNoTripsHasNoMistakes) {
  constexpr std::string_view kLoop =
      "<ir_version: 10, opset_import: [\"\": 21]> g (float[2, 3] x) => (y, s) <int64 n = {{{}}}, bool c = {{{}}}> {{ "
      "y, s = Loop(n, c, x) <body = b (int64 i, bool k, float[2, 3] v) => (bool k, float[2, 3] w, float[2, 3] o) {{ "
      "w = MatMul(v, v) o = Abs(v) }}> }}";
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 0, 1)), "warning: unreached-clash ");
  EXPECT_EQ(KindsIn(fmt::format(kLoop, -1, 1)), "warning: unreached-clash ");
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 3, 0)), "warning: unreached-clash ");
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 3, 1)), "dimension-clash ");
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(fmt::format(kLoop, 0, 1), &model)));
  const Inference inference = InferTypes(model);
  EXPECT_EQ(ToString(inference.Find(model.graph(), "y")->type), "float[2, 3]");
  EXPECT_EQ(ToString(inference.Find(model.graph(), "s")->type), "float[0, 2, 3]");
}

TEST(Infer, WhatOneCallNeverRunsAnotherMay) {
  constexpr std::string_view kCalls =
      "<ir_version: 10, opset_import: [\"\": 21, \"l\": 1]> g (float[2, 3] x) => (y) <bool yes = {{1}}, bool no = "
      "{{0}}> "
      "{{ {} }} <domain: \"l\", opset_import: [\"\": 21]> f (x, c) => (y) {{ y = If(c) <"
      "then_branch = t () => (a) {{ a = MatMul(x, x) }}, else_branch = e () => (b) {{ b = Abs(x) }}> }}";
  EXPECT_EQ(KindsIn(fmt::format(kCalls, "y = l.f(x, no)")), "");
  EXPECT_EQ(KindsIn(fmt::format(kCalls, "y = l.f(x, yes)")), "dimension-clash ");
  EXPECT_EQ(KindsIn(fmt::format(kCalls, "y = l.f(x, no) z = l.f(x, yes)")), "dimension-clash ");
  EXPECT_EQ(KindsIn(fmt::format(kCalls, "z = l.f(x, yes) y = l.f(x, no)")), "dimension-clash ");
}

TEST(Infer, TheConditionOfALoopMayHaveOneElement) {
  constexpr std::string_view kLoop =
      "<ir_version: 10, opset_import: [\"\": 21]> g (bool c, int64[{0}] x) => (y) {{ "
      "y = Loop(\"\", c, x) <body = b (int64 i, bool k, int64[{0}] v) => (bool more, int64[{0}] w) {{ "
      "w = Abs(v) more = {1}(w, v) }}> }}";
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 1, "Less")), "warning: condition-shape ");
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 2, "Less")), "declared-type ");
  EXPECT_EQ(KindsIn(fmt::format(kLoop, 1, "Add")), "declared-type ");
}

TEST(Infer, SplitWithoutSizesIsAMistakeWhereTheSizeIsKnown) {
  constexpr std::string_view kSplit =
      "<ir_version: 10, opset_import: [\"\": 21]> g ({} x) => (y, z) {{ y, z = Split<axis = 0>(x) }}";
  EXPECT_EQ(KindsIn(fmt::format(kSplit, "float[]")), "");
  EXPECT_EQ(KindsIn(fmt::format(kSplit, "float[N, 3]")), "");
  EXPECT_EQ(KindsIn(fmt::format(kSplit, "float[4, 3]")), "attribute-range ");
}

TEST(Infer, PositionsInABranchMayNeverBeRead) {
  onnx::ModelProto model;
  const auto findings = [&](std::string_view graph) {
    EXPECT_TRUE(testing::Ok(Parse(std::string(kHead) + std::string(graph) + R"( <domain: "l", opset_import: ["" : 21]>
        third (x) => (y) { i = Constant<value_int = 2>() y = Gather(x, i) })",
                                  &model)));
    return InferTypes(model).diagnostics.items().size();
  };
  constexpr std::string_view kBranch =
      "g (bool c, float[2, 8] x) => (y) <int64 i = {{2}}, int64 z = {{0}}> {{ {0} "
      "y = If(c) <then_branch = t () => (r) {{ r = {1} }}, else_branch = e () => (r) {{ r = Gather(x, z) }}> {2} }}";
  EXPECT_EQ(findings(fmt::format(kBranch, "", "Gather(x, i)", "")), 0u);
  EXPECT_EQ(findings(fmt::format(kBranch, "", "Gather(x, i)", "o = Gather(x, i)")), 1u);
  // The type in a function does not depend on the order of the calls.
  EXPECT_EQ(findings(fmt::format(kBranch, "", "l.third(x)", "")), 0u);
  EXPECT_EQ(findings(fmt::format(kBranch, "", "l.third(x)", "o = l.third(x)")), 1u);
  EXPECT_EQ(findings(fmt::format(kBranch, "o = l.third(x)", "l.third(x)", "")), 1u);
}

TEST(Infer, LoopsReachAFixedPoint) {
  const std::string graph = R"(g (int64 n, bool c, float[N, 3] x) => (y, z) { y, z = Loop(n, c, x) <
      body = b (int64 i, bool d, v) => (e, w, o) { e = Identity(d) w = Concat<axis = 0>(v, v) o = Relu(v) }> })";
  EXPECT_EQ(TypeOf(graph, "y"), "float[?, 3]");
  EXPECT_EQ(TypeOf(graph, "z"), "float[?, ?, 3]");
}

TEST(Infer, ACountedLoopTellsHowOften) {
  const std::string graph = R"(g (float[N] x) => (y, z) <int64 n = {7}> { y, z = Loop(n, , x) <
      body = b (int64 i, bool d, v) => (e, w, o) { e = Identity(d) w = Abs(v) o = Relu(v) }> })";
  EXPECT_EQ(TypeOf(graph, "y"), "float[N]");
  EXPECT_EQ(TypeOf(graph, "z"), "float[7, N]");
}

TEST(Infer, FunctionsAreInferredForEachCall) {
  const std::string model = R"(g (float[N] x, int64[2, 3] w) => (y, z) { y = l.f<k = 1>(x) z = l.f<k = 7>(w) }
      <domain: "l", opset_import: ["" : 21]> f <k> (a) => (b) { t = Identity(a) b = Cast<to: int = @k>(t) })";
  EXPECT_EQ(TypeOf(model, "y"), "float[N]");
  EXPECT_EQ(TypeOf(model, "z"), "int64[2, 3]");
}

TEST(Infer, ResultsOfACallAreNotThoseOfAnother) {
  const std::string second = R"(<domain: "l", opset_import: ["" : 21]>
      second (a, b) => (y) { y = Identity (b) t = Neg (a) })";
  // The inputs are a constant 7 that is a scalar, and a vector without elements.
  const std::string calls = R"(g (int64 k, float b1, int64[0] b2) => (r, s) {
      c = Constant <value_int = 7> () r = l.second (c, b1) s = l.second (k, b2) })";
  EXPECT_EQ(TypeOf(calls + second, "r"), "float");
  EXPECT_EQ(TypeOf(calls + second, "s"), "int64[0]");

  const std::string opaque = R"(g (opaque(a, b) p, opaque(c, d) q) => (r, s) { r = l.same (p) s = l.same (q) }
      <domain: "l", opset_import: ["" : 21]> same (x) => (x) {})";
  EXPECT_EQ(TypeOf(opaque, "r"), "opaque(a, b)");
  EXPECT_EQ(TypeOf(opaque, "s"), "opaque(c, d)");
}

TEST(Infer, WhatTellsAValueHoldsForAllCalls) {
  onnx::ModelProto model;
  const std::string text = std::string(kHead) + R"(g () => (r, s) <int64[2] a = {1, 2}, int64[2] b = {3, 4}> {
      r = l.same (a, a) s = l.same (b, a) } <domain: "l", opset_import: ["" : 21]> same (x, y) => (z) { z = Neg (x) })";
  ASSERT_TRUE(testing::Ok(Parse(text, &model)));
  const Inference inference = InferTypes(model);
  const InferredValue& x = *inference.Find(model.functions(0), "x");
  EXPECT_EQ(ToString(x.type), "int64[2]");
  EXPECT_EQ(x.tensor, nullptr);
  EXPECT_EQ(x.owner, nullptr);
  EXPECT_EQ(x.source, FactSource::kUnknown);
  const InferredValue& y = *inference.Find(model.functions(0), "y");
  EXPECT_EQ(y.owner, &model.graph().initializer(0));
  EXPECT_EQ(inference.Find(model.functions(0), "z")->source, FactSource::kOperator);
}

TEST(Infer, ElementTypesThatNobodyKnows) {
  for (const std::string_view op : {"RandomNormalLike", "RandomUniformLike", "Bernoulli", "EyeLike", "Relu"}) {
    for (const int element : {99, 1000, -1}) {
      onnx::ModelProto model;
      ASSERT_TRUE(testing::Ok(Parse(fmt::format("{}g (float[2, 2] x) => (y) {{ y = {}(x) }}", kHead, op), &model)));
      model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(element);
      const Inference inference = InferTypes(model);
      EXPECT_NE(inference.Find(model.graph(), "y"), nullptr) << op << element;
    }
  }
}

TEST(Infer, OpaqueTypesDiffer) {
  const std::string same = R"( <domain: "l", opset_import: ["" : 21]> same (x) => (x) {})";
  onnx::ModelProto model;
  const std::string text = std::string(kHead) + "g (opaque(a, b) p) => (opaque(c, d) r) { r = l.same (p) }" + same;
  ASSERT_TRUE(testing::Ok(Parse(text, &model)));
  EXPECT_FALSE(InferTypes(model).diagnostics.ok());
  EXPECT_EQ(TypeOf(R"(g (bool c, opaque(a, b) p, opaque(c, d) q) => (r) { r = If (c) <
      then_branch = t () => (x) { x = l.same (p) }, else_branch = e () => (y) { y = l.same (q) }> })" +
                       same,
                   "r"),
            "?");
}

TEST(Infer, GraphsAlone) {
  onnx::GraphProto graph;
  ASSERT_TRUE(testing::Ok(Parse("g (float[2, 3] x, float[4] w) => (y) { h, m = Dropout (x) y = Add (h, w) }", &graph)));
  const Inference inference = InferTypes(graph);
  EXPECT_EQ(ToString(inference.Find(graph, "h")->type), "float[2, 3]");
  ASSERT_EQ(inference.diagnostics.items().size(), 1U);
  EXPECT_EQ(inference.diagnostics.items()[0].path, "node[1].input[1]");
  EXPECT_EQ(ToString(inference.Find(graph, "m")->type), "bool[2, 3]");
  const Inference old =
      InferTypes(graph, {.opset_imports = {{"", 7}}});  // in this version, the mask of Dropout consisted of numbers
  EXPECT_EQ(ToString(old.Find(graph, "m")->type), "float[2, 3]");
}

TEST(Infer, FunctionsAlone) {
  onnx::FunctionProto function;
  ASSERT_TRUE(testing::Ok(Parse(R"(<domain: "l", opset_import: ["" : 21]> f (float[2, 3] x, w) => (y) {
      h = Transpose (x) y = Add (h, x) })",
                                &function)));
  const Inference inference = InferTypes(function);
  EXPECT_EQ(ToString(inference.Find(function, "h")->type), "float[3, 2]");
  ASSERT_EQ(inference.diagnostics.items().size(), 1U);
  EXPECT_EQ(inference.diagnostics.items()[0].path, "node[1].input[1]");
}

/// The type of the value `name` in the function `index`, and the first finding, if there is one.
std::string TypeInFunction(const std::string& functions, std::string_view name, int index = 0) {
  onnx::ModelProto model;
  const Diagnostics read = Parse(std::string(kHead) + "g () => () {} " + functions, &model);
  if (!read.ok()) return read.items()[0].message;
  const Inference inference = InferTypes(model);
  const InferredValue* const value = inference.Find(model.functions(index), name);
  const std::string type = value == nullptr ? "none" : ToString(value->type);
  return inference.diagnostics.empty() ? type : type + "; " + inference.diagnostics.items()[0].message;
}

TEST(Infer, FunctionsThatNothingCallsAreInferredToo) {
  const std::string head = R"(<domain: "l", opset_import: ["" : 21, "l" : 1]> )";
  EXPECT_EQ(TypeInFunction(head + "f (a) => (b) { b = Shape(a) }", "b"), "int64[?]");
  EXPECT_EQ(TypeInFunction(head + "f (float[N, 3] a) => (b) { b = Flatten(a) }", "b"), "float[N, 3]");
  // An attribute of the function may have any value, whatever its default value is.
  EXPECT_EQ(TypeInFunction(head + "f <k: int = 1> (a) => (b) { b = Cast<to: int = @k>(a) }", "b"), "?");
  EXPECT_EQ(TypeInFunction(head + "f <k> (float[2, 3] a) => (b) { b = Transpose<perm: ints = @k>(a) }", "b"), "?");
  EXPECT_EQ(TypeInFunction(head + R"(f (a) => (b) { v = Constant<value = float[2, 3] {1, 2, 3, 4, 5, 6}>()
                w = Constant<value = float[2] {1, 2}>() b = MatMul(v, w) })",
                           "b"),
            "?; dimension 0 of 'w' as input 'B' in MatMul is 2, but dimension 1 of 'v' as input 'A' is 3");
  // A function that another function calls gets the types of that call, whatever the order of the functions.
  EXPECT_EQ(TypeInFunction(head + "f (a) => (b) { b = Relu(a) }" + head + "g (float[N] a) => (b) { b = l.f(a) }", "b"),
            "float[N]");
  // Functions that call each other recursively; the checker reports them.
  EXPECT_EQ(
      TypeInFunction(head + "f (a) => (b) { c = Shape(a) b = l.g(c) }" + head + "g (a) => (b) { b = l.f(a) }", "c"),
      "int64[?]");
}

TEST(Infer, TrainingGraphsSeeTheModelsValues) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(
      Parse(std::string(kHead) + R"(g (float[2, 3] x) => (float[2, 4] y) <float[3, 4] w = {}> { y = MatMul(x, w) })",
            &model)));
  onnx::GraphProto* const algorithm = model.add_training_info()->mutable_algorithm();
  ASSERT_TRUE(testing::Ok(Parse("step () => (v) { u = MatMul(x, w) v = MatMul(u, w) }", algorithm)));
  const Inference inference = InferTypes(model);
  EXPECT_EQ(ToString(inference.Find(*algorithm, "u")->type), "float[2, 4]");
  ASSERT_EQ(inference.diagnostics.items().size(), 1U);
  EXPECT_EQ(inference.diagnostics.items()[0].path, "training_info[0].algorithm.node[1].input[1]");
  EXPECT_EQ(WithTypes(model, inference).message.training_info(0).algorithm().value_info(0).name(), "u");
}

TEST(Infer, OneMistakeGivesOneFinding) {
  onnx::ModelProto model;
  ASSERT_TRUE(testing::Ok(Parse(std::string(kHead) + R"(g (float[2, 3] x, float[4, 5] w) => (float[2, 5] y) {
      a = MatMul(x, w) b = Relu(a) c = Add(b, x) y = MatMul(c, w) })",
                                &model)));
  const Inference inference = InferTypes(model);
  ASSERT_EQ(inference.diagnostics.items().size(), 1U);
  EXPECT_EQ(inference.diagnostics.items()[0].path, "graph.node[0].input[1]");
  EXPECT_EQ(inference.diagnostics.items()[0].message,
            "dimension 0 of 'w' as input 'B' in MatMul is 4, but dimension 1 of 'x' as input 'A' is 3");
}

TEST(Infer, FunctionsThatDoubleEndInTime) {
  std::string text = "g (float[N] x) => (y) { y = l.f30(x) }";
  for (int i = 30; i > 0; --i) {
    const std::string next = i == 1 ? "Relu" : "l.f" + std::to_string(i - 1);
    text += R"( <domain: "l", opset_import: ["" : 21, "l" : 1]> f)" + std::to_string(i) + " (a) => (b) { t = " + next +
            "(a) b = " + next + "(t) }";
  }
  EXPECT_EQ(TypeOf(text, "y"), "float[N]");
}

TEST(Infer, LoopsInLoopsEndInTime) {
  std::string body = "w = Concat<axis = 0>(v, v)";
  for (int i = 0; i < 20; ++i) {
    body = "w = Loop(n, , v) <body = b (int64 i, bool d, v) => (e, w) { e = Identity(d) " + body + " }>";
  }
  EXPECT_EQ(TypeOf("g (int64 n, float[2] v) => (w) { " + body + " }", "w"), "float[]");
}

TEST(Infer, NoSizeIsBelowZero) {
  // Code that depends on a wrong size must not read beyond the shapes, or use the size as a number of elements.
  for (const std::string_view text : {"g (float[2, 2] x, int64[2, 2] i, float[2] u) => (y) <int64[2] s = {-4, 6}> "
                                      "{ r, q = Split<axis = 1>(i, s) y = ScatterND(x, r, u) }",
                                      "g (float[2, 4] x, float[2, 2] d, int64[2, 3] i) => (y) <int64[2] s = {2, -3}> "
                                      "{ r = CenterCropPad(i, s) y = GatherND(d, r) }",
                                      "g (float[2] x, int64[2] i) => (y) <int64[2] s = {-4, 6}, int64[2] c = {1, 2}> "
                                      "{ r, q = Split<axis = 0>(i, s) t = Concat<axis = 0>(r, c) y = Expand(x, t) }"}) {
    onnx::ModelProto model;
    ASSERT_TRUE(testing::Ok(Parse(std::string(kHead) + std::string(text), &model)));
    EXPECT_EQ(InferTypes(model).diagnostics.items().size(), 1u) << text;
  }
  EXPECT_EQ(TypeOf("g (int64[1, 1, 1, 1] i, float[1, 1, 1, 1] x, float[2, 2] d) => (y) "
                   "{ u = MaxUnpool<kernel_shape = [1, 1], pads = [2, 2, 2, 2]>(x, i) r = Cast<to = 7>(u) "
                   "y = GatherND(d, r) }",
                   "y"),
            "float[]");
}

TEST(Infer, ListsOfUnknownElementsAreCountedBeforeTheyArePutTogether) {
  std::string inputs = "r";
  for (int i = 0; i < 10'000; ++i) inputs += ", r";
  EXPECT_EQ(TypeOf("g (int64[256] r) => (y) { y = Concat<axis = 0>(" + inputs + ") }", "y"), "int64[2560256]");
}

/// The weights of a Conv contradict its attribute. The attribute is corrected only if the data have as many bytes as
/// the shape of the weights needs: float[6, 3, 3, 3], 648 bytes.
TEST(Infer, TheShapeOfWeightsIsTrustedIfTheirDataFit) {
  struct External {
    std::string_view offset, length;  // "": missing
    std::string_view next;            // the offset of the next tensor in the file
    bool is_trusted;
  };
  constexpr External kExternal[] = {
      {"", "648", "", true},      {"64", "648", "", true},   {"", "647", "", false},  {"", "649", "", false},
      {"", "", "", false},        {"", "", "648", true},     {"", "", "649", false},  {"64", "", "712", true},
      {"64", "", "648", false},   {"", "six", "", false},    {"", "648x", "", false}, {"-8", "", "648", true},
      {"64", "647", "712", true}, {"", "1000", "648", true},
  };
  for (const External& row : kExternal) {
    onnx::ModelProto model;
    SourceMap map;
    ASSERT_TRUE(testing::Ok(Parse(std::string(kHead) + R"(g (float[1, 3, 8, 8] x) => (y)
        <float[6, 3, 3, 3] w = {}, float[2] other = {1, 2}> { y = Conv <kernel_shape = [5, 5]> (x, w) })",
                                  &model, {.source_map_out = &map})));
    const auto add = [](std::string_view key, std::string_view value, onnx::TensorProto* tensor) {
      tensor->set_data_location(onnx::TensorProto::EXTERNAL);
      if (value.empty()) return;
      onnx::StringStringEntryProto& entry = *tensor->add_external_data();
      entry.set_key(std::string(key));
      entry.set_value(std::string(value));
    };
    for (int i = 0; i < 2; ++i) add("location", "data", model.mutable_graph()->mutable_initializer(i));
    add("offset", row.offset, model.mutable_graph()->mutable_initializer(0));
    add("length", row.length, model.mutable_graph()->mutable_initializer(0));
    add("offset", row.next, model.mutable_graph()->mutable_initializer(1));
    const Inference inference = InferTypes(model, {.source_map = &map});
    ASSERT_EQ(inference.diagnostics.items().size(), 1U);
    const Diagnostic& finding = inference.diagnostics.items()[0];
    EXPECT_EQ(finding.fix_its.size(), row.is_trusted ? 1U : 0U) << row.offset << " " << row.length << " " << row.next;
    if (row.is_trusted) {
      EXPECT_EQ(finding.fix_its[0].replacement, "[3, 3]");
    }
    // In another file, the next tensor says nothing.
    model.mutable_graph()->mutable_initializer(1)->mutable_external_data(0)->set_value("others");
    const bool is_trusted = row.length == "648";
    EXPECT_EQ(InferTypes(model, {.source_map = &map}).diagnostics.items()[0].fix_its.empty(), !is_trusted);
  }
}

}  // namespace
}  // namespace onnxc
