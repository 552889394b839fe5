// One punctuation mark of a valid text is removed, doubled or replaced: `check --fix` restores the model, or reports an
// error without a correction. It never makes a different model.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "syntax/automaton.h"
#include "syntax/mended.h"
#include "syntax/scanner.h"
#include "testing/proto.h"
#include "testing/verdicts.h"

namespace onnxc::testing {

namespace {

using T = OnnxTextParser;

struct Mark {
  std::size_t begin;
  std::string text;
};

std::vector<Mark> MarksOf(const std::string& text) {
  std::vector<Mark> marks;
  syntax::Scanner scanner(text);
  for (syntax::SyntaxToken token;;) {
    scanner.Next(token);
    if (token.type == antlr4::Token::EOF) return marks;
    if (token.type >= T::LPAREN && token.type <= T::ARROW) marks.push_back({token.begin, std::string(token.text)});
  }
}

std::string Slipped(const std::string& text, const Mark& mark, int way) {
  static const std::map<std::string, std::string> kOthers = {{"(", "["}, {"[", "("}, {"{", "["}, {")", "]"},
                                                             {"]", ")"}, {"}", ")"}, {"<", "("}, {">", ")"},
                                                             {",", "."}, {"=", ":"}, {":", "="}, {"=>", "->"}};
  const std::string written = way == 0 ? "" : way == 1 ? mark.text + mark.text : kOthers.at(mark.text);
  return text.substr(0, mark.begin) + written + text.substr(mark.begin + mark.text.size());
}

TEST(Repair, MendsSlipsOfOneMark) {
  std::mt19937 random(20261);
  int slips = 0;
  int mended = 0;
  int several = 0;
  for (const std::string& text : RightTexts()) {
    const std::string right = BytesOf(text);
    const std::vector<Mark> marks = MarksOf(text);
    for (int i = 0; i < 12 && !marks.empty(); ++i) {
      const Mark& mark = marks[random() % marks.size()];
      const std::string wrong = Slipped(text, mark, static_cast<int>(random() % 3));
      SCOPED_TRACE(wrong);
      if (!BytesOf(wrong).empty()) continue;  // this text is valid, too
      ++slips;
      if (Errors(wrong) > 1) ++several;
      const std::string bytes = BytesOf(Fixed(wrong));
      if (bytes == right) ++mended;
      EXPECT_TRUE(bytes.empty() || bytes == right) << "another model:\n" << wrong << "\nis mended as\n" << Fixed(wrong);
    }
  }
  EXPECT_GE(slips, 90);
  EXPECT_GE(100 * mended, 97 * slips) << mended << " of " << slips;
  EXPECT_LE(100 * several, 4 * slips) << several << " of " << slips;
}

constexpr std::string_view kRight =
    R"(<ir_version: 9, opset_import: ["" : 18], producer_name: "p", producer_version: "1.0", model_version: 2,
  doc_string: "d", metadata_props: ["k": "v", "l": "w"]>
net (float[N, 3] x, float[3] b) => (float[N, 3] y, float[N, 3] z)
<float[3] w = {1, 2, 3}, float[N, 3] t>
{
  t = Add (x, w)
  u = LeakyRelu <alpha = 0.5> (t)
  v = Transpose <perm = [0, 1]> (u)
  y = Mul (v, b)
  z = Relu (y)
}
)";

using Written = std::pair<const char*, const char*>;  // a part of the text, and its replacement

void ExpectMended(std::string_view text, const Written& slip) {
  const std::string right(text);
  std::string wrong = right;
  const auto [there, written] = slip;
  const std::size_t at = wrong.find(there);
  ASSERT_NE(at, std::string::npos);
  wrong.replace(at, std::string_view(there).size(), written);
  EXPECT_EQ(Errors(wrong), 1u) << wrong;
  ASSERT_NE(BytesOf(right), "") << right;
  EXPECT_EQ(BytesOf(Fixed(wrong)), BytesOf(right)) << wrong << "\nis mended as\n" << Fixed(wrong);
}

class Slip : public ::testing::TestWithParam<Written> {};
TEST_P(Slip, IsMended) { ExpectMended(kRight, GetParam()); }

constexpr std::string_view kMembers = R"(<ir_version: 9, opset_import: ["" : 18]>
net (float[N] x) => (float[N] y, float[N] z, string[2] s, string[2] c)
<string[2] t = {"b", "b"}>
{
  y = Sum (x, x)
  z = Max (x, x, x)
  s = Identity (t)
  c = Constant <value_strings = ["a", "a"]> ()
}
)";

