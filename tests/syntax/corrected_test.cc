// Mistakes that need several corrections together, and mistakes without a correction because each one would change the
// meaning.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "testing/predicates.h"
#include "testing/verdicts.h"

namespace onnxc::testing {
namespace {

std::vector<std::string> ErrorsOf(const std::string& text) {
  std::vector<std::string> errors;
  const Diagnostics found = Proven(SourceText("-", text));
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity == Severity::kError) errors.push_back(finding.message);
  }
  return errors;
}

struct Case {
  const char* wrong;
  const char* right;  // null: there is no correction
  int opset = 21;
};

std::ostream& operator<<(std::ostream& out, const Case& it) { return out << it.wrong; }

// Expects one error, whose correction leaves no error.
void ExpectCorrected(const std::string& wrong, const std::string& right) {
  const std::vector<std::string> errors = ErrorsOf(wrong);
  EXPECT_EQ(errors.size(), 1u) << wrong << ::testing::PrintToString(errors);
  EXPECT_EQ(Fixed(wrong), right);
  EXPECT_EQ(Judged(SourceText("-", right)).ok(), right != wrong) << right;
}

std::string Header(int opset) { return "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) + "]>\n"; }

// ---- nodes

class Call : public ::testing::TestWithParam<Case> {};

TEST_P(Call, IsCorrectedInOneStep) {
  const auto text = [&](std::string_view node) {
    return Header(GetParam().opset) + "g (float[2, 3] x, float[4, 3] w, float[1, 3, 8] i) => (int64 n) {\n   " +
           std::string(node) + "\n   n = Size (y)\n}\n";
  };
  const auto [wrong, right, opset] = GetParam();
  ExpectCorrected(text(wrong), text(right == nullptr ? wrong : right));
}

INSTANTIATE_TEST_SUITE_P(
    MovedAttributes, Call,
    ::testing::Values(
        Case{"y = Softmax (x, dim = -1)", "y = Softmax <axis = -1> (x)"},
        Case{"y = Gelu (x, approximate = tanh)", "y = Gelu <approximate = \"tanh\"> (x)"},
        Case{"y = Cast (x, to = FLOAT)", "y = Cast <to = 1> (x)"},
        Case{"y = Gemm (x, w, transpose_b = True)", "y = Gemm <transB = 1> (x, w)"},
        Case{"y = Gemm (x, w, transB = \"true\")", "y = Gemm <transB = 1> (x, w)"},
        Case{"y = Concat (inputs = [x, x], axis = 0)", "y = Concat <axis = 0> (x, x)"},
        Case{"y = Concat (inputs = [x, x], dim = 0)", "y = Concat <axis = 0> (x, x)"},
        Case{"y = Gemm (A = x, B = w, transB = 1)", "y = Gemm <transB = 1> (x, w)"},
        Case{"y = Transpose (x, perm = (1, 0))", "y = Transpose <perm = [1, 0]> (x)"},
        Case{"y = Gelu (x, approximate = 'tanh')", "y = Gelu <approximate = \"tanh\"> (x)"},
        Case{"y = Concat ([x, x], dim = 0)", "y = Concat <axis = 0> (x, x)"},
        Case{"y = MaxPool (i, kernel_size = 2)", "y = MaxPool <kernel_shape = [2]> (i)"},
        Case{"y = Clip (x, min = 0.0, max = 6.0)",
             "min_1 = Constant <value_float = 0.0> ()\n   max_1 = Constant <value_float = 6.0> ()\n"
             "   y = Clip (x, min_1, max_1)"},
        Case{"y = ReduceMean (x, axis = 1)", "axes_1 = Constant <value_ints = [1]> ()\n   y = ReduceMean (x, axes_1)"},
        Case{"y = ReduceMean (x, axis = 1)", "y = ReduceMean <axes = [1]> (x)", 17},
        Case{"y = ReduceMean (x, axis = -1, keepdim = False)",
             "axes_1 = Constant <value_ints = [-1]> ()\n   y = ReduceMean <keepdims = 0> (x, axes_1)"},
        Case{"y = Transpose (x, dims = (1, 0))", "y = Transpose <perm = [1, 0]> (x)"},
        Case{"y = Concat ((x, x), dim = 0)", "y = Concat <axis = 0> (x, x)"},
        Case{"y = Concat (axis = 0, inputs = [x, x])", "y = Concat <axis = 0> (x, x)"},
        Case{"y = Concat (dim = 0, inputs = (x, x))", "y = Concat <axis = 0> (x, x)"},
        Case{"y = Gemm (alpha = 2.0, A = x, B = w, transB = 1)", "y = Gemm <alpha = 2.0, transB = 1> (x, w)"},
        Case{"y = Softmax (x, dim = \"1\")", "y = Softmax <axis = 1> (x)"}));

