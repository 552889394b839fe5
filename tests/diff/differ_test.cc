// Each kind of edit of a small model is reported as one line; ignored differences are not reported.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/differ.h>

#include <sstream>
#include <string>
#include <vector>

#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kHeader = R"(<ir_version: 10, opset_import: ["" : 21]>)";

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

template <typename Proto>
std::vector<std::string> DiffOf(const Proto& before, const Proto& after, const DiffOptions& options = {}) {
  return Lines(RenderText(Diff(before, after, options)));
}

/// The lines that describe the differences of two models, which are given as texts without a header.
std::vector<std::string> DiffTexts(const std::string& before, const std::string& after,
                                   const DiffOptions& options = {}) {
  return DiffOf(ParseText<onnx::ModelProto>(kHeader + before), ParseText<onnx::ModelProto>(kHeader + after), options);
}

/// Compares two graphs `g (float[N] x) => (float[N] y)` with these nodes.
std::vector<std::string> DiffNodes(const std::string& before, const std::string& after,
                                   const DiffOptions& options = {}) {
  const auto graph = [](const std::string& nodes) { return "g (float[N] x) => (float[N] y) {" + nodes + "}"; };
  return DiffTexts(graph(before), graph(after), options);
}

TEST(Diff, TellsNothingOfEqualModels) {
  EXPECT_THAT(DiffNodes("y = Relu (x)", "y = Relu (x)"), IsEmpty());
  // Fields that are present with their default values are not differences.
  EXPECT_THAT(DiffNodes("y = Relu (x)", "# onnxc: set domain\n y = Relu (x)"), IsEmpty());
}

TEST(Diff, InsertedNodeIsOneLine) {
  EXPECT_THAT(DiffNodes("a = Relu (x) b = Exp (a) y = Neg (b)", "a = Relu (x) n = Abs (a) b = Exp (n) y = Neg (b)"),
              ElementsAre("+ graph.node[1]: n = Abs (a); b reads n instead of a"));
}

TEST(Diff, NodeInsertedAtTheEndIsOneLine) {
  EXPECT_THAT(DiffNodes("y = Relu (x)", "a = Relu (x) y = Neg (a)"),
              ElementsAre("+ graph.node[1]: y = Neg (a); Relu writes a instead of y"));
}

TEST(Diff, NodeInsertedAtTheBeginningIsOneLine) {
  EXPECT_THAT(DiffNodes("y = Relu (x)", "a = Relu (x) y = Relu (a)"), ElementsAre(StartsWith("+ graph.node[")));
  EXPECT_THAT(DiffNodes("a = Exp (x) y = Neg (a)", "n = Abs (x) a = Exp (n) y = Neg (a)"),
              ElementsAre("+ graph.node[0]: n = Abs (x); a reads n instead of x"));
}

TEST(Diff, NodeInsertedBeforeManyReadersIsOneLine) {
  EXPECT_THAT(DiffNodes("a = Relu (x) b = Exp (a) c = Abs (a) d = Neg (a) y = Sum (b, c, d)",
                        "a = Relu (x) n = Sqrt (a) b = Exp (n) c = Abs (n) d = Neg (n) y = Sum (b, c, d)"),
              ElementsAre("+ graph.node[1]: n = Sqrt (a); b reads n instead of a, c reads n instead of a, and 1 more"));
}

TEST(Diff, InsertedNodeKeepsOthersThoughNumberedNamesShift) {
  EXPECT_THAT(DiffNodes("v1 = Relu (x) v2 = Exp (v1) v3 = Relu (v2) v4 = Exp (v3) y = Neg (v4)",
                        "v1 = Relu (x) v2 = Abs (v1) v3 = Exp (v2) v4 = Relu (v3) v5 = Exp (v4) y = Neg (v5)",
                        {.ignore = {Aspect::kNames}}),
              ElementsAre(StartsWith("+ graph.node[1]: v2 = Abs (v1)")));
}

TEST(Diff, RemovedNodeIsOneLine) {
  EXPECT_THAT(DiffNodes("a = Relu (x) n = Abs (a) b = Exp (n) y = Neg (b)", "a = Relu (x) b = Exp (a) y = Neg (b)"),
              ElementsAre("- graph.node[1]: n = Abs (a); b reads a instead of n"));
  EXPECT_THAT(DiffNodes("a = Relu (x) y = Neg (a)", "y = Relu (x)"),
              ElementsAre("- graph.node[1]: y = Neg (a); Relu writes y instead of a"));
}

