#include <gtest/gtest.h>
#include <onnxc/graphviz.h>

#include <cstdio>
#include <cstdlib>
#include <regex>

#include "testing/proto.h"
#include "testing/random_message.h"

namespace onnxc::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string DrawText(const std::string& text) { return DrawDot(ParseText<onnx::GraphProto>(text)); }

/// The id of the node whose label contains this text.
std::string IdOf(const std::string& label, const std::string& dot) {
  const std::size_t at = dot.find(label);
  const std::size_t line = dot.rfind('\n', at) + 1;
  const std::size_t begin = dot.find_first_not_of(' ', line);
  return at == std::string::npos ? "none" : dot.substr(begin, dot.find(' ', begin) - begin);
}

/// The label of the line between two nodes, if there is a line.
bool AreConnected(const std::string& from, const std::string& to, const std::string& dot,
                  const std::string& label = {}) {
  const std::size_t at = dot.find("  " + IdOf(from, dot) + " -> " + IdOf(to, dot) + " [");
  if (at == std::string::npos) return false;
  return dot.substr(at, dot.find('\n', at) - at).find(label) != std::string::npos;
}

TEST(DrawDot, DrawsNodesAndValues) {
  const std::string dot =
      DrawText("g (float[N] x) => (float[M] y) <float[2] h> { h = Relu (x) y = f.Foo <k = 3> (h, h) }");
  EXPECT_TRUE(AreConnected("<x>", "<B>Relu</B>", dot, "float[N]")) << dot;
  EXPECT_TRUE(AreConnected("<B>Relu</B>", "<B>f.Foo</B>", dot, "float[2]")) << dot;
  EXPECT_TRUE(AreConnected("<B>f.Foo</B>", "<y>", dot, "float[M]")) << dot;
  EXPECT_THAT(dot, HasSubstr("k = 3"));
}

TEST(DrawDot, WeightsStandInTheirReaders) {
  const std::string dot = DrawText("g (x) => (y, w) <float[9, 9] w = [\"location\": \"f\"]> { y = Add (x, w) }");
  EXPECT_THAT(dot, HasSubstr("w : float[9, 9]"));
  EXPECT_TRUE(AreConnected("<w<BR/>float[9, 9]>", "label=<w>", dot)) << dot;  // an output needs a line to it
}

TEST(DrawDot, SubgraphsAreFramesThatSeeTheGraphAround) {
  const std::string dot = DrawText(
      "g (c, x) => (y) { y = If (c) <then_branch = t () => (p) { p = Neg (x) }, else_branch = e () => (q) {}> }");
  EXPECT_THAT(dot, AllOf(HasSubstr("subgraph cluster_0 {"), HasSubstr("label=<then_branch <I>t</I>>")));
  EXPECT_TRUE(AreConnected("<x>", "<B>Neg</B>", dot)) << dot;
  EXPECT_TRUE(AreConnected("<B>If</B>", "<B>Neg</B>", dot, "lhead=cluster_0")) << dot;
  EXPECT_TRUE(AreConnected("<B>If</B>", "<q>", dot, "lhead=cluster_1")) << dot;
}

TEST(DrawDot, FunctionsAreFrames) {
  const std::string text = R"(<domain: "f", opset_import: ["": 21]> Half (a) => (b) { b = Relu (a) })";
  EXPECT_THAT(DrawDot(ParseText<onnx::FunctionProto>(text)), HasSubstr("label=<function <B>f.Half</B>>"));
  const auto model =
      ParseText<onnx::ModelProto>(R"(<ir_version: 10, opset_import: ["": 21]> g (x) => (y) { y = f.Half (x) })" + text);
  EXPECT_THAT(DrawDot(model), AllOf(HasSubstr("<B>f.Half</B>>, tooltip"), HasSubstr("label=<function <B>f.Half</B>>")));
}

TEST(DrawDot, UnknownNamesAreShown) {
  EXPECT_TRUE(AreConnected("<nowhere>", "<B>Relu</B>", DrawText("g () => (y) { y = Relu (nowhere) }")));
}

TEST(DrawDot, NamesAreEscaped) {
  const std::string dot = DrawText(R"("]; evil [label=x" ("<B>&quot;") => ("a\\") { "a\\" = "\\N\\"("<B>&quot;") })");
  EXPECT_THAT(dot, HasSubstr("<&lt;B&gt;&amp;quot;>"));
  EXPECT_THAT(dot, HasSubstr("<a&#92;>"));
  EXPECT_THAT(dot, HasSubstr("<B>&#92;N&#92;</B>"));
  EXPECT_THAT(dot, Not(HasSubstr("\\")));
  const std::string bytes = DrawText("g (\"\x1b\xff\n\") => (y) {}");
  EXPECT_THAT(bytes, Not(HasSubstr("\x1b")));
  EXPECT_THAT(bytes, Not(HasSubstr("\xff")));
}

/// Graphviz accepts the DOT text of any model.
TEST(DrawDot, GraphvizTakesModelsAtRandom) {
  if (std::system("dot -V 2>/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    const std::string dot = DrawDot(model);
    if (dot.size() > 50000) continue;  // computing the layout takes long
    std::FILE* const program = popen("dot -Tcanon >/dev/null 2>&1", "w");
    ASSERT_NE(program, nullptr);
    std::fwrite(dot.data(), 1, dot.size(), program);
    EXPECT_EQ(pclose(program), 0) << dot;
  }
}

}  // namespace
}  // namespace onnxc::testing
