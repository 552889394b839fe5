// Short models that require much work from inference: time and memory stay linear in the size of the model, and a
// finding reports that a budget is used up. tests/growth measures the same through the command.
#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>

#include <ctime>
#include <functional>
#include <string>

#include "testing/predicates.h"

namespace onnxc {
namespace {

constexpr std::string_view kDomainHead = "<ir_version: 10, opset_import: [\"\" : 21, \"d\" : 1]>\n";
constexpr std::string_view kFunction = "<domain: \"d\", opset_import: [\"\" : 21, \"d\" : 1]> ";

std::string Each(int count, const std::function<std::string(int)>& part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part(i);
  return text;
}

struct Result {
  onnx::ModelProto model;
  Inference inference;
  double seconds = 0;
};

Result Infer(const std::string& text) {
  Result result;
  const Diagnostics read = Parse(std::string(kDomainHead) + text, &result.model);
  EXPECT_TRUE(testing::Ok(read)) << read.items()[0].message;
  const std::clock_t start = std::clock();
  result.inference = InferTypes(result.model);
  result.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return result;
}

std::string KindsOf(const Diagnostics& found) {
  std::string kinds;
  for (const Diagnostic& item : found.items()) kinds += std::string(Name(item.kind)) + " " + item.path + "\n";
  return kinds;
}

/// Each function calls the next function with its inputs in two different orders, so the number of calls is the number
/// of permutations.
TEST(Budget, CallsOfFunctionsThatOnlyCallAreCounted) {
  const auto list = [](std::string_view form) {
    return Each(9, [&](int i) { return (i == 0 ? "" : ", ") + fmt::format(fmt::runtime(form), i, i + 1); });
  };
  std::string text = "g (" + list("float[{1}] x{0}") + ") => (y) { y = d.f0(" + list("x{0}") + ") }\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(
        "{} f{} ({}) => (y) {{ a = d.f{}(x1, x2, x3, x4, x5, x6, x7, x8, x0) y = d.f{}(x1, x0, x2, x3, "
        "x4, x5, x6, x7, x8) }}\n",
        kFunction, i, list("x{0}"), i + 1, i + 1);
  }
  text += fmt::format("{} f40 ({}) => (y) {{ y = Relu(x0) }}\n", kFunction, list("x{0}"));
  const Result result = Infer(text);
  EXPECT_EQ(KindsOf(result.inference.diagnostics), "inference-limit graph.node[0]\n");
  EXPECT_LT(result.seconds, 5);
}

/// The calls differ in one attribute, and each call is expensive because of its long list.
TEST(Budget, WhatACallCostsIsCounted) {
  constexpr int kCount = 3000;
  const std::string calls = "g (float[N] x) => (float[N] y) { y = Relu(x) " +
                            Each(kCount, [](int i) { return fmt::format("y{0} = d.f <a = {0}> (x)\n", i); }) + "}\n" +
                            std::string(kFunction) + "f ";
  const auto many = [](std::string_view part) { return Each(kCount, [&](int) { return std::string(part); }); };
  for (const std::string& function : {
           "<a: int = 0> (x) => (y) <" + many("float[N] v, ") + "float[N] w> { y = Relu(x) }",
           "<a: int = 0> (x) => (" + many("y, ") + "y) { y = Relu(x) }",
           "<a: int = 0> (x" + Each(kCount, [](int i) { return fmt::format(", x{}", i); }) + ") => (y) { y = Relu(x) }",
           "<a: int = 0> (x) => (y) { y = Relu(x) " + many("z = zz.N(x)\n") + "}",
           "<a: int = 0> (x) => (y) { y = Concat <axis = 0> (" + many("x, ") + "x) }",
       }) {
    const Result result = Infer(calls + function);
    EXPECT_EQ(result.inference.diagnostics.items().size(), 1u) << function.substr(0, 60);
    EXPECT_LT(result.seconds, 2) << function.substr(0, 60);
  }
}