class SlipAmongMembers : public ::testing::TestWithParam<Written> {};
TEST_P(SlipAmongMembers, IsMended) { ExpectMended(kMembers, GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    OpeningBrackets, Slip,
    ::testing::Values(std::pair{"Add (x", "Add ((x"}, std::pair{"Add (x", "Add [x"}, std::pair{"Add (x", "Add x"},
                      std::pair{"<alpha", "<<alpha"}, std::pair{"<alpha", "(alpha"}, std::pair{"<alpha", "alpha"},
                      std::pair{"[0, 1]", "[[0, 1]"}, std::pair{"[0, 1]", "(0, 1]"}, std::pair{"[0, 1]", "0, 1]"},
                      std::pair{"{1, 2", "{{1, 2"}, std::pair{"{1, 2", "[1, 2"}, std::pair{"{1, 2", "1, 2"},
                      std::pair{"<ir", "<<ir"}, std::pair{"<ir", "(ir"}, std::pair{"<ir", "ir"},
                      std::pair{"net (", "net (("}, std::pair{"net (", "net ["}, std::pair{"net (", "net "},
                      std::pair{"<float[3] w", "<<float[3] w"}, std::pair{"<float[3] w", "(float[3] w"},
                      std::pair{"<float[3] w", "float[3] w"}, std::pair{"float[N, 3] x", "float[[N, 3] x"},
                      std::pair{"float[N, 3] x", "float(N, 3] x"}, std::pair{"float[N, 3] x", "float N, 3] x"},
                      std::pair{"=> (float", "=> ((float"}, std::pair{"=> (float", "=> [float"},
                      std::pair{"=> (float", "=> float"}, std::pair{"\n{\n", "\n{{\n"}, std::pair{"\n{\n", "\n[\n"},
                      std::pair{"\n{\n", "\n\n"}));

INSTANTIATE_TEST_SUITE_P(
    ClosingBrackets, Slip,
    ::testing::Values(std::pair{"x, w)", "x, w))"}, std::pair{"x, w)", "x, w]"}, std::pair{"x, w)", "x, w"},
                      std::pair{"0.5>", "0.5>>"}, std::pair{"0.5>", "0.5)"}, std::pair{"0.5>", "0.5"},
                      std::pair{"0, 1]", "0, 1]]"}, std::pair{"0, 1]", "0, 1)"}, std::pair{"0, 1]", "0, 1"},
                      std::pair{"3},", "3}},"}, std::pair{"3},", "3),"}, std::pair{"3},", "3,"},
                      std::pair{"\"w\"]>", "\"w\"]>>"}, std::pair{"\"w\"]>", "\"w\"])"}, std::pair{"\"w\"]>", "\"w\"]"},
                      std::pair{"18], ", "18, "}, std::pair{"18], ", "18), "}, std::pair{"18], ", "18]], "},
                      std::pair{"[\"\" : 18", "[[\"\" : 18"}, std::pair{"N, 3] x", "N, 3]] x"},
                      std::pair{"N, 3] x", "N, 3) x"}, std::pair{"N, 3] x", "N, 3 x"}, std::pair{"b) =>", "b)) =>"},
                      std::pair{"b) =>", "b] =>"}, std::pair{"b) =>", "b =>"}, std::pair{"t>\n", "t>>\n"},
                      std::pair{"t>\n", "t)\n"}, std::pair{"t>\n", "t\n"}));

INSTANTIATE_TEST_SUITE_P(Signs, Slip,
                         ::testing::Values(std::pair{"x, w", "x w"}, std::pair{"x, w", "x. w"},
                                           std::pair{"N, 3] x", "N. 3] x"}, std::pair{"t = Add", "t == Add"},
                                           std::pair{"t = Add", "t : Add"}, std::pair{"t = Add", "t Add"},
                                           std::pair{"=> (", "=>=> ("}, std::pair{"=> (", "-> ("},
                                           std::pair{"=> (", "("}, std::pair{"version: 9", "version:: 9"},
                                           std::pair{"version: 9", "version = 9"}, std::pair{"version: 9", "version 9"},
                                           std::pair{"x, w)", "x, + w)"}, std::pair{"t = Add", "t t = Add"},
                                           std::pair{"t = Add", "t = \\ Add"}));

INSTANTIATE_TEST_SUITE_P(
    Stray, Slip,
    ::testing::Values(std::pair{"Add (x", "Add < (x"}, std::pair{"Add (x", "Add = (x"}, std::pair{"Add (x", "Add , (x"},
                      std::pair{"x, w)", "x, [w)"}, std::pair{"t = Add", "t = {Add"}, std::pair{"t = Add", "t < = Add"},
                      std::pair{"t = Add", "(t = Add"}, std::pair{"alpha =", "alpha < ="}, std::pair{"0.5>", "= 0.5>"},
                      std::pair{"0.5>", "0.5> {"}, std::pair{"net (", "net : ("}, std::pair{"net (", "net = ("},
                      std::pair{"=> (", "=> < ("}, std::pair{"N, 3] x", "N, < 3] x"},
                      std::pair{"float[3] w", "float[3] : w"}, std::pair{"float[3] w", "float[3], w"},
                      std::pair{"{1, 2", "({1, 2"}, std::pair{"\n{\n", "\n= {\n"},
                      std::pair{"\"\" : 18", "\"\" < : 18"}, std::pair{"w)", "w),"}));

INSTANTIATE_TEST_SUITE_P(Twice, Slip,
                         ::testing::Values(std::pair{"alpha =", "alpha alpha ="}, std::pair{"Add (x", "Add Add (x"},
                                           std::pair{"net (", "net net ("},
                                           std::pair{"float[N, 3] x", "float[N, 3] x x"},
                                           std::pair{"float[3] w", "float float[3] w"}));

// Equal members of a list, between which a ',' is missing.
INSTANTIATE_TEST_SUITE_P(EqualMembers, SlipAmongMembers,
                         ::testing::Values(Written{"(x, x)", "(x x)"}, Written{"(x, x, x)", "(x, x x)"},
                                           Written{"[\"a\", \"a\"]", "[\"a\" \"a\"]"},
                                           Written{"{\"b\", \"b\"}", "{\"b\" \"b\"}"}));

INSTANTIATE_TEST_SUITE_P(OtherQuotes, SlipAmongMembers,
                         ::testing::Values(Written{"{\"b\", \"b\"}", "{'b', 'b'}"},
                                           Written{"{\"b\", \"b\"}", "{`b`, `b`}"},
                                           Written{"{\"b\", \"b\"}", "{\"b\", 'b'}"},
                                           Written{"[\"a\", \"a\"]", "['a', 'a']"}));

INSTANTIATE_TEST_SUITE_P(Quotes, Slip,
                         ::testing::Values(std::pair{"\"p\"", "p\""}, std::pair{"\"p\"", "\"p"},
                                           std::pair{"\"p\"", "'p\""}, std::pair{"\"p\"", "\"p'"},
                                           std::pair{"\"p\"", "\"\"p\""}, std::pair{"\"p\"", "\"p\"\""},
                                           std::pair{"\"w\"]", "w\"]"}, std::pair{"\"w\"]", "\"w]"}));

// A list of strings, of which the last but one is not closed, in several places.
class LongList : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(LongList, IsMendedWhereTheQuoteIsLost) {
  const auto [before, behind] = GetParam();
  for (const std::size_t count : {std::size_t{10}, std::size_t{100}, std::size_t{2000}}) {
    for (const char* gap : {" ", "\n  "}) {
      std::string right = before;
      std::size_t end = 0;
      for (std::size_t i = 0; i < count; ++i) {
        right += fmt::format("{}\"s{}\"", i == 0 ? "" : fmt::format(",{}", gap), i);
        if (i + 2 == count) end = right.size() - 1;
      }
      right += behind;
      std::string wrong = right;
      wrong.erase(end, 1);
      const Diagnostics found = Proven(SourceText("-", wrong));
      ASSERT_FALSE(found.ok()) << wrong;
      EXPECT_EQ(found.items().front().kind, DiagnosticKind::kUnclosedString) << count << " strings: " << before;
      EXPECT_EQ(found.items().front().range.end, end) << count << " strings: " << before;
      EXPECT_EQ(BytesOf(Fixed(wrong)), BytesOf(right)) << count << " strings: " << before;
    }
  }
}

constexpr const char* kNodeEnd = "]> (x)\n}\n";
INSTANTIATE_TEST_SUITE_P(
    Quotes, LongList,
    ::testing::Values(
        std::pair{
            "<ir_version: 9, opset_import: [\"\" : 18, \"d\" : 1]>\ng (float[1] x) => (float[1] y) {\n  y = d.F <a = [",
            kNodeEnd},
        std::pair{
            "<ir_version: 9, opset_import: [\"\" : 18, \"d\" : 1]>\ng (float[1] x) => (float[1] y) {\n  z = Abs (x)\n"
            "  y = d.F <b = 1, a: strings = [",
            kNodeEnd},
        std::pair{"<ir_version: 9, opset_import: [\"\" : 18, \"d\" : 1]>\ng (float[1] x) => (float[1] y) {\n  y = d.F "
                  "(x, x) <a = [",
                  "], b = 2>\n}\n"}));

TEST(Repair, MendsQuotesInManyLines) {
  std::string right = "<ir_version: 9, opset_import: [\"\" : 18, \"d\" : 1]>\ng (float[1] x) => (float[1] x) {\n";
  for (int i = 0; i < 90; ++i) right += fmt::format("  y{} = d.F <a = \"some text\", b = \"more\", c = 1> (x)\n", i);
  right += "}\n";
  std::string wrong = right;
  for (std::size_t at = 0; (at = wrong.find("text\"", at)) != std::string::npos;) wrong.erase(at + 4, 1);
  const Diagnostics found = Proven(SourceText("-", wrong));
  EXPECT_EQ(std::ranges::count(found.items(), DiagnosticKind::kUnclosedString, &Diagnostic::kind), 90);
  EXPECT_EQ(BytesOf(Fixed(wrong)), BytesOf(right));
}

INSTANTIATE_TEST_SUITE_P(SignsOfOtherLanguages, Slip,
                         ::testing::Values(std::pair{"version: 9", "version := 9"},
                                           std::pair{"version: 9", "version -> 9"},
                                           std::pair{"version: 9", "version => 9"}, std::pair{"t = Add", "t => Add"},
                                           std::pair{"t = Add", "t <- Add"}, std::pair{"alpha = 0.5", "alpha -> 0.5"},
                                           std::pair{"[\"\" : 18", "[\"\" ; 18"},
                                           std::pair{"\"l\": \"w\"", "\"l\"; \"w\""},
                                           std::pair{"\"v\", \"l\"", "\"v\"; \"l\""}));

// ---- texts that end too early, as while they are typed

TEST(Repair, TellsTheEndOfATextOnce) {
  for (std::size_t end = 1; end < kRight.size(); ++end) {
    const std::string text(kRight.substr(0, end));
    EXPECT_LE(Errors(text), 1u) << text;
  }
}

TEST(Repair, TellsTheEndOfATextAfterAnotherMistake) {
  EXPECT_EQ(Errors("<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[2] x) => (float[2] y) {\n"
                   "  t = Relu ?? foo bar baz (x)\n  u = Abs (x)\n  y = Neg (u)\n"),
            2u);
}

// ---- lines that are not finished

class Unfinished : public ::testing::TestWithParam<const char*> {};

// The parameter is the beginning of a line of the text.
TEST_P(Unfinished, IsToldOnce) {
  std::string wrong(kRight);
  const std::string_view line = GetParam()[0] == 'u'
                                    ? "u = LeakyRelu <alpha = 0.5> (t)"
                                    : "net (float[N, 3] x, float[3] b) => (float[N, 3] y, float[N, 3] z)";
  wrong.replace(wrong.find(line), line.size(), GetParam());
  EXPECT_EQ(Errors(wrong), 1u) << wrong;
}

INSTANTIATE_TEST_SUITE_P(Signatures, Unfinished,
                         ::testing::Values("net (", "net (float", "net (float[N, 3", "net (float[N, 3] x,",
                                           "net (float[N, 3] x, float[3] b) => (float[N, 3] y,"));

INSTANTIATE_TEST_SUITE_P(Nodes, Unfinished,
                         ::testing::Values("u =", "u = LeakyRelu", "u = ai.onnx.", "u = LeakyRelu <",
                                           "u = LeakyRelu <alpha", "u = LeakyRelu <alpha =",
                                           "u = LeakyRelu <alpha = 0.5", "u = LeakyRelu <alpha = 0.5> (",
                                           "u = LeakyRelu <alpha = 0.5> (t", "u = LeakyRelu <alpha = 0.5> (t,",
                                           "u = C <value = float {0", "u = u = LeakyRelu <alpha = 0.5> (t)"));

constexpr std::string_view kTypes = R"(<ir_version: 9, opset_import: ["" : 18]>
Sequence (seq(float[N]) s, float[4,16] x, int32[3] n, optional(int64[M]) o, int64 k, bool c) => (
  seq(float[N]) t, float[6] last, float[3] totals)
<int64[2] shape = {4, 16}, float[6] w = {0.5,1.5,2.5,-3.5,4.5,5.5}>
{
  e = Optional <type = seq(float[5])> ()
  total_in = Cast <to = 1> (n)
  t = SequenceInsert (s,
    w)
  u = Reshape (x, shape)
  a = Abs (u) b = Constant <value_int = 1> () r = Clip (w, , w)
  totals, last = Loop (k, c, total_in) <
    body = step (int64 i, bool go, float[3] sums)
      => (bool stay, float[3] sums_out, float f)
    {
      stay = Identity (go)
      sums_out = Identity (sums)
      f = Constant <value = float {1.5}> ()
    }
  >
}
)";

