// Mistakes in nodes and types, each in several layouts, and the rows of tables/mistakes.def. What `onnxc check` tells
// about them, and what `check --fix` makes of them, is recorded in testdata/planted. ONNXC_BLESS=1 rewrites the
// records.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/mended.h"
#include "syntax/mistake_samples.h"
#include "syntax/recorded.h"
#include "testing/golden.h"

namespace onnxc::testing::snippets_test {
namespace {

// Texts with a place `%` for nodes that compute `y` from the values x, w, b (floats), n (an integer) and c (a bool).
constexpr const char* kAroundNodes[] = {
    "{\n  %\n  z = Neg (y)\n}",
    "{ a = Neg (x) % z = Neg (a) }",
    "{\n%\n}",
    "{\n\t# why\n\t% # because (of x)\n}",
    "{\r\n  %\r\n  z = Neg (x)\r\n}",
    "{\n  z = If (c) <\n    then_branch = yes () => (float[2, 3] t) {\n      %\n      t = Neg (x)\n    },\n    "
    "else_branch = no () "
    "=> (float[2, 3] e) { e = Neg (x) }\n  >\n}",
};

constexpr const char* kNodes[] = {
    // literals as inputs
    "y = Add (x, 1.0)",
    "y = Add (1, x)",
    "y = Add (x, [1.0, 2.0, 3.0])",
    "y = Add (x, float {2})",
    "y = Add (x, float[3] {1, 2, 3})",
    "y = Clip (x, 0.0, 6.0)",
    "y = Clip (x, , 6)",
    "y = Reshape (x, [3, 2])",
    "y = Reshape (x, {3, 2})",
    "y = Gather (x, 0)",
    "y = Pad (x, [0, 1, 0, 1], 0.5)",
    "y = Slice (x, [0], [1], [1])",
    "y = Add (x,\n    1.0)",
    "y = Add (x, -1)",
    "y = Add (x, inf)",
    "y = Add (x, \"one\")",
    "y = Add (x, [])",
    "y = Add (x, [a, b])",
    "y = Add (x, 1e3)",
    "y = Equal (n, 3)",
    "y = Where (c, 1.0, x)",
    "y = Foo (x, 1.0)",
    // calls as inputs
    "y = Relu (Neg (x))",
    "y = Add (Neg (x), Abs (w))",
    "y = Relu (Neg (Abs (x)))",
    "y = Add (x, Mul (w, w))",
    "y = Relu (Neg (x)",
    "y = Relu (Softmax <axis = 1> (x))",
    "y = Relu (my.Op (x))",
    "y = Relu (Neg x)",
    "y = Relu (\n    Neg (x)\n  )",
    // inputs and attributes with names
    "y = Gemm (A = x, B = w)",
    "y = Gemm (B = w, A = x)",
    "y = Gemm (A = 1, B = w)",
    "y = Gemm (A = Neg (x), B = w)",
    "y = Clip (x, min = 0.0)",
    "y = Gemm (A = x, B = w",
    "y = Gemm (x, B = w, transB = 1)",
    "y = Gemm (A: x, B: w)",
    "y = Clip (x, max = b)",
    "y = Clip (input = x, max = b)",
    "y = Concat (inputs = [x, w], axis = 0)",
    "y = Concat ([x, w], axis = 0)",
    "y = Gemm (transB = 1, x, w)",
    "y = Softmax (x, axis = -1)",
    "y = Softmax (x, -1)",
    "y = Softmax (x, axis: 1)",
    "y = Softmax (x, \"axis\" = 1)",
    "y = Softmax <axis: 1> (x)",
    "y = Softmax {axis = 1} (x)",
    "y = Softmax [axis = 1] (x)",
    "y = Softmax (axis = 1) (x)",
    "y = Softmax axis = 1 (x)",
    "y = Softmax (x) <axis = 1>",
    "y = Softmax (x) {axis = 1}",
    "y = Softmax (x) axis = 1",
    "y = Softmax <axis = 1, > (x)",
    "y = Softmax <axis> (x)",
    "y = Softmax <axis = > (x)",
    "y = Softmax <1> (x)",
    "y = Softmax <axis = 1 (x)",
    "y = Softmax axis = 1> (x)",
    "y = Transpose <perm = (1, 0)> (x)",
    "y = Transpose <perm = {1, 0}> (x)",
    "y = Transpose <perm = 1, 0> (x)",
    "y = Transpose <perm = [1 0]> (x)",
    "y = Transpose <perm = [1; 0]> (x)",
    "y = Cast <to = FLOAT> (x)",
    "y = Cast <to = float> (x)",
    "y = Gelu <approximate = tanh> (x)",
    "y = Gelu <approximate = 'tanh'> (x)",
    "y = Gelu <approximate = `tanh> (x)",
    "y = Gelu <approximate = \"tanh> (x)",
    "y = Gemm <transB = True> (x, w)",
    // lists of strings of other languages
    "y = d.F <s = ['a', 'b']> (x)",
    "y = d.F <s = ['a', \"b\"], n = 1> (x)",
    "y = d.F <s = ('a', 'b')> (x)",
    "y = d.F <s = {'a', r'b'}> (x)",
    "y = d.F <s = ['a', 'b> (x)",
    "y = d.F <s = ['a', 'b, n = 1> (x)",
    "y = d.F <s = {r'a', \u201Cb> (x)",
    "y = d.F <s = ('a', `b)> (x)",
    "y = d.F <s = ['a', # 'c'\n 'b']> (x)",
    "y = d.F <s = [r'a', 'b\\c']> (x)",
    "y = d.F <s = ['a', ['b']], t = 'c'> (x)",
    "y = d.F <s = [\"a\", 'it's']> (x)",
    "y = d.F <s = ['a \"b\"', 'c']> (x)",
    "y = d.F <s = [b'a', b\"b\"]> (x)",
    "y = d.F <s = [f'{a}', 'b']> (x)",
    // expressions
    "y = x + w",
    "y = Relu (x + w)",
    "y = Relu (-x)",
    "y = x",
    "y = 1.0",
    "y = [1, 2]",
    "y = Relu (x) + w",
    "y = (x)",
    "y = x[0]",
    "y = Relu (x)[0]",
    "y = Relu (x[0])",
    "y += Neg (x)",
    "y := Neg (x)",
    "y == Neg (x)",
    "y <- Neg (x)",
    "y -> Neg (x)",
    "y = -> Neg (x)",
    "y = Neg -> (x)",
    // outputs and keywords
    "y, = Neg (x)",
    "(y) = Neg (x)",
    "[y, v] = Split (x)",
    "y v = Split <num_outputs = 2> (x)",
    "float[2, 3] y = Neg (x)",
    "y: float[2, 3] = Neg (x)",
    "let y = Neg (x)",
    "y = new Neg (x)",
    "Neg (x) = y",
    "Neg (x)",
    "y = Neg x",
    "y = Neg",
    "y = Neg (x);",
    "y = Neg (x),",
    "return y",
    "return Neg (x)",
    "y = Neg (x) return y",
    "y = Neg (x))",
    "y = Neg ((x)",
    "y = Neg [x]",
    "y = Neg {x}",
    "y = Neg <x>",
    "y = Neg (x}",
    "y = ai.onnx.Neg (x)",
    "y = onnx::Neg (x)",
    "y = Neg::Neg (x)",
    "y = .Neg (x)",
    "y = d. (x)",
    "my. = Neg (x)",
    "y = Neg (x,)",
    "y = Neg (,x)",
    "y = Add (x,, w)",
    "y = Add (x w)",
    "y = Add (x; w)",
    "y = Add (x. w)",
    "y = Add (x | w)",
    "y = Neg (%x)",
    "y = Neg ($x)",
    "y = Neg (@x)",
    "%y = Neg (%x)",
    "y = Neg (x) // was (Abs (x))",
    "y = // Neg (x)",
    "y // = Neg (x)",
    "y = Neg (// x)",
    "y = Neg (x // )",
    "y = Neg ( /* x */ x)",
    "y = /* Neg */ Neg (x)",
    "/* y = Abs (x) */ y = Neg (x)",
    "y = Neg (x) /* a\n b */",
    "y = Neg (x -- first)",
    "; y = Neg (x)",
    "y = Neg (x) ; then",
    "y ; = Neg (x)",
};

constexpr const char* kTypes[] = {
    "float[2\u00D73]",
    "float[2 \u00D7 3]",
    "float[ 2 \u00D7  N ]",
    "float[N\u00D73, 4]",
    "float[2 x 3]",
    "float[2*3]",
    "float[2, N+1]",
    "float[N - 1, 3]",
    "float[-1, 3]",
    "float[None, 3]",
    "float[2, 3",
    "float 2, 3]",
    "float(2, 3)",
    "float<2, 3>",
    "float{2, 3}",
    "float[(2, 3)]",
    "float[[2, 3]]",
    "float[2][3]",
    "float[2 3]",
    "float[2; 3]",
    "float[2.3]",
    "float[\"N\" 3]",
    "float[N M]",
    "float[batch size, 3]",
    "float[batch-size, 3]",
    "float[N:3]",
    "float[N=3]",
    "float[...]",
    "float[*]",
    "float[2, 3,]",
    "float[, 3]",
    "float[2,, 3]",
    "float[?3]",
    "float[3?]",
    "flaot[2, 3]",
    "Float[2, 3]",
    "float32[2, 3]",
    "half[2, 3]",
    "double float[2]",
    "tensor(float)",
    "tensor(float[2, 3])",
    "tensor<2x3xf32>",
    "Tensor<float, [2, 3]>",
    "seq(float[2]",
    "seq float[2]",
    "seq[float[2]]",
    "seq<float[2]>",
    "list(float[2])",
    "optional(seq(float[2])",
    "map(string float)",
    "map(string: float)",
    "map<string, float>",
    "map(float[2])",
    "sparse_tensor[float[2]]",
    "sparse_tensor(float[2]",
    "float[2, 3]:",
    "float[2, 3] :",
    ": float[2, 3]",
};

// Parts of a graph: `%` is its header, `&` its signature, and `$` its nodes, if they are right.
constexpr const char* kItems[] = {
    // headers
    "ir_version: 10, opset_import: [\"\": 21]\n&$",
    "ir_version: 10\nopset_import: [\"\": 21]\n&$",
    "{ir_version: 10, opset_import: [\"\": 21]}\n&$",
    "(ir_version: 10, opset_import: [\"\": 21])\n&$",
    "<ir_version = 10, opset_import = [\"\": 21]>\n&$",
    "<ir_version: 10 opset_import: [\"\": 21]>\n&$",
    "<ir_version: 10; opset_import: [\"\": 21]>\n&$",
    "<ir_version: 10, opset_import: {\"\": 21}>\n&$",
    "<ir_version: 10, opset_import: (\"\": 21)>\n&$",
    "<ir_version: 10, opset_import: \"\": 21>\n&$",
    "<ir_version: 10, opset_import: 21>\n&$",
    "<ir_version: 10, opset_import: [21]>\n&$",
    "<ir_version: 10, opset_import: [\"\" 21]>\n&$",
    "<ir_version: 10, opset_import: [\"\" = 21]>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21]\n&$",
    "<ir_version: 10, opset_import: [default: 21]>\n&$",
    "<ir_version: 10, opset_import: ['': 21]>\n&$",
    "<ir_version: 10, opset_imports: [\"\": 21]>\n&$",
    "<ir-version: 10, opset_import: [\"\": 21]>\n&$",
    "<\"ir_version\": 10, opset_import: [\"\": 21]>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21], producer_name: me>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21], producer_name: my tool>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21], producer_version: 2.1.0>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21], doc_string: 'a'>\n&$",
    "<ir_version: 10, opset_import: [\"\": 21],>\n&$",
    "<, ir_version: 10, opset_import: [\"\": 21]>\n&$",
    "<ir_version:: 10, opset_import: [\"\": 21]>\n&$",
    "opset 21\n&$",
    "import onnx\n%&$",
    "model {\n%&$}",
    "%%&$",
    // signatures
    "%g float[2] x => float[2] y $",
    "%g (float[2] x) float[2] y $",
    "%g (float[2] x) (float[2] y) $",
    "%g (float[2] x) -> (float[2] y) $",
    "%g (float[2] x) --> (float[2] y) $",
    "%g (float[2] x): (float[2] y) $",
    "%g (float[2] x) = (float[2] y) $",
    "%g (float[2] x) == (float[2] y) $",
    "%g (float[2] x) => float[2] y $",
    "%g [float[2] x] => [float[2] y] $",
    "%g {float[2] x} => {float[2] y} $",
    "%g <float[2] x> => <float[2] y> $",
    "%g (x: float[2]) => (y: float[2]) $",
    "%g (x float[2]) => (y float[2]) $",
    "%g (float[2] x, ) => (float[2] y) $",
    "%g (float[2] x => (float[2] y) $",
    "%g float[2] x) => (float[2] y) $",
    "%(float[2] x) => (float[2] y) $",
    "%graph g (float[2] x) => (float[2] y) $",
    "%def g (float[2] x) => (float[2] y) $",
    "%my-net (float[2] x) => (float[2] y) $",
    "%my.net (float[2] x) => (float[2] y) $",
    "%12 (float[2] x) => (float[2] y) $",
    "%g (float[2] x; float w) => (float[2] y) $",
    "%g (float[2] x float w) => (float[2] y) $",
    "%g (float[2] x, w) => (float[2] y) $",
    "%g (float[2], x) => (float[2] y) $",
    "%g (x) => (float[2] y) $",
    "%g (%x: float[2]) => (float[2] y) $",
    "%g (float[2] x) => (float[2] y)",
    "%g (float[2] x) $",
    "%g (float[2] x) => $",
    "%g $",
    "%g",
    // initializers and types of values
    "%&float[2] w = {1, 2} $",
    "%&float[2] w = {1, 2}, float k $",
    "%&(float[2] w = {1, 2}) $",
    "%&[float[2] w = {1, 2}] $",
    "%&{float[2] w = {1, 2}} $",
    "%&<float[2] w = [1, 2]> $",
    "%&<float[2] w = (1, 2)> $",
    "%&<float[2] w = 1, 2> $",
    "%&<float[2] w = {1 2}> $",
    "%&<float[2] w = {1; 2}> $",
    "%&<float[2] w {1, 2}> $",
    "%&<float[2] w: {1, 2}> $",
    "%&<float[2, 2] w = {{1, 2}, {3, 4}}> $",
    "%&<float[2, 2] w = [[1, 2], [3, 4]]> $",
    "%&<float[2] w = {1, 2} float k> $",
    "%&<float[2] w = {1, 2},\n float k,> $",
    "%&<w = {1, 2}> $",
    "%&<w = float[2] {1, 2}> $",
    "%&<float w = 1> $",
    "%&<float[2] w = {1, 2}\n $",
    "%&<string[2] w = {a, b}> $",
    "%&<string[2] w = {'a', 'b'}> $",
    "%&<string[2] w = ['a', \"b\"]> $",
    "%&<bool[2] w = {True, False}> $",
    "%&<float[2] w = {1.0f, 2}> $",
    "%&<float[2] w = {1_000, 0x10}> $",
    "%&<float[2] w = {1., .5}> $",
    "%&<float[2] w = {1 e-3, 2}> $",
    "%&<float[2] w = {1,, 2}> $",
    "%&<float[2] w = {, 1, 2}> $",
    "%&<float[2] w = {1, 2}}> $",
    "%&<float[2] w = {nan, -inf, NaN}> $",
    // nodes and ends
    "%&(y = Neg (x))",
    "%&[y = Neg (x)]",
    "%&y = Neg (x)",
    "%&:\n  y = Neg (x)\n",
    "%&{ y = Neg (x) ",
    "%&{ y = Neg (x) }}",
    "%&{ y = Neg (x) };",
    "%&{ y = Neg (x); }",
    "%&{{ y = Neg (x) }}",
    "%&{ , }",
    "%&$ $",
    "%&$ x",
    "%&$ }",
    "%&$ )",
    "%&$ // the end",
    "%&$ /* the end",
    "```\n%&$\n```",
    "```onnx\n%&$```",
    "%&$\n&$",
    "%&$\nh (x) => (y) $",
    "%&$\nh (float[2] x) => (float[2] y) $",
    // functions
    "%&$\n<domain: \"d\">\nf (x) => (y) $",
    "%&$\n<domain: d, opset_import: [\"\": 21]>\nf (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nd.f (x) => (y) $",
    "%&$\n<opset_import: [\"\": 21]>\nd.f (x) => (y) $",
    "%&$\nd.f (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf (x, k = 1) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf [k] (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf (k) (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf <k: int> (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf <k: int 1> (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf <int k = 1> (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf <k = 1 l = 2> (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf <k: flot = 1> (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nfunction f (x) => (y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf (float x) => (float y) $",
    "%&$\n<domain: \"d\", opset_import: [\"\": 21]>\nf x => y $",
};

std::string WithItem(std::string_view item) {
  std::string text;
  for (const char c : item) {
    if (c == '%') text += "<ir_version: 10, opset_import: [\"\": 21]>\n";
    if (c == '&') text += "g (float[2] x) => (float[2] y) ";
    if (c == '$') text += "{ y = Neg (x) }";
    if (c != '%' && c != '&' && c != '$') text += c;
  }
  return text;
}

std::string WithNode(std::string_view around, std::string_view node) {
  std::string body(around);
  body.replace(body.find('%'), 1, node);
  return "<ir_version: 10, opset_import: [\"\": 21, \"d\": 1, \"my\": 1]>\ng (float[2, 3] x, float[2, 3] w, float b, "
         "int64 n, bool "
         "c) => (float[2, 3] z) " +
         body + "\n";
}

std::string WithType(int place, std::string_view type) {
  const auto at = [&](int wanted, std::string_view right) { return place == wanted ? type : right; };
  return fmt::format(
      "<ir_version: 10, opset_import: [\"\": 21]>\ng ({} x, float w) => (\n  {} y) <{} v> {{\n  y = Neg (x)\n  v = "
      "Optional <type = {}> "
      "()\n}}\n",
      at(0, "float[2, 3]"), at(1, "float[2, 3]"), at(2, "optional(float)"), at(3, "float"));
}

/// Returns what is told about the text, and what --fix makes of the lines that it changes.
std::string Recorded(std::string_view name, const std::string& text) {
  const SourceText source("-", text);
  const Diagnostics found = Proven(source);
  std::string shown = fmt::format("{}:", Escaped(name));
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity == Severity::kError) shown += Shown(finding, source);
  }
  if (found.ok()) return shown + " valid\n";
  const std::string fixed = Fixed(text);
  if (fixed == text) return shown + " left\n";
  const std::size_t begin = static_cast<std::size_t>(std::ranges::mismatch(text, fixed).in1 - text.begin());
  std::size_t same = 0;
  while (same < std::min(text.size(), fixed.size()) - begin &&
         text[text.size() - 1 - same] == fixed[fixed.size() - 1 - same])
    ++same;
  const std::string_view part = std::string_view(fixed).substr(begin, fixed.size() - same - begin);
  return shown + fmt::format(" {} \"{}\"\n", BytesOf(fixed).empty() ? "partly" : "mended", Escaped(part));
}