TEST(Diff, RenamedValueIsOneLine) {
  const std::string before = "a = Relu (x) b = Exp (a) y = Add (a, b)";
  const std::string after = "q = Relu (x) b = Exp (q) y = Add (q, b)";
  EXPECT_THAT(DiffNodes(before, after), ElementsAre("> graph.node[0].output[0]: a -> q  # q = Relu (x)"));
  EXPECT_THAT(DiffNodes(before, after, {.ignore = {Aspect::kNames}}), IsEmpty());
}

TEST(Diff, RenamedNodeIsOneLine) {
  EXPECT_THAT(DiffNodes("[n] y = Relu (x)", "[m] y = Relu (x)"),
              ElementsAre("> graph.node[0] \"m\".name: n -> m  # y = Relu (x)"));
  EXPECT_THAT(DiffNodes("[n] y = Relu (x)", "[m] y = Relu (x)", {.ignore = {Aspect::kNames}}), IsEmpty());
}

TEST(Diff, ManyRenamesAreOneLine) {
  std::string before = "v0 = Relu (x)";
  std::string after = "w0 = Relu (x)";
  for (int i = 1; i < 50; ++i) {
    const auto node = [i](const std::string& v) {
      return " " + v + std::to_string(i) + " = Relu (" + v + std::to_string(i - 1) + ")";
    };
    before += node("v");
    after += node("w");
  }
  EXPECT_THAT(DiffNodes(before + " y = Neg (v49)", after + " y = Neg (w49)"),
              ElementsAre("> graph.node[0].output[0]: v0 -> w0, and 49 more like this in names"));
}

TEST(Diff, RenamedInputIsOneLine) {
  EXPECT_THAT(DiffTexts("g (float[N] x) => (y) { y = Relu (x) }", "g (float[N] z) => (y) { y = Relu (z) }"),
              ElementsAre("> graph.input[0]: x -> z"));
}

TEST(Diff, RenamedOutputIsOneLine) {
  EXPECT_THAT(DiffTexts("g (x) => (y) { y = Relu (x) }", "g (x) => (z) { z = Relu (x) }"),
              ElementsAre("> graph.node[0].output[0]: y -> z  # z = Relu (x)"));
}

TEST(Diff, OtherOperatorIsOneLine) {
  EXPECT_THAT(DiffNodes("a = Relu (x) y = Neg (a)", "a = Abs (x) y = Neg (a)"),
              ElementsAre("~ graph.node[0]: Relu -> Abs  # a = Abs (x)"));
  EXPECT_THAT(DiffNodes("y = LeakyRelu <alpha = 0.5> (x)", "y = Softmax <axis = 0> (x)"),
              ElementsAre("~ graph.node[0]: LeakyRelu -> Softmax; axis = 0, without alpha  # y = Softmax (x)"));
  EXPECT_THAT(DiffNodes("y = Relu (x)", "y = my.Relu:v2 (x)"),
              ElementsAre("~ graph.node[0]: Relu -> my.Relu:v2  # y = my.Relu:v2 (x)"));
}

TEST(Diff, ChangedAttributeIsOneLine) {
  EXPECT_THAT(DiffNodes("y = LeakyRelu <alpha = 0.5> (x)", "y = LeakyRelu <alpha = 0.25> (x)"),
              ElementsAre("~ graph.node[0].attribute[\"alpha\"]: 0.5 -> 0.25  # y = LeakyRelu (x)"));
  EXPECT_THAT(DiffNodes("y = Foo <k = [1, 2]> (x)", "y = Foo <k = [1.5, 2]> (x)"),
              ElementsAre("~ graph.node[0].attribute[\"k\"]: [1, 2] -> [1.5, 2]  # y = Foo (x)"));
  EXPECT_THAT(DiffNodes("y = Foo <k = 1> (x)", "y = Foo <k = \"1\"> (x)"),
              ElementsAre("~ graph.node[0].attribute[\"k\"]: 1 -> \"1\"  # y = Foo (x)"));
  EXPECT_THAT(DiffNodes("y = Foo (x)", "y = Foo <k = 1> (x)"),
              ElementsAre("+ graph.node[0].attribute[\"k\"]: 1  # y = Foo (x)"));
  EXPECT_THAT(DiffNodes("y = Foo <k = 1> (x)", "y = Foo (x)"),
              ElementsAre("- graph.node[0].attribute[\"k\"]: 1  # y = Foo (x)"));
}