class SlipAmongTypes : public ::testing::TestWithParam<Written> {};
TEST_P(SlipAmongTypes, IsMended) { ExpectMended(kTypes, GetParam()); }

INSTANTIATE_TEST_SUITE_P(Types, SlipAmongTypes,
                         ::testing::Values(Written{"float[4,16] x", "flaot[4,16] x"},
                                           Written{"seq(float[5])", "seq(flat[5])"},
                                           Written{"float[3] sums)", "folat[3] sums)"},
                                           Written{"float[N]) s", "float[N] s"}, Written{"int64[M]) o", "int64[M] o"},
                                           Written{"float[N]) t", "float[N] t"}, Written{"[4,16]", "[4.16]"}));

INSTANTIATE_TEST_SUITE_P(InnerTypes, SlipAmongTypes,
                         ::testing::Values(Written{"seq(float[N]) s", "seq(tensor(float[N])) s"},
                                           Written{"seq(float[N]) s", "seq(Tensor<float[N]>) s"},
                                           Written{"optional(int64[M]) o", "optional(tensor(int64[M])) o"},
                                           Written{"seq(float[5])", "seq(tensor(float[5]))"}));

INSTANTIATE_TEST_SUITE_P(Lists, SlipAmongTypes,
                         ::testing::Values(Written{"(s,\n", "(s\n"}, Written{"(s,\n", "(s,,\n"},
                                           Written{"{4, 16}", "{4. 16}"}, Written{"0.5,1.5", "0.5.1.5"},
                                           Written{"0.5,1.5", "0.51.5"}, Written{"(k, c,", "(k, c,,"}));

