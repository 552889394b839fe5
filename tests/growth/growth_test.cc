// All stages take time linear in their input, even for inputs that try to slow them down: each kind of input is
// processed at two sizes. The tests measure processor time; the bounds only distinguish linear from quadratic time.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/proto.h"
#include "testing/verdicts.h"

namespace onnxc::testing {
namespace {

constexpr std::string_view kHead = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
constexpr std::string_view kGraph = "g (float[2] x) => (float[2] y) ";

std::string Repeat(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// `unit` is called with each number.
std::string Each(int count, const std::function<std::string(int)>& unit) {
  std::string result;
  for (int i = 0; i < count; ++i) result += unit(i);
  return result;
}

std::string Model(std::string_view body, std::string_view inputs = "") {
  return fmt::format("{}{}{} {{\n{}}}\n", kHead, kGraph, inputs, body);
}

struct Shape {
  std::string_view name;
  std::function<std::string(int)> text;  // the text of a model whose size grows with the number
};

// Large valid inputs.
std::vector<Shape> Right() {
  return {
      {"one line", [](int n) { return Model(Repeat("y = Relu(x) ", n)); }},
      {"one name",
       [](int n) { return Model("y = Relu(x) t = Abs(" + std::string(static_cast<std::size_t>(n), 'a') + ")"); }},
      {"one doc string",
       [](int n) { return "@doc_string \"" + Repeat("\\\\ \\\" \n", n) + "\"\n" + Model("y = Relu(x)"); }},
      {"duplicate names",
       [](int n) { return Model("y = Relu(x)", "<" + Repeat("float[1] w = {1},", n) + "float z = {1}>"); }},
      {"duplicate outputs", [](int n) { return Model(Repeat("y = Relu(x)\n", n)); }},
      {"unknown names",
       [](int n) { return Model(Each(n, [](int i) { return fmt::format("v{0} = Relu(u{0})\n", i); })); }},
      {"attributes of a node",
       [](int n) {
         return Model("y = Op <" + Each(n, [](int i) { return fmt::format("a{} = 1, ", i); }) + "z = 1> (x)");
       }},
      {"attributes of one name", [](int n) { return Model("y = Op <" + Repeat("a = 1, ", n) + "z = 1> (x)"); }},
      {"inputs of a node", [](int n) { return Model("y = Sum (" + Repeat("x, ", n) + "x)"); }},
      {"annotations",
       [](int n) { return Model(Each(n, [](int i) { return fmt::format("@doc_string \"d\" y{} = Relu(x)\n", i); })); }},
      {"metadata",
       [](int n) {
         return Model("@metadata_props [" + Each(n, [](int i) { return fmt::format("\"k{}\": \"v\", ", i); }) +
                      "\"z\": \"\"] y = Relu(x)");
       }},
      {"metadata of one key",
       [](int n) { return Model("@metadata_props [" + Repeat("\"k\": \"v\", ", n) + "\"z\": \"\"] y = Relu(x)"); }},
      {"dimensions", [](int n) { return Model("y = Relu(x)", "<float[" + Repeat("1, ", n) + "1] w = {1}>"); }},
      {"sparse elements",
       [](int n) {
         return Model("y = Relu(x)", "<sparse_tensor(float[" + Repeat("1, ", n / 2) + "1000000]) w = {" +
                                         Each(n, [](int i) { return fmt::format("{}: 1, ", i); }) + "999999: 1}>");
       }},
      {"functions",
       [](int n) {
         return Model("y = Relu(x)") +
                Each(n, [](int i) { return fmt::format("<domain: \"d\"> f{0} (a) => (b) {{ b = d.f{0}(a) }}\n", i); });
       }},
      {"functions of one name",
       [](int n) { return Model("y = Relu(x)") + Repeat("<domain: \"d\"> f (a) => (b) { b = d.f(a) }\n", n); }},
      {"a chain of functions",
       [](int n) {
         return Model("y = d.f0(x)") + Each(n, [](int i) {
                  return fmt::format("<domain: \"d\", opset_import: [\"d\": 1]> f{} (a) => (b) {{ b = d.f{}(a) }}\n", i,
                                     i + 1);
                });
       }},
      {"imports",
       [](int n) {
         return "<ir_version: 10, opset_import: [" + Each(n, [](int i) { return fmt::format("\"d{}\" : 1, ", i); }) +
                "\"\" : 21]>\ng (x) => (y) { y = Relu(x) }";
       }},
      {"branches",
       [](int n) {
         return Model(Each(n, [](int i) {
           return fmt::format("y{0} = If(x) <a = t () => (u) {{ u = Abs(x) }}, b = e () => (v) {{ v = Abs(w{0}) }}>\n",
                              i);
         }));
       }},
      {"a cycle",
       [](int n) { return Model(Each(n, [n](int i) { return fmt::format("v{} = Relu(v{})\n", i, (i + 1) % n); })); }},
  };
}

// Inputs with many errors, or with large errors.
std::vector<Shape> Wrong() {
  return {
      {"errors on one line", [](int n) { return Model(Repeat("y = Relu(x,) = ", n)); }},
      {"errors on many lines", [](int n) { return Model(Repeat("y = Op <a : 1> (x)\n", n)); }},
      {"findings of the builder", [](int n) { return Model("y = Op <" + Repeat("a: flaot = 1, ", n) + "b = 1> (x)"); }},
      {"open brackets", [](int n) { return Model(Repeat("(", n)); }},
      {"brackets of two kinds", [](int n) { return Model("y = Op <a = ! " + Repeat("(", n) + Repeat("]", n)); }},
      {"lines that may begin nodes", [](int n) { return Model("! " + Repeat("a,\n", n) + Repeat("a = b (\n", n)); }},
      {"bad tokens on one line", [](int n) { return Model(Repeat("y = Op <a = !> (x) ", n)); }},
      {"open lists", [](int n) { return Model("y = Op <a = " + Repeat("[", n)); }},
      {"open strings", [](int n) { return Model(Repeat("\"\n", n)); }},
      {"wrong numbers in a list", [](int n) { return Model("y = Op <a = [" + Repeat("1e, ", n) + "1]> (x)"); }},
      {"wrong elements", [](int n) { return Model("", "<float16[1] w = {" + Repeat("1.5e99, ", n) + "1}>"); }},
      {"one long word", [](int n) { return Model("y = " + std::string(static_cast<std::size_t>(n), 'a') + " = 1"); }},
      {"unknown header keys", [](int n) { return "<" + Repeat("ir_versoin: 8, ", n) + "ir_version: 8>"; }},
      {"unknown fields", [](int n) { return Model(Repeat("@doc_strnig \"d\" ", n) + "y = Relu(x)"); }},
      {"pragmas",
       [](int n) { return "# onnxc: " + Repeat("unset NodeProto.doc_strnig, ", n) + "\n" + Model("y = Relu(x)"); }},
      {"nothing but bytes", [](int n) { return Repeat("\xff\x01", n); }},
  };
}

void ExpectShort(const Diagnostics& found, const SourceText& source) {
  for (const Diagnostic& item : found.items()) EXPECT_LT(item.message.size() + item.path.size(), 1'500u);
  // At most 100 findings, each with two lines of text and notes.
  EXPECT_LT(RenderText(found, source).size(), 200'000u);
  EXPECT_LT(RenderJson(found, source).size(), 300'000u);
  EXPECT_LT(RenderSarif(found, source).size(), 400'000u);
}

/// Calls all functions that accept a text.
void WorkOn(const std::string& text, bool is_right) {
  const SourceText source("t", text, nullptr);
  onnx::ModelProto model;
  SourceMap places;
  const Diagnostics found = Parse(text, &model, {.source_map_out = &places});
  ASSERT_EQ(found.ok(), is_right) << RenderText(found, source);
  ExpectShort(found, source);
  if (!is_right) return;
  ExpectShort(CheckModel(model), source);
  ExpectShort(CheckModel(model, {.source_map = &places}), source);
  ASSERT_FALSE(Print(model).text.empty());
  const PrintResult reference = Print(model, {.dialect = Dialect::kReference, .allow_loss = true});
  ExpectShort(reference.diagnostics, source);
  for (const Format format : {Format::kBinary, Format::kTextProto, Format::kJson}) {
    std::string bytes;
    ExpectShort(Encode(model, format, &bytes), source);
    ExpectShort(Decode(bytes, format, &model), source);
  }
}

/// The time in seconds: the minimum of a few runs, because other work on the machine can only make a run slower.
double TimeOf(const std::string& text, bool is_right) {
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();
    WorkOn(text, is_right);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void ExpectLinear(const Shape& shape, bool is_right) {
  SCOPED_TRACE(shape.name);
  constexpr int kSmall = 250;
  constexpr int kFactor = 8;  // quadratic time would give 64
  const double small = TimeOf(shape.text(kSmall), is_right);
  const double large = TimeOf(shape.text(kSmall * kFactor), is_right);
  EXPECT_LT(large, 3 * kFactor * small + 0.05) << small;
}

TEST(Growth, OfWhatIsRight) {
  for (const Shape& shape : Right()) ExpectLinear(shape, /*is_right=*/true);
}

TEST(Growth, OfWhatIsWrong) {
  for (const Shape& shape : Wrong()) ExpectLinear(shape, /*is_right=*/false);
}

/// Returns about 100 KB of text in which each line is `line` with a number in place of `#`.
std::string WithLines(const std::string& before, const std::string& line, const std::string& behind) {
  std::string text = before;
  for (int i = 0; text.size() < 100'000; ++i) {
    for (const char c : line) text += c == '#' ? std::to_string(i) : std::string(1, c);
    text += '\n';
  }
  return text + behind;
}

/// Returns the number of lines of the text that the other text does not have.
std::size_t LinesGone(const std::string& text, const std::string& other) {
  const auto lines_of = [](const std::string& all) {
    std::istringstream in(all);
    std::set<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.insert(line);
    return lines;
  };
  const std::set<std::string> left = lines_of(other);
  const std::set<std::string> lines = lines_of(text);
  return static_cast<std::size_t>(std::ranges::count_if(lines, [&](const auto& line) { return !left.contains(line); }));
}

// Correcting a text with a mistake on each line takes at most about a second. The bound allows for slower machines.
TEST(Growth, OfCorrections) {
  const std::string head(kHead);
  const std::string nodes = head + "g (float[N] x) => (float[N] y) {\n";
  const std::string inputs = head + "g (\n";
  const std::string values = head + "g (float[N] x) => (float[N] y) <\n";
  const std::string functions = head + "g (float[N] x) => (float[N] y) { y = Relu (x) }\n";
  std::vector<std::string> texts;
  for (const char* const line :
       {"y# = Relu (x", "y# = Add (x, x", "y# = LeakyRelu <alpha = 0.1 (x)", "y# = C <a: 1, b: [1, 2], c: \"s\"> (x)",
        "y# = Transpose (x, perm = (1, 0))", "let y# = Relu (x)", "y# = Add (x x)", "y# = Rleu (x)", "y# == Relu (x)",
        "y# = Add (x, 1.0)", "y# = Add (Relu (x), x)", "y# = Relu (x);", "y# = x + x"}) {
    texts.push_back(WithLines(nodes, line, "y = Relu (x) }\n"));
  }
  for (const char* const line : {"float(N) a#,", "f32[N] a#,", "a#: float[N],"}) {
    texts.push_back(WithLines(inputs, line, "float[N] x) => (float[N] y) { y = Relu (x) }\n"));
  }
  for (const char* const line : {"flota[2] w# = {1, 2},", "float[2] w# {1, 2},", "float[2] w# = {1, 2,"}) {
    texts.push_back(WithLines(values, line, "float[2] w = {1, 2}> { y = Relu (x) }\n"));
  }
  texts.push_back(
      WithLines(functions, "<domain = \"d\", opset_import = [\"\" : 21]> f# (x) => (y) { y = Relu (x) }", ""));
  const auto fix_quickly = [](const std::string& text) {
    constexpr double kMostSeconds = 20;  // under sanitizers; otherwise each text takes less than one
    const std::clock_t start = std::clock();
    std::string fixed = Fixed(text);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kMostSeconds) << text.substr(0, 200);
    EXPECT_LT(fixed.size(), 5 * text.size());
    return fixed;
  };
  for (const std::string& text : texts) {
    EXPECT_GT(LinesGone(text, fix_quickly(text)), 500U) << text.substr(0, 200);
  }
  // What a domain without quotes means is uncertain if no node uses it, so it is not corrected.
  (void)fix_quickly(WithLines("<ir_version: 10, opset_import: [\"\" : 21,\n", "a# : 1,",
                              "\"b\" : 1]>\ng (float[N] x) => (float[N] y) { y = Relu (x) }\n"));
}

}  // namespace
}  // namespace onnxc::testing