TEST(Diff, RewiredInputIsOneLine) {
  EXPECT_THAT(DiffNodes("a = Relu (x) b = Exp (x) y = Add (a, a)", "a = Relu (x) b = Exp (x) y = Add (a, b)"),
              ElementsAre("~ graph.node[2].input[1]: a -> b  # y = Add (a, b)"));
  EXPECT_THAT(DiffNodes("a = Relu (x) y = Sub (a, x)", "a = Relu (x) y = Sub (x, a)"),
              ElementsAre("~ graph.node[1].input: (a, x) -> (x, a)  # y = Sub (x, a)"));
  EXPECT_THAT(DiffNodes("y = Clip (x)", "y = Clip (x, \"\")"),
              ElementsAre("~ graph.node[0].input: (x) -> (x, \"\")  # y = Clip (x, \"\")"));
}

TEST(Diff, MovedNodeIsOneLineOfStorage) {
  const std::string before = "a = Relu (x) b = Exp (x) c = Abs (x) y = Sum (a, b, c)";
  const std::string after = "c = Abs (x) a = Relu (x) b = Exp (x) y = Sum (a, b, c)";
  EXPECT_THAT(DiffNodes(before, after), ElementsAre("~ graph.node[0]: moved, was at 2"));
  EXPECT_THAT(DiffNodes(before, after, {.ignore = {Aspect::kStorage}}), IsEmpty());
}

TEST(Diff, ChangedTypeIsOneLine) {
  EXPECT_THAT(DiffTexts("g (float[N] x) => (y) { y = Relu (x) }", "g (float16[N] x) => (y) { y = Relu (x) }"),
              ElementsAre("~ graph.input[0] \"x\".type: float[N] -> float16[N]"));
  EXPECT_THAT(DiffTexts("g (x) => (y) <float[2] a> { a = Exp (x) y = Relu (a) }",
                        "g (x) => (y) <float[3] a> { a = Exp (x) y = Relu (a) }"),
              ElementsAre("~ graph.value_info[0] \"a\".type: float[2] -> float[3]"));
}

TEST(Diff, InputsAndOutputsComeAndGo) {
  EXPECT_THAT(DiffTexts("g (x) => (y) { y = Relu (x) }", "g (x, int64 k) => (y) { y = Relu (x) }"),
              ElementsAre("+ graph.input[1] \"k\": int64"));
  EXPECT_THAT(DiffTexts("g (x) => (y, a) { a = Exp (x) y = Relu (a) }", "g (x) => (y) { a = Exp (x) y = Relu (a) }"),
              ElementsAre(StartsWith("- graph.output[1] \"a\"")));
  EXPECT_THAT(DiffTexts("g (p, q) => (y) { y = Sub (p, q) }", "g (q, p) => (y) { y = Sub (p, q) }"),
              ElementsAre("~ graph.input[1] \"p\": moved, was at 0"));
}

TEST(Diff, OtherOutputIsToldWithoutNames) {
  const std::string nodes = "{ a = Exp (x) b = Relu (x) }";
  EXPECT_THAT(DiffTexts("g (x) => (a)" + nodes, "g (x) => (b)" + nodes, {.ignore = {Aspect::kNames}}),
              ElementsAre("~ graph.output[0] \"b\": a -> b; another value"));
}

// ---- weights

std::vector<std::string> DiffWeights(const std::string& before, const std::string& after,
                                     const DiffOptions& options = {}) {
  const auto model = [](const std::string& weights) { return "g (x) => (y) <" + weights + "> { y = Add (x, w) }"; };
  return DiffTexts(model(before), model(after), options);
}

TEST(Diff, ChangedWeightsAreOneLine) {
  EXPECT_THAT(
      DiffWeights("float[2, 2] w = {1, 2, 3, 4}", "float[2, 2] w = {1, 2, 3.5, 4.25}"),
      ElementsAre(
          "~ graph.initializer[0] \"w\": 3 -> 3.5; 2 of 4 elements differ, by at most 0.5, the first at [1, 0]"));
  EXPECT_THAT(DiffWeights("float[2] w = {1, 2}", "float[3] w = {1, 2, 3}"),
              ElementsAre("~ graph.initializer[0] \"w\": float[2] -> float[3]"));
  EXPECT_THAT(DiffWeights("float[2] w = {1, 2}", "double[2] w = {1, 2}"),
              ElementsAre("~ graph.initializer[0] \"w\": float[2] -> double[2]"));
  EXPECT_THAT(DiffWeights("string[1] w = {\"a\"}", "string[1] w = {\"b\"}"),
              ElementsAre(HasSubstr("string_data: [\"a\"] -> [\"b\"]")));
}