INSTANTIATE_TEST_SUITE_P(Brackets, SlipAmongTypes,
                         ::testing::Values(Written{"1> () r", "1> ( r"}, Written{"Reshape (x", "Reshape ((x"},
                                           Written{"{1.5}", "{{1.5}"}, Written{"(u) b", "(u)) b"},
                                           Written{"shape)\n", "shape\n"}, Written{"float[5])>", "float[5])>>"}));

// Each dimension has a name that needs quotes: a dimension without quotes stays one dimension.
constexpr std::string_view kFormulas = R"text(<ir_version: 9, opset_import: ["" : 18]>
net (float["past + 1", "2*N", "batch-size"] x, float["past + 1", "2*N", "batch-size"] w)
  => (float["past + 1", "2*N", "batch-size"] y)
<float["floor(N / 2)", 2] t, float["3 - M", "3 * M"] u>
{
  y = Add (x, w)
}
)text";

class SlipAmongFormulas : public ::testing::TestWithParam<Written> {};
TEST_P(SlipAmongFormulas, IsMended) { ExpectMended(kFormulas, GetParam()); }

INSTANTIATE_TEST_SUITE_P(Names, SlipAmongFormulas,
                         ::testing::Values(Written{"\"2*N\"", "2*N"}, Written{"\"batch-size\"", "batch-size"},
                                           Written{"\"batch-size\"] x, float[\"past + 1\", \"2*N\", \"batch-size\"",
                                                   "batch-size] x, float[\"past + 1\", \"2*N\", batch-size"},
                                           Written{"\"2*N\", \"batch-size\"] x, float[\"past + 1\", \"2*N\"",
                                                   "2*N, \"batch-size\"] x, float[\"past + 1\", 2*N"}));