TEST(Budget, RightModelsDoNotMeetIt) {
  const std::string body = Each(50, [](int i) { return fmt::format("v{} = Add(v{}, w)\n", i + 1, i); });
  const Result result = Infer("g (float[N, 1] x, float[M] w) => (y) { y = Relu(x) " +
                              Each(500, [](int i) { return fmt::format("y{0} = d.f <axis = {0}> (x, w)\n", i); }) +
                              "}\n" + std::string(kFunction) + "f <axis: int = 0> (v0, w) => (v50) { " + body + " }");
  EXPECT_TRUE(result.inference.diagnostics.empty()) << result.inference.diagnostics.items()[0].message;
  const InferredValue* const last = result.inference.Find(result.model.graph(), "y499");
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(ToString(last->type), "float[N, M]");
}

TEST(Budget, TypesThatAreWrittenAreCounted) {
  const std::string shape = Each(255, [](int) { return "N, "; });
  const Result result = Infer("g (float[" + shape + "N] x) => (y) { y = Relu(x) " +
                              Each(5000, [](int i) { return fmt::format("y{} = Relu(x)\n", i); }) + "}");
  EXPECT_TRUE(result.inference.diagnostics.empty());
  const auto [typed, found] = WithTypes(result.model, result.inference);
  EXPECT_EQ(KindsOf(found), "inference-limit \n");
  EXPECT_GT(typed.graph().value_info_size(), 100);
  EXPECT_LT(typed.ByteSizeLong(), 100 * result.model.ByteSizeLong());
  // Types are written into the message itself; the written types must not count as a part of the model.
  google::protobuf::Arena arena;
  auto* const model = NewIn<onnx::ModelProto>(&arena);
  *model = result.model;
  const Diagnostics in_place = AddTypes(model, InferTypes(*model));
  EXPECT_EQ(KindsOf(in_place), "inference-limit \n");
  EXPECT_EQ(model->SerializeAsString(), typed.SerializeAsString());
}

// A sum that is divided again and again would need expressions for each part of each part.
TEST(Budget, LongQuotientsAreUnknown) {
  const Result result = Infer(
      "g (float[N] x, float[M] w) => (y) { n = Shape(x) m = Shape(w) k = Constant <value_int = 2> () a0 = Add(n, m)\n" +
      Each(60,
           [](int i) {
             return fmt::format("p{0} = Mul(a{0}, n) s{0} = Add(a{0}, p{0}) a{1} = Div(s{0}, k)\n", i, i + 1);
           }) +
      "u = ConstantOfShape(a1) y = ConstantOfShape(a60) }");
  EXPECT_EQ(ToString(result.inference.Find(result.model.graph(), "y")->type), "float[?]");
  EXPECT_LT(result.seconds, 1);
}

TEST(Budget, NothingIsMovedWhereThereAreNoElements) {
  const Result result = Infer("g () => (y) <int64[1000000000000, 0] w = {}> { y = Transpose <perm = [0, 1]> (w) }");
  EXPECT_EQ(ToString(result.inference.Find(result.model.graph(), "y")->type), "int64[1000000000000, 0]");
  EXPECT_LT(result.seconds, 1);
}

TEST(Budget, AScanOfNoInputsIsAMistake) {
  for (const char* const count : {"-9223372036854775807", "-1", "0", "3", "9223372036854775807"}) {
    const Result result =
        Infer(fmt::format("g (float[2] a, float[3, 2] x) => (y, z) {{ y, z = Scan <num_scan_inputs = {}, body = b "
                          "(float[2] s, float[2] n) "
                          "=> (float[2] t, float[2] u) {{ t = Add(s, n) u = Identity(t) }}> (a, x) }}",
                          count));
    ASSERT_EQ(result.inference.diagnostics.items().size(), 1u) << count;
    EXPECT_EQ(Name(result.inference.diagnostics.items()[0].kind), "attribute-range") << count;
  }
}

}  // namespace
}  // namespace onnxc