TEST(Diff, WeightsOfEveryFormAreNumbers) {
  const auto distance = [](const std::string& before, const std::string& after) {
    const std::vector<std::string> lines = DiffWeights(before, after);
    return lines.size() == 1 ? lines[0].substr(lines[0].find(": ") + 2) : ::testing::PrintToString(lines);
  };
  EXPECT_THAT(distance("int8[1] w = {-128}", "int8[1] w = {127}"),
              StartsWith("-128 -> 127; 1 of 1 elements differs, by at most 255,"));
  EXPECT_THAT(distance("uint64[1] w = {0}", "uint64[1] w = {18446744073709551615}"),
              HasSubstr("by at most 1.8446744073709552e+19,"));
  EXPECT_THAT(distance("int64[1] w = {9007199254740993}", "int64[1] w = {9007199254740992}"),
              HasSubstr("by at most 1,"));
  EXPECT_THAT(distance("float16[1] w = {1.5}", "float16[1] w = {-1.5}"),
              StartsWith("1.5 -> -1.5; 1 of 1 elements differs, by at most 3,"));
  EXPECT_THAT(distance("int4[3] w = {{1, -2, 3}}", "int4[3] w = {{1, -8, 3}}"),
              StartsWith("-2 -> -8; 1 of 3 elements differs, by at most 6, the first at [1]"));
  EXPECT_THAT(distance("complex64[1] w = {1, 2}", "complex64[1] w = {1, 5}"),
              StartsWith("2 -> 5; 1 of 2 parts differs, by at most 3,"));
  EXPECT_THAT(distance("float[1] w = {0.0}", "float[1] w = {-0.0}"), HasSubstr("the sign of a zero"));
  EXPECT_THAT(distance("float[1] w = {nan}", "float[1] w = {1}"), HasSubstr("by at most inf,"));
}

TEST(Diff, ToleranceIsForWeights) {
  const std::string before = "float[2] w = {1, 2}";
  const std::string after = "float[2] w = {1.25, 2}";
  EXPECT_THAT(DiffWeights(before, after, {.weights_tolerance = 0.25}), IsEmpty());
  EXPECT_THAT(DiffWeights(before, after, {.weights_tolerance = 0.2}).size(), 1u);
  EXPECT_THAT(DiffWeights("float[1] w = {nan}", "float[1] w = {1}", {.weights_tolerance = 100}).size(), 1u);
  const DiffOptions close{.weights_tolerance = 0.01, .relative_tolerance = 0.01};
  EXPECT_THAT(DiffWeights("float[2] w = {1000, 0}", "float[2] w = {1010, 0.0078125}", close), IsEmpty());
  EXPECT_THAT(DiffWeights("float[2] w = {1000, 0}", "float[2] w = {1011, 0}", close).size(), 1u);
  EXPECT_THAT(DiffWeights("float[1] w = {1}", "float[1] w = {inf}", close).size(), 1u);
  EXPECT_THAT(DiffWeights("float[1] w = {nan}", "float[1] w = {nan}", close), IsEmpty());
}

/// In int32_data each entry contains one element; in raw_data three bytes contain four elements.
TEST(Diff, StorageOfSixBitsIsNoOtherValue) {
  const auto typed = ParseText<onnx::TensorProto>("float6e2m3[5] {1, 2, 3, 63, 5}");
  auto raw = typed;
  raw.clear_int32_data();
  raw.set_raw_data("\x81\x30\xfc\x05");
  EXPECT_THAT(DiffOf(typed, raw), ElementsAre(HasSubstr("int32_data -> raw_data")));
  EXPECT_THAT(DiffOf(typed, raw, {.ignore = {Aspect::kStorage}}), IsEmpty());
  raw.mutable_raw_data()->back() = 4;
  EXPECT_THAT(DiffOf(typed, raw, {.ignore = {Aspect::kStorage}}), ElementsAre(HasSubstr("1 of 5 elements differs")));
}