INSTANTIATE_TEST_SUITE_P(WithSpaces, SlipAmongFormulas,
                         ::testing::Values(Written{"\"past + 1\"", "past + 1"},
                                           Written{"\"floor(N / 2)\"", "floor(N / 2)"}, Written{"\"3 - M\"", "3 - M"},
                                           Written{"\"3 * M\"", "3 * M"},
                                           Written{"float[\"past + 1\", \"2*N\", \"batch-size\"] x, float[\"past + 1\"",
                                                   "float[past + 1, \"2*N\", \"batch-size\"] x, float[past + 1"}));

// The parameter replaces the node of y in a valid text. Parsing could continue with another punctuation mark than the
// one that was meant, so there must be no correction.
class Doubtful : public ::testing::TestWithParam<const char*> {};

TEST_P(Doubtful, IsLeftAlone) {
  std::string wrong(kRight);
  const std::string_view node = "y = Mul (v, b)";
  wrong.replace(wrong.find(node), node.size(), GetParam());
  EXPECT_GE(Errors(wrong), 1u) << wrong;
  EXPECT_EQ(BytesOf(Fixed(wrong)), "") << wrong << "\nbecomes\n" << Fixed(wrong);
}

INSTANTIATE_TEST_SUITE_P(Nodes, Doubtful,
                         ::testing::Values("y = Sum (v:, b)", "y = Sum (v=, b)", "y = Abs (v{)", "y .= Abs (v)",
                                           "y -= Neg (v)", "y *= Mul (v, b)", "y = Abs inplace (v)", "y = abs Abs (v)",
                                           "y = Sum (v, = b)", "y = Abs (v)\n, u2 = Dropout (v)",
                                           "y = Mul (v, b)\n c = Constant <value_ints = [*, 1]> ()", "y = Mul (",
                                           "y = Transpose <perm = [0, 1]> ("));