void ExpectRecord(std::string_view name, const std::string& record) {
  ExpectGolden(std::filesystem::path(kTestdata) / "planted" / fmt::format("{}.txt", name), record);
}

class Nodes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Nodes, AreToldAsRecorded) {
  std::string record;
  for (const char* const node : kNodes) record += Recorded(node, WithNode(kAroundNodes[GetParam()], node));
  ExpectRecord(fmt::format("nodes{}", GetParam()), record);
}

INSTANTIATE_TEST_SUITE_P(Case, Nodes, ::testing::Range(std::size_t{0}, std::size(kAroundNodes)));

TEST(Case, TypesAreToldAsRecorded) {
  std::string record;
  for (const char* const type : kTypes) {
    for (int place = 0; place < 4; ++place)
      record += Recorded(fmt::format("{}, {}", type, place), WithType(place, type));
  }
  ExpectRecord("types", record);
}

TEST(Case, ItemsAreToldAsRecorded) {
  std::string record;
  for (const char* const item : kItems) record += Recorded(item, WithItem(item));
  ExpectRecord("items", record);
}

// A mistake in the first item hides none in the next one.
TEST(Case, ItemsBeforeAnotherMistakeAreToldAsRecorded) {
  std::string record;
  for (const char* const item : kItems) {
    record +=
        Recorded(item, WithItem(item) + "\n<domain: \"e\", opset_import: [\"\": 21]>\nq (x) => (y) { y = Neg [x] }\n");
  }
  ExpectRecord("items_before_another_mistake", record);
}

TEST(Case, RowsAreToldAsRecorded) {
  std::string record;
  for (const Mistake& row : syntax::Mistakes()) {
    const auto [before, behind] = Around(row.place);
    const std::string wrong = Filled(row, row.wrong);
    record += Recorded(wrong, before + wrong + behind);
  }
  ExpectRecord("rows", record);
}

// While a mistake is typed, corrections leave no new mistake: a second run finds nothing more to correct.
TEST(Snippets, PrefixesOfMistakesAreCorrectedAtOnce) {
  for (const Mistake& row : syntax::Mistakes()) {
    const auto [before, behind] = Around(row.place);
    const std::string wrong = Filled(row, row.wrong);
    for (std::size_t size = 1; size < wrong.size(); size += 2) {
      const std::string text = before + wrong.substr(0, size) + behind;
      const std::string fixed = Fixed(text);
      EXPECT_LE(Errors(fixed), Errors(text)) << text << "becomes\n" << fixed;
    }
  }
}

}  // namespace
}  // namespace onnxc::testing::snippets_test