TEST(Diff, StorageIsNoOtherValue) {
  const std::string typed = "float[2] w = {1, 2}";
  const std::string raw = "\n# onnxc: raw\nfloat[2] w = {1, 2}";
  EXPECT_THAT(DiffWeights(typed, raw), ElementsAre("~ graph.initializer[0] \"w\": float_data -> raw_data"));
  EXPECT_THAT(DiffWeights(typed, raw, {.ignore = {Aspect::kStorage}}), IsEmpty());
  EXPECT_THAT(DiffWeights(typed, "\n# onnxc: raw\nfloat[2] w = {1, 3}", {.ignore = {Aspect::kStorage}}).size(), 1u);
}

// If an entry of a field is not an element of the tensor's type, the fields are compared directly.
TEST(Diff, ElementsAreTheSameInEveryField) {
  struct Case {
    std::string a, b;
    std::vector<std::string> lines;
  };
  const auto raw = [](const std::string& data, const std::string& bytes) { return Case{data, bytes, {}}; };
  const std::vector<Case> same = {
      raw("data_type: 3 int32_data: [-128, 127]", R"(data_type: 3 raw_data: "\200\177")"),
      raw("data_type: 2 int32_data: [255, 0]", R"(data_type: 2 raw_data: "\377\000")"),
      raw("data_type: 5 int32_data: [-1, 1]", R"(data_type: 5 raw_data: "\377\377\001\000")"),
      raw("data_type: 12 uint64_data: [4294967295, 1]",
          R"(data_type: 12 raw_data: "\377\377\377\377\001\000\000\000")"),
      raw("data_type: 13 uint64_data: [18446744073709551615, 0]",
          R"(data_type: 13 raw_data: "\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000")"),
  };
  const DiffOptions options{.ignore = {Aspect::kStorage}};
  for (const Case& row : same) {
    const auto a = FromTextProto<onnx::TensorProto>("dims: 2 " + row.a);
    const auto b = FromTextProto<onnx::TensorProto>("dims: 2 " + row.b);
    EXPECT_THAT(DiffOf(a, b, options), IsEmpty()) << row.a;
    EXPECT_EQ(DiffOf(a, b).size(), 1u) << row.a;
  }
  for (const char* beyond :
       {"data_type: 3 int32_data: [128, 0]", "data_type: 3 int32_data: [-129, 0]", "data_type: 2 int32_data: [256, 0]",
        "data_type: 2 int32_data: [-1, 0]", "data_type: 12 uint64_data: [4294967296, 0]"}) {
    const auto a = FromTextProto<onnx::TensorProto>(std::string("dims: 2 ") + beyond);
    onnx::TensorProto b = a;
    EXPECT_THAT(DiffOf(a, b), IsEmpty()) << beyond;
    b.mutable_int32_data()->Clear();
    b.mutable_uint64_data()->Clear();
    EXPECT_THAT(DiffOf(a, b, options), ::testing::Not(IsEmpty())) << beyond;
  }
}

TEST(Diff, TellsBitsBehindTheLastElement) {
  const auto a = FromTextProto<onnx::TensorProto>(R"(dims: 1 data_type: 22 raw_data: "\001")");
  const auto b = FromTextProto<onnx::TensorProto>(R"(dims: 1 data_type: 22 raw_data: "\021")");
  EXPECT_THAT(DiffOf(a, b), ElementsAre(HasSubstr("bits after the last element")));
  EXPECT_THAT(DiffOf(a, b, {.ignore = {Aspect::kStorage}}), IsEmpty());
}

// A node is unchanged. The node before it has the same operator as before, but other inputs, readers, attributes and
// another name.
TEST(Diff, NodesInFrontOfEqualOnesAreTheSame) {
  EXPECT_THAT(DiffNodes("a = Abs (x) c = Exp (a) s = Mul <k = 1> (a, c) u = Exp (s) y = Neg (s)",
                        "b = Sin (x) e = Cos (b) t = Mul <k = 2> (e, b) y = Neg (t)"),
              ::testing::Contains("~ graph.node[2].attribute[\"k\"]: 1 -> 2  # t = Mul (e, b)"));
}