// ---- expressions

// Returns kRight with `node` in place of the node of y.
std::string WithNode(std::string_view node) {
  std::string text(kRight);
  const std::string_view there = "y = Mul (v, b)";
  return text.replace(text.find(there), there.size(), node);
}

void ExpectOnlyTold(const std::string& wrong, std::string_view message) {
  const Diagnostics found = Proven(SourceText("-", wrong));
  ASSERT_EQ(Errors(wrong), 1u) << RenderText(found, SourceText("-", wrong));
  EXPECT_EQ(found.items().front().message, message) << wrong;
  EXPECT_EQ(Fixed(wrong), wrong);
}

// An input, its sign, and the operators that compute it. A ',' in place of the sign would make the expression a list.
class Expression : public ::testing::TestWithParam<std::array<const char*, 3>> {};

TEST_P(Expression, IsNoListOfInputs) {
  const auto [input, sign, operators] = GetParam();
  const std::string message = fmt::format("expressions are not allowed; call {} in place of '{}'", operators, sign);
  ExpectOnlyTold(WithNode(fmt::format("y = Sum ({})", input)), message);
  ExpectOnlyTold(WithNode(fmt::format("y = Sum (v, {}, b)", input)), message);
}

using Sign = std::array<const char*, 3>;
INSTANTIATE_TEST_SUITE_P(
    Signs, Expression,
    ::testing::Values(Sign{"v + b", "+", "the operator Add"}, Sign{"v - b", "-", "the operator Sub"},
                      Sign{"v * b", "*", "the operator Mul"}, Sign{"v / b", "/", "the operator Div"},
                      Sign{"v @ b", "@", "the operator MatMul"}, Sign{"v % b", "%", "the operator Mod"},
                      Sign{"v & b", "&", "the operator And"}, Sign{"v | b", "|", "the operator Or"},
                      Sign{"v < b", "<", "the operator Less"}, Sign{"v > b", ">", "the operator Greater"},
                      Sign{"v ** b", "**", "the operator Pow"}, Sign{"v == b", "==", "the operator Equal"},
                      Sign{"v && b", "&&", "the operator And"}, Sign{"v || b", "||", "the operator Or"},
                      Sign{"v <= b", "<=", "the operator LessOrEqual"},
                      Sign{"v >= b", ">=", "the operator GreaterOrEqual"},
                      Sign{"v != b", "!=", "the operators Equal and Not"},
                      Sign{"v // b", "//", "the operators Div and Floor"},
                      Sign{"v ^ b", "^", "the operator Pow, Xor or BitwiseXor"}, Sign{"v*b", "*", "the operator Mul"},
                      Sign{"v>b", ">", "the operator Greater"}, Sign{"v-1", "-", "the operator Sub"},
                      Sign{"v * 2", "*", "the operator Mul"}, Sign{"-v", "-", "the operator Neg"},
                      Sign{"!v", "!", "the operator Not"}, Sign{"v\n   * b", "*", "the operator Mul"}));