// The correction of a node ends where the next node begins.
INSTANTIATE_TEST_SUITE_P(
    OfSeveral, Call,
    ::testing::Values(Case{"y = Transpose (x, perm = (1, 0)) z = Softmax (y)",
                           "y = Transpose <perm = [1, 0]> (x) z = Softmax (y)"},
                      Case{"y = Transpose (x, perm = (1, 0)) # a } in a comment",
                           "y = Transpose <perm = [1, 0]> (x) # a } in a comment"},
                      Case{"y = Transpose (x, perm = (1,\n   0))\n   @doc_string \"d\"\n   z = Softmax (y)",
                           "y = Transpose <perm = [1,\n   0]> (x)\n   @doc_string \"d\"\n   z = Softmax (y)"}));

// `axis` is `axes` in other operators, and `axes` may be `perm`, but `axis` is not `perm`. `r"x"` is not two names.
INSTANTIATE_TEST_SUITE_P(Uncertain, Call,
                         ::testing::Values(Case{"y = Transpose <axis = 1> (x)", nullptr},
                                           Case{"y = Relu (r\"x\")", nullptr}, Case{"y = Add (x, r\"x\")", nullptr}));

// The corrections of strings in many nodes do not use up the budget of the search for lost quotes.
TEST(Corrected, FindsALostQuoteAfterManyNodes) {
  constexpr int kNodes = 300;
  std::string nodes;
  for (int i = 0; i < kNodes; ++i) nodes += "   y" + std::to_string(i) + " = Transpose (x, perm = (1, 0))\n";
  const Diagnostics found = Proven(SourceText("-", Header(21) + "g (float[2, 3] x) => (float[2, 3] y) {\n" + nodes +
                                                       "   y = Gelu <approximate = \"tanh> (x)\n}\n"));
  ASSERT_FALSE(found.items().empty());
  EXPECT_EQ(found.items().back().message, "the string is not closed");
  EXPECT_EQ(found.items().back().fix_its.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Attributes, Call,
    ::testing::Values(
        Case{"y = Gemm <transB = \"true\"> (x, w)", "y = Gemm <transB = 1> (x, w)"},
        Case{"y = ReduceMean <axis = 1> (x)", "axes_1 = Constant <value_ints = [1]> ()\n   y = ReduceMean (x, axes_1)"},
        Case{"y = ReduceMean <axis = 1, keepdims = 0> (x)",
             "axes_1 = Constant <value_ints = [1]> ()\n   y = ReduceMean <keepdims = 0> (x, axes_1)"},
        Case{"y = ReduceSum <dim = 1> (x)", "axes_1 = Constant <value_ints = [1]> ()\n   y = ReduceSum (x, axes_1)"},
        Case{"y = ReduceMean <axis = 1> (x)", "y = ReduceMean <axes = [1]> (x)", 17}));

// ---- data and strings

class Data : public ::testing::TestWithParam<Case> {};

TEST_P(Data, IsCorrectedInOneStep) {
  const auto text = [&](std::string_view data) {
    return Header(21) + "g (string[2] x) => (string[2] y) <string[2] w = " + std::string(data) +
           "> { y = StringConcat (x, w) }\n";
  };
  const auto [wrong, right, opset] = GetParam();
  ExpectCorrected(text(wrong), text(right == nullptr ? wrong : right));
}

INSTANTIATE_TEST_SUITE_P(
    Strings, Data,
    ::testing::Values(Case{"{r\"a\", r\"b\"}", "{\"a\", \"b\"}"}, Case{"{\"a\", u\"b\"}", "{\"a\", \"b\"}"},
                      Case{"{f'a', f'b'}", "{\"a\", \"b\"}"}, Case{"{b'a', b'b'}", "{\"a\", \"b\"}"},
                      Case{"['a','b']", "{\"a\",\"b\"}"}, Case{"('a', \"b\")", "{\"a\", \"b\"}"},
                      Case{"[r\"a\", r\"b\"]", "{\"a\", \"b\"}"}, Case{"{'a', 'b'}", "{\"a\", \"b\"}"},
                      Case{"{r\"a\\b\", \"c\"}", nullptr}, Case{"{f\"{x}\", \"c\"}", nullptr}));

class Words : public ::testing::TestWithParam<Case> {};

TEST_P(Words, AreCorrectedInOneStep) {
  const auto text = [&](std::string_view words) {
    return "<ir_version: 10, opset_import: [\"\" : 21, \"d\" : 1]>\ng (float[2] x) => (float[2] y) {\n   y = d.f "
           "<words = " +
           std::string(words) + ", n = 1> (x)\n}\n";
  };
  const auto [wrong, right, opset] = GetParam();
  ExpectCorrected(text(wrong), text(right == nullptr ? wrong : right));
}

INSTANTIATE_TEST_SUITE_P(Strings, Words,
                         ::testing::Values(Case{"\"a\" r\"b\"", nullptr}, Case{"r\"a\"", "\"a\""},
                                           Case{"[r\"a\", u8\"b\"]", "[\"a\", \"b\"]"},
                                           Case{"('a', 'b')", "[\"a\", \"b\"]"}, Case{"{r'a', 'b'}", "[\"a\", \"b\"]"},
                                           Case{"f\"{x}\"", nullptr}, Case{"r\"a\\d\"", nullptr}));

// ---- headers

TEST(Corrected, ImportsNoDomainNone) {
  for (const char* const word : {"None", "null", "nullptr"}) {
    const std::string rest = " : 21]>\ng (float[2] x) => (float[2] y) { y = Relu (x) }\n";
    const std::string before = "<ir_version: 10, opset_import: [";
    EXPECT_EQ(Fixed(before + word + rest), before + "\"\"" + rest);
  }
}

// A domain without quotes is the one of that name if it is known or if nodes use it, and the standard domain if nothing
// imports the latter.
TEST(Corrected, ImportsTheDomainThatNodesUse) {
  const auto text = [](const std::string& imports, const std::string& op) {
    return "<ir_version: 10, opset_import: [" + imports + "]>\ng (float[2] x) => (float[2] y) { y = " + op + " (x) }\n";
  };
  for (const char* const word : {"default", "onnx", "none"}) {
    ExpectCorrected(text(word + std::string(" : 21"), "Relu"), text("\"\" : 21", "Relu"));
  }
  EXPECT_EQ(Fixed(text("my : 1, \"\" : 21", "my.f")), text("\"my\" : 1, \"\" : 21", "my.f"));
  const std::string unused = text("my : 1, \"\" : 21", "Relu");
  EXPECT_EQ(Fixed(unused), unused);
  const std::string two = text("my : 1, onnx : 21", "Relu");
  EXPECT_THAT(Fixed(two), ::testing::Not(::testing::HasSubstr("\"my\"")));
}

std::string WithFunction(std::string_view head) {
  return "<ir_version: 10, opset_import: [\"\" : 21, \"l\" : 1]>\ng (float[2] x) => (float[2] y) { y = l.f (x) }\n"
         "<domain: \"l\", opset_import: [\"\" : 21]>\n" +
         std::string(head) + " => (y) { y = LeakyRelu <alpha: float = @alpha> (x) }\n";
}

TEST(Corrected, MovesAttributesOfFunctions) {
  ExpectCorrected(WithFunction("f (x, alpha = 0.5)"), WithFunction("f <alpha = 0.5> (x)"));
  ExpectCorrected(WithFunction("f (x, alpha: float = 0.5)"), WithFunction("f <alpha: float = 0.5> (x)"));
  ExpectCorrected(WithFunction("f <beta> (x, alpha = 0.5)"), WithFunction("f <beta, alpha = 0.5> (x)"));
  ExpectCorrected(WithFunction("f (alpha = 0.5, x)"), WithFunction("f <alpha = 0.5> (x)"));
  ExpectCorrected(WithFunction("f (x, alpha = 0.5, beta = [1, 2])"),
                  WithFunction("f <alpha = 0.5, beta = [1, 2]> (x)"));
}

// The inputs of a graph must not become attributes.
// A parameter with a type only, or with the name of a value, may be an input. A '>' in a comment closes no list.
TEST(Corrected, LeavesParametersThatMayBeInputs) {
  const std::string before = Header(21) +
                             "g (float[2] x) => (float[2] y) { y = Relu (x) }\n<domain: \"d\", opset_import: "
                             "[\"\" : 21]>\n";
  for (const std::string_view parameters :
       {"f (x, y: float, alpha = 0.5)", "f (x, bias = x)", "f # n >\n(x, alpha = 0.5)"}) {
    const std::string fixed = Fixed(before + std::string(parameters) + " => (z) { z = Relu (x) }\n");
    EXPECT_EQ(fixed.find("f <"), std::string::npos) << fixed;
    EXPECT_EQ(fixed.find("alpha = 0.5>"), std::string::npos) << fixed;
  }
}

TEST(Corrected, LeavesInputsOfAGraph) {
  const std::string wrong = Header(21) + "g (x, alpha = 0.5) => (float[2] y) { y = Relu (x) }\n";
  EXPECT_EQ(Fixed(wrong), wrong);
}

// The name of the operator and the attribute are two mistakes.
TEST(Corrected, CombinesBesideAnotherCorrection) {
  const auto text = [](const std::string& call) {
    return Header(21) + "g (float[1, 3, 8] x) => (float[1, 3, 7] y) { y = " + call + " }\n";
  };
  EXPECT_EQ(Fixed(text("MaxPool1d(x, kernel_size=2)")), text("MaxPool <kernel_shape=[2]> (x)"));
}

// Only the last call of a graph is its result.
TEST(Corrected, TakesTheLastCallForTheResult) {
  const auto text = [](const std::string& nodes) {
    return Header(21) + "g (float[2] x) => (float[2] y) {\n   " + nodes + "\n}\n";
  };
  ExpectCorrected(text("return Softmax <axis = 0> (x)"), text("y = Softmax <axis = 0> (x)"));
  const std::string early = text("return Relu (x)\n   y = Tanh (x)");
  EXPECT_EQ(Fixed(early), early);
}

// ---- second graphs

TEST(Corrected, MakesNoFunctionOfASecondGraph) {
  const std::string first = Header(21) + "g (float[2] x) => (float[2] y) { y = Relu (x) }\n";
  ExpectCorrected(first + "h (float[2] x) => (float[2] y) { y = Tanh (x) }\n",
                  first + "h (float[2] x) => (float[2] y) { y = Tanh (x) }\n");
  const std::string with_data = first + "h (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }\n";
  ExpectCorrected(with_data, with_data);
  const std::string third =
      first + "h (float[2] x) => (float[2] y) { y = Tanh (x) }\ni (float[2] x) => (float[2] y) { y = Tanh (x) }\n";
  EXPECT_EQ(Fixed(third), third);
}

// A graph that calls the second item needs it as a function, even if its inputs have types.
TEST(Corrected, MakesAFunctionOfWhatIsCalled) {
  const std::string wrong =
      Header(21) + "g (float[2] x) => (float[2] y) { y = h (x) }\nh (float[2] x) => (float[2] y) { y = Tanh (x) }\n";
  EXPECT_TRUE(testing::Ok(Judged(SourceText("-", Fixed(wrong))))) << Fixed(wrong);
}

TEST(Corrected, CallsNoFunctionAGraph) {
  const std::string item = " (float[2] x) => (float[2] y) { y = Tanh (x) }\n";
  const std::vector<std::string> errors =
      ErrorsOf(Header(21) + "g (float[2] x) => (float[2] y) { z = a (x) y = b (z) }\na" + item + "b" + item);
  EXPECT_TRUE(std::ranges::none_of(errors, [](const std::string& error) { return error.find("graph") != error.npos; }));
}

// ---- operators of other frameworks

TEST(Corrected, NamesTheOperatorsThatDoTheSame) {
  const auto message = [](const std::string& op, int opset = 21) {
    const std::vector<std::string> errors = ErrorsOf(
        Header(opset) + "g (float[2, 3, 4] x, float[2] w) => (int64 n) { y = " + op + " (x, w) n = Size (y) }\n");
    return errors.empty() ? "" : errors.front();
  };
  EXPECT_EQ(message("SiLU"),
            "no operator 'SiLU' exists in opset 21; 'Swish' does the same since opset 24; before, use Sigmoid and Mul");
  EXPECT_EQ(message("Swish"),
            "no operator 'Swish' exists in opset 21; it was added in version 24; before, use Sigmoid and Mul");
  EXPECT_EQ(message("Permute"), "no operator 'Permute' exists in opset 21; the operator is named 'Transpose'");
  EXPECT_EQ(message("Conv2d"), "no operator 'Conv2d' exists in opset 21; the operator is named 'Conv'");
  EXPECT_EQ(message("batch_matmul"), "no operator 'batch_matmul' exists in opset 21; the operator is named 'MatMul'");
  EXPECT_EQ(message("BatchNorm3d"),
            "no operator 'BatchNorm3d' exists in opset 21; 'BatchNormalization' does the same with different inputs");
  EXPECT_EQ(message("Dense"), "no operator 'Dense' exists in opset 21; 'Gemm' does the same with different inputs");
  EXPECT_EQ(message("rsqrt"), "no operator 'rsqrt' exists in opset 21; use Sqrt and Reciprocal");
}

}  // namespace
}  // namespace onnxc::testing