TEST(Diff, LongValuesAreCut) {
  const auto with = [](int count) {
    std::string list = "1";
    for (int i = 1; i < count; ++i) list += ", 1";
    return "y = Op <k = [" + list + "]> (x)";
  };
  for (const int count : {39, 41}) {
    const std::vector<std::string> lines = DiffNodes("y = Op <k = [2]> (x)", with(count));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_THAT(lines[0], StartsWith("~ graph.node[0].attribute[\"k\"]: [2] -> [1, 1, "));
    EXPECT_LT(lines[0].size(), 300u);
  }
  EXPECT_THAT(DiffNodes("y = Op <k = [2]> (x)", with(5000)),
              ElementsAre("~ graph.node[0].attribute[\"k\"]: [2] -> ints  # y = Op (x)"));
  const std::vector<std::string> added = DiffNodes("y = Op (x)", with(5000));
  ASSERT_EQ(added.size(), 1u);
  EXPECT_LT(added[0].size(), 300u);
}

TEST(Diff, NansAreNotApart) {
  const auto nan = [](const char* bits) {
    return FromTextProto<onnx::TensorProto>(fmt::format(R"(dims: 1 data_type: 1 raw_data: "{}")", bits));
  };
  const auto quiet = nan("\\000\\000\\300\\177");
  const auto other = nan("\\001\\000\\300\\177");
  EXPECT_THAT(DiffOf(quiet, other), ElementsAre(HasSubstr("in the sign of a zero or the bits of a NaN")));
  EXPECT_THAT(DiffOf(quiet, other, {.weights_tolerance = 0.5}), IsEmpty());
  EXPECT_THAT(DiffOf(quiet, nan("\\000\\000\\200\\077"), {.weights_tolerance = 0.5}),
              ElementsAre(HasSubstr("by at most inf")));
}

TEST(Diff, InitializersComeGoAndGetNames) {
  EXPECT_THAT(DiffWeights("float[1] w = {1}", "float[1] w = {1}, float[2] v = {1, 2}"),
              ElementsAre("+ graph.initializer[1] \"v\": float[2]"));
  EXPECT_THAT(DiffWeights("float[1] w = {1}, float[2] v = {1, 2}", "float[1] w = {1}"),
              ElementsAre("- graph.initializer[1] \"v\": float[2]"));
  EXPECT_THAT(DiffTexts("g (x) => (y) <float[1] w = {1}> { y = Add (x, w) }",
                        "g (x) => (y) <float[1] v = {1}> { y = Add (x, v) }"),
              ElementsAre("> graph.initializer[0] \"v\": w -> v"));
}

// ---- the rest of a model

TEST(Diff, HeaderIsCompared) {
  const auto diff = [](const std::string& before, const std::string& after, const DiffOptions& options = {}) {
    const std::string graph = "> g (x) => (y) { y = Relu (x) }";
    return DiffOf(ParseText<onnx::ModelProto>("<ir_version: 10, " + before + graph),
                  ParseText<onnx::ModelProto>("<ir_version: 10, " + after + graph), options);
  };
  EXPECT_THAT(diff(R"(opset_import: ["": 20])", R"(opset_import: ["": 21])"),
              ElementsAre(R"(~ opset_import[0]: "": 20 -> "": 21)"));
  EXPECT_THAT(diff(R"(opset_import: ["": 20])", R"(opset_import: ["ai.onnx.ml": 3, "": 20])"),
              ElementsAre(R"(+ opset_import[0]: "ai.onnx.ml": 3)"));
  EXPECT_THAT(diff(R"(producer_name: "a")", R"(producer_name: "b")"), ElementsAre(R"(~ producer_name: "a" -> "b")"));
  const std::string docs = R"(doc_string: "a")";
  EXPECT_THAT(diff(docs, R"(doc_string: "b")"), ElementsAre(R"(~ doc_string: "a" -> "b")"));
  EXPECT_THAT(diff(docs, R"(doc_string: "b")", {.ignore = {Aspect::kDocs}}), IsEmpty());
  const std::string metadata = R"(metadata_props: ["k": "a"])";
  EXPECT_THAT(diff(metadata, R"(metadata_props: ["k": "b"])"), ElementsAre(R"(~ metadata_props["k"]: "a" -> "b")"));
  EXPECT_THAT(diff(metadata, R"(metadata_props: ["k": "b"])", {.ignore = {Aspect::kMetadata}}), IsEmpty());
}