TEST(Repair, TellsCommentsFromQuotients) {
  EXPECT_EQ(Fixed(WithNode("y = Mul (v // first\n  , b)")), WithNode("y = Mul (v # first\n  , b)"));
  EXPECT_EQ(Fixed(WithNode("y = Mul (v, // first, then\n  b)")), WithNode("y = Mul (v, # first, then\n  b)"));
}

TEST(Repair, ReplacesNoSignWithAMeaningByAComma) {
  for (const char* const sign : {"?", "~", "!", "$", "\\", "=>", ":"}) {
    const std::string wrong = WithNode(fmt::format("y = Sum (v {} b)", sign));
    EXPECT_EQ(Fixed(wrong), wrong);
  }
}

// A dimension, and what it becomes; "" if it is only told. The number of dimensions stays the same.
class DimensionExpression : public ::testing::TestWithParam<Written> {};

TEST_P(DimensionExpression, StaysOneDimension) {
  const auto [written, meant] = GetParam();
  const auto text = [](std::string_view dimension) {
    return fmt::format(
        "<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[{0}, 3] x, float[4, {0}] w) => (float[] y) "
        "{{ y = Relu (x) }}\n",
        dimension);
  };
  EXPECT_FALSE(Judged(SourceText("-", text(written))).ok()) << written;
  EXPECT_EQ(Fixed(text(written)), text(*meant == '\0' ? written : meant));
}

INSTANTIATE_TEST_SUITE_P(Signs, DimensionExpression,
                         ::testing::Values(Written{"N - 1", "\"N - 1\""}, Written{"N + 1", "\"N + 1\""},
                                           Written{"N * 2", "\"N * 2\""}, Written{"N / 2", "\"N / 2\""},
                                           Written{"2 * N", "\"2 * N\""}, Written{"N * M", "\"N * M\""},
                                           Written{"N ** 2", "\"N ** 2\""}, Written{"(N + 1) / 2", "\"(N + 1) / 2\""},
                                           Written{"N- 1", "\"N- 1\""}, Written{"N // 2", "\"N // 2\""},
                                           Written{"N/2", "\"N/2\""}, Written{"N-1", "\"N-1\""}, Written{"3 * 4", "12"},
                                           Written{"3*4", "12"}, Written{"3 * 4 * 5", ""}, Written{"2 - 5", ""},
                                           Written{"N -1", ""}, Written{"N & M", ""}, Written{"N > M", ""},
                                           Written{"N @ M", ""}));

TEST(Repair, QuotesAllExpressionsOfAShape) {
  const std::string begin = "<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[";
  const std::string end = "] x) => (float[] y) { y = Relu (x) }\n";
  EXPECT_EQ(Fixed(begin + "N + 1, 4, 2*N, M" + end), begin + "\"N + 1\", 4, \"2*N\", M" + end);
}

// `[batch size]` may be one name without quotes, and `?1` one dimension.
TEST(Repair, DividesNoDimension) {
  const std::string before = "<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[";
  const std::string behind = ", 4] x) => (float[?, 4] y) { y = Neg (x) }\n";
  ExpectOnlyTold(before + "batch size" + behind, "missing ',' before 'size'");
  ExpectOnlyTold(before + "?1" + behind, "missing ',' before the number 1");
  EXPECT_EQ(Fixed(before + "2 3" + behind), before + "2, 3" + behind);
  EXPECT_EQ(Fixed(before + "\"N\" \"M\"" + behind), before + "\"N\", \"M\"" + behind);
}

// ---- diffs

TEST(Repair, KeepsNoRemovedLineOfADiff) {
  const auto with_lines = [](const std::string& lines) {
    return "<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[2] x) => (float[2] y) {\n   a = Relu (x)\n" + lines +
           "   y = Neg (a)\n}\n";
  };
  const std::string removed = with_lines("-  b = Tanh (a)\n");
  ExpectOnlyTold(removed, "this line has the '-' of a diff; remove the line, or only the sign");
  ExpectOnlyTold(with_lines("-b = Tanh (a)\n"), "this line has the '-' of a diff; remove the line, or only the sign");
  EXPECT_EQ(Fixed(with_lines("+  b = Tanh (a)\n")), with_lines("  b = Tanh (a)\n"));
  EXPECT_EQ(Fixed(with_lines("-  b = Tanh (a)\n+  b = Cos (a)\n")), with_lines("-  b = Tanh (a)\n  b = Cos (a)\n"));
}

// ---- subscripts

TEST(Repair, TellsOfSubscripts) {
  const std::string message = "subscripts are not allowed; use Gather or Slice to select a part of a value";
  for (const char* const node : {"y = Abs (v)[0]", "y = Abs (v)[0:1]", "y = Abs (v[0])", "y = Mul (v[0], b)",
                                 "y = Mul (v, b[0:1])", "y = Mul (v, b[i])"}) {
    ExpectOnlyTold(WithNode(node), message);
  }
}

// ---- corrections that do not result in a valid text

TEST(Repair, TellsOfACallWithoutBracketsAmongInputs) {
  for (const char* const node : {"y = Mul (v, Neg b)", "y = Mul (Neg v, b)"}) {
    ExpectOnlyTold(WithNode(node),
                   "calls cannot be nested: write each call as a node of its own, whose output has a name");
  }
}

TEST(Repair, QuotesNoWordBeforeAnotherMistake) {
  for (const char* const node : {"y = Mul <mode = word 0> (v, b)", "y = Concat (axis = 0, inputs = [v, b])"}) {
    EXPECT_EQ(Fixed(WithNode(node)), WithNode(node));
  }
}

// With a ',' between both names, the node would have more inputs than its operator accepts.
TEST(Repair, InsertsNoCommaThatMovesOtherInputs) {
  const std::string wrong =
      "<ir_version: 9, opset_import: [\"\" : 18]>\ng (float[2] x, float m) => (float[2] y) { y = Clip (x x, \"\", m) "
      "}\n";
  ExpectOnlyTold(wrong, "missing ',' before 'x'");
}

// ---- the automaton

TEST(Automaton, ReadsWhatTheParserReads) {
  for (const std::string& text : RightTexts()) {
    syntax::Walk walk;
    syntax::Walk::Place place = walk.BeginOf(T::RuleItemsFile);
    syntax::Scanner scanner(text);
    for (syntax::SyntaxToken token;;) {
      scanner.Next(token);
      ASSERT_NE(walk.Expected(place) & syntax::Bit(token.type), 0u) << token.text << " in\n" << text;
      ASSERT_TRUE(walk.Step(&place, token.type)) << token.text << " in\n" << text;
      if (token.type == antlr4::Token::EOF) break;
    }
  }
}

TEST(Automaton, KnowsWhatMayFollow) {
  syntax::Walk walk;
  syntax::Walk::Place place = walk.BeginOf(T::RuleNodesRest);
  for (const std::size_t type : {T::ID, T::EQUALS, T::ID}) ASSERT_TRUE(walk.Step(&place, type));
  EXPECT_EQ(walk.Expected(place),
            syntax::Bit(T::DOT) | syntax::Bit(T::COLON) | syntax::Bit(T::LESS) | syntax::Bit(T::LPAREN));
  EXPECT_FALSE(walk.Step(&place, T::LBRACKET));
  const syntax::Automaton& automaton = syntax::Automaton::OfGrammar();
  EXPECT_EQ(automaton.Behind(T::RuleEntry), syntax::Bit(T::COMMA) | syntax::Bit(T::GREATER));
  EXPECT_NE(automaton.Behind(T::RuleNode) & syntax::Bit(antlr4::Token::EOF), 0u);
}

}  // namespace

}  // namespace onnxc::testing