TEST(Diff, FunctionsAreMatchedByTheirIdentity) {
  const std::string graph = "g (x) => (y) { y = f.Half (x) }";
  const auto function = [](const std::string& name, const std::string& nodes) {
    return R"( <domain: "f", opset_import: ["": 21]> )" + name + " (a) => (b) {" + nodes + "}";
  };
  EXPECT_THAT(DiffTexts(graph + function("Half", "b = Relu (a)") + function("Twice", "b = Relu (a)"),
                        graph + function("Twice", "b = Relu (a)") + function("Half", "t = Relu (a) b = Neg (t)"),
                        {.ignore = {Aspect::kStorage}}),
              ElementsAre("+ functions[1] \"Half\".node[1]: b = Neg (t); Relu writes t instead of b"));
  EXPECT_THAT(DiffTexts(graph, graph + function("Half", "b = Relu (a)")),
              ElementsAre("+ functions[0] \"Half\": a function of 1 nodes"));
}

TEST(Diff, SubgraphsAreComparedInPlace) {
  const auto nodes = [](const std::string& branch) {
    return "c = Less (x, x) a = Exp (x) y = If (c) <then_branch = t () => (p) {" + branch +
           "}, else_branch = e () => (q) { q = Neg (a) }>";
  };
  EXPECT_THAT(DiffNodes(nodes("p = Relu (a)"), nodes("r = Relu (a) p = Abs (r)")),
              ElementsAre(StartsWith("+ graph.node[2].attribute[\"then_branch\"].g.node[1]: p = Abs (r)")));
  // A value that a branch uses is renamed outside of the branch.
  EXPECT_THAT(DiffNodes("c = Less (x, x) a = Exp (x) y = If (c) <then_branch = t () => (p) { p = Relu (a) }>",
                        "c = Less (x, x) z = Exp (x) y = If (c) <then_branch = t () => (p) { p = Relu (z) }>"),
              ElementsAre("> graph.node[1].output[0]: a -> z  # z = Exp (x)"));
  // ... and a node is inserted outside, whose output has the old name in the branch.
  EXPECT_THAT(
      DiffNodes("c = Less (x, x) a = Exp (x) y = If (c) <then_branch = t () => (p) { p = Relu (a) }>",
                "c = Less (x, x) b = Exp (x) a = Abs (b) y = If (c) <then_branch = t () => (p) { p = Relu (a) }>"),
      ElementsAre("+ graph.node[2]: a = Abs (b); Exp writes b instead of a, p reads a"));
}

TEST(Diff, PartsOfModelsAreCompared) {
  EXPECT_THAT(DiffOf(ParseText<onnx::NodeProto>("y = Relu (x)"), ParseText<onnx::NodeProto>("y = Relu (z)")),
              ElementsAre(R"(~ input: ["x"] -> ["z"])"));
  EXPECT_THAT(DiffOf(ParseText<onnx::TypeProto>("float[N]"), ParseText<onnx::TypeProto>("seq(float[N])")),
              ElementsAre("~ type: float[N] -> seq(float[N])"));
  EXPECT_THAT(DiffOf(ParseText<onnx::TensorProto>("float[1] {1}"), ParseText<onnx::TensorProto>("float[1] {2}")),
              ElementsAre("~ tensor: 1 -> 2; 1 of 1 elements differs, by at most 1, the first at [0]"));
}

TEST(Diff, HostileNamesDoNotReachTheTerminal) {
  const std::vector<Difference> differences =
      Diff(ParseText<onnx::NodeProto>("y = Relu (x)"), ParseText<onnx::NodeProto>("y = Relu (\"\x1b[31m\")"));
  EXPECT_THAT(RenderText(differences), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RenderText(differences, true), StartsWith("\x1b[33m~ input\x1b[0m: "));
}

TEST(Diff, JsonIsWhole) {
  const auto before = ParseText<onnx::NodeProto>("y = LeakyRelu <alpha = 0.5> (x)");
  const auto after = ParseText<onnx::NodeProto>("y = LeakyRelu <alpha = 1.5> (x)");
  EXPECT_EQ(RenderJson(Diff(before, after)), R"({
  "differences": [
    {
      "kind": "changed",
      "aspect": "model",
      "path": "attribute[\"alpha\"]",
      "before": "0.5",
      "after": "1.5"
    }
  ]
}
)");
  EXPECT_EQ(RenderJson(std::vector<Difference>()), "{\n  \"differences\": []\n}\n");
}

}  // namespace
}  // namespace onnxc::testing
