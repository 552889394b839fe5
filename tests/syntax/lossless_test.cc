// Corrections that would lose or change what the author wrote must not be made: sizes become names, nodes become
// comments, initializers become declarations, operands move to places that were not meant.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "source/corrections.h"
#include "source/report.h"
#include "testing/predicates.h"
#include "testing/verdicts.h"

namespace onnxc::testing {
namespace {

std::string ModelHeader(int opset = 21) {
  return fmt::format("<ir_version: 10, opset_import: [\"\" : {}, \"com.microsoft\" : 1]>\n", opset);
}

std::string WithNode(std::string_view signature, std::string_view node) {
  return fmt::format("{}g {} {{\n  {}\n}}\n", ModelHeader(), signature, node);
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Returns whether a string of the text consists of digits.
bool HasQuotedNumber(std::string_view text) {
  for (std::size_t at = text.find('"'); at != text.npos; at = text.find('"', at + 1)) {
    const std::size_t end = text.find('"', at + 1);
    if (end == text.npos) return false;
    const std::string_view inner = text.substr(at + 1, end - at - 1);
    if (!inner.empty() && inner.find_first_not_of("0123456789") == inner.npos) return true;
    at = end;
  }
  return false;
}

// ---- sizes

// One random slip in the types of a graph: a character is lost, doubled, or replaced by another mark.
TEST(Lossless, QuotesNoSize) {
  const std::string types = "float[N, 4] x, float16[B, 2, P, 32] p, int64[1, 3] s, seq(float[2, 2]) q";
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int corrected = 0;
  for (int i = 0; i < 400; ++i) {
    std::string wrong = types;
    const std::size_t at = below(types.size());
    const std::string_view marks = "[]<>(){},. ";
    switch (below(3)) {
      case 0: wrong.erase(at, 1); break;
      case 1: wrong.insert(at, 1, wrong[at]); break;
      default: wrong[at] = marks[below(marks.size())];
    }
    const std::string place =
        i % 2 == 0 ? "(" + wrong + ") => (float[N, 4] y)" : "(float[N, 4] x) => (float[N, 4] y) <" + wrong + ">";
    const std::string text = WithNode(place, "y = Relu (x)");
    SCOPED_TRACE(text);
    const std::string fixed = Fixed(text);
    corrected += fixed != text;
    EXPECT_FALSE(HasQuotedNumber(fixed)) << text << fixed;
  }
  EXPECT_GT(corrected, 100);
}

// ---- nodes

TEST(Lossless, MakesNoCommentOfANode) {
  for (const std::string mark : {";", "//", "--", "/*", ";;"}) {
    for (const std::string_view call : {"Relu (x)", "LeakyRelu <alpha = 0.5> (x)", "com.microsoft.Gelu (x)"}) {
      for (const std::string_view sign : {"", "z "}) {
        const std::string end = mark == "/*" ? " */" : "";
        const std::string node = fmt::format("{}{} = {}{}", sign, mark, call, end);
        const std::string fixed = Fixed(WithNode("(float[N] x) => (float[N] y)", node + "\n  y = Tanh (x)"));
        const std::size_t comment = fixed.find('#');
        EXPECT_TRUE(comment == fixed.npos || fixed.find(call) < comment) << fixed;
        EXPECT_EQ(Count(fixed, call), 1u) << fixed;
      }
    }
    const std::string open = Fixed(WithNode("(float[N] x) => (float[N] y)", "y = " + mark + " Relu (x)"));
    EXPECT_EQ(open.find("# Relu"), open.npos) << open;
  }
}

// What is a comment in the other language stays one.
TEST(Lossless, KeepsNodesInComments) {
  for (const std::string mark : {"//", "--"}) {
    const std::string fixed =
        Fixed(WithNode("(float[N] x) => (float[N] y)", mark + " y = Relu (x)\n  y = Tanh (x) " + mark + " was (Relu)"));
    EXPECT_EQ(fixed, WithNode("(float[N] x) => (float[N] y)", "# y = Relu (x)\n  y = Tanh (x) # was (Relu)"));
  }
}

// A list with a name among the nodes may be an attribute of the next node.
TEST(Lossless, MakesNoNodeOfAnAttribute) {
  for (const std::string_view value : {"[3, 3]", "3", "0.5", "[0.5, 1]"}) {
    for (const std::string_view end : {"", ","}) {
      const std::string wrong =
          WithNode("(float[1, 3, 8, 8] x) => (float[1, 3, A, B] y)",
                   fmt::format("kernel_shape = {}{}\n  y = MaxPool <\n    pads = [1, 1, 1, 1]\n  > (x)", value, end));
      EXPECT_EQ(Fixed(wrong).find("Constant"), std::string::npos) << Fixed(wrong);
    }
  }
  const std::string read = WithNode("(float[2] x) => (float[2] y)", "k = 0.5\n  y = Mul (x, k)");
  EXPECT_TRUE(testing::Ok(Judged(SourceText("-", Fixed(read))))) << Fixed(read);
}

// ---- initializers

TEST(Lossless, KeepsTheSignOfAnInitializer) {
  for (const std::string_view values :
       {"float[2] w =>", "float a, float[2] w =>", "float[2] v = {1, 2}, float[2] w =>"}) {
    std::string right(values);
    right.insert(right.size() - 1, " ");
    const std::string after = " {}\n";
    const std::string before = ModelHeader() + "g () => () <";
    EXPECT_EQ(Fixed(before + std::string(values) + after), before + right + after);
  }
}

// ---- operands

TEST(Lossless, MovesNoOperandToAPlaceWhereItDoesNotFit) {
  struct Moved {
    std::string_view inputs;
    std::string_view node;
  };
  const std::vector<Moved> calls = {
      {"float[B, S, 64] x, float[64, 192] w, float[64] b, int32[B, S] m",
       "com.microsoft.Attention <num_heads = 4> (x, w, b, m)"},
      {"float[B, S, 64] x, float[64, 192] w, float[64] b", "com.microsoft.Attention <num_heads = 4> (x, w, b)"},
      {"float[B, S, 64] x, float[B, S, 64] k, float[B, S, 64] v, float[64] b, int32[B] m",
       "com.microsoft.MultiHeadAttention <num_heads = 4> (x, k, v, b, m)"},
      {"float[2, 4] x, float[3, 4] w, float[5] b", "Gemm <transB = 1> (x, w, b)"},
      {"uint8[N] q, float s, uint8 z", "DequantizeLinear (s, z)"},
  };
  for (const Moved& call : calls) {
    const std::string wrong =
        WithNode(fmt::format("({}) => (int64 n)", call.inputs), fmt::format("y = {}\n  n = Size (y)", call.node));
    EXPECT_EQ(Fixed(wrong), wrong);
  }
}

TEST(Lossless, MovesOperandsThatFit) {
  const std::string wrong = WithNode("(float[1, 1, 2, 2] x, float[4] s) => (float[1, 1, A, B] y)", "y = Resize (x, s)");
  EXPECT_NE(Fixed(wrong).find("Resize (x, , s)"), std::string::npos) << Fixed(wrong);
  const std::string lengths =
      WithNode("(float[5, 2, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, int32[2] lens) => (float[5, 1, 2, 4] y)",
               "y, h, c = LSTM <hidden_size = 4> (x, w, r, lens)");
  EXPECT_NE(Fixed(lengths).find("(x, w, r, , lens)"), std::string::npos) << Fixed(lengths);
}

// ---- values of attributes

// A list is given as many members as the operator needs, or the value is left as it is.
TEST(Lossless, MakesNoListThatIsTooShort) {
  const std::string pool =
      WithNode("(float[1, 3, 8, 8] x) => (float[1, 3, 4, 4] y)", "y = MaxPool <kernel_shape = 2, strides = 2> (x)");
  EXPECT_NE(Fixed(pool).find("<kernel_shape = [2, 2], strides = [2, 2]>"), std::string::npos) << Fixed(pool);
  for (const std::string_view op : {"GRU", "LSTM"}) {
    const int rows = op == "GRU" ? 24 : 32;
    const std::string text = WithNode(
        fmt::format("(float[T, B, 4] x, float[2, {0}, 4] w, float[2, {0}, 8] r) => (float[T, 2, B, 8] y)", rows),
        fmt::format("y = {} <direction = \"bidirectional\", hidden_size = 8, activations = \"Tanh\"> (x, w, r)", op));
    EXPECT_EQ(Fixed(text), text);
  }
}

// ---- names

TEST(Lossless, JoinsADividedName) {
  const auto text = [](std::string_view name) {
    return fmt::format("{}g (float[1, 4] x) => (float[4] y)\n<int64[1] axis0 = {{0}}>\n{{\n  y = Squeeze (x, {})\n}}\n",
                       ModelHeader(), name);
  };
  const std::string_view name = "axis0";
  for (std::size_t at = 1; at < name.size(); ++at) {
    for (const std::string_view gap : {"\n", " ", "\r\n", "\n    "}) {
      const std::string divided = std::string(name.substr(0, at)) + std::string(gap) + std::string(name.substr(at));
      EXPECT_EQ(Fixed(text(divided)), text(name)) << text(divided);
    }
  }
}

// Two names without a comma are not one name, however far away they are defined.
TEST(Lossless, JoinsNoTwoNames) {
  const auto text = [](std::string_view inputs) {
    const std::string far = "  # " + std::string(20'000, '.') + "\n";
    return WithNode("(float[2] a, float[2] b) => (float[2] y, float[2] z)",
                    far + fmt::format("  ab = Relu (a)\n  y = Sum ({})\n  z = Relu (ab)", inputs));
  };
  EXPECT_EQ(Fixed(text("a b")), text("a, b"));
}

TEST(Lossless, AddsNoCommaForWhichThereIsNoPlace) {
  for (const std::string_view gap : {"\n", " ", "\n\n   "}) {
    const std::string wrong =
        WithNode("(float[1, 4] x, int64[1] k) => (float[4] y)", fmt::format("y = Squeeze (x, a{}kk)", gap));
    EXPECT_EQ(Fixed(wrong), wrong);
  }
}

// ---- all corrections together

// The domain of the only node that seems to need an import is another one.
TEST(Lossless, MakesNoCorrectionThatAnotherMakesNeedless) {
  const auto text = [](std::string_view imports, std::string_view op) {
    return fmt::format(
        "<ir_version: 8, opset_import: [{}]>\ng (float[N, 2] x) => (seq(map(string, float)) z)\n{{\n"
        "  z = {} <classlabels_strings = [\"a\", \"b\"]> (x)\n}}\n",
        imports, op);
  };
  EXPECT_EQ(Fixed(text("\"ai.onnx.ml\" : 3", "ZipMap")), text("\"ai.onnx.ml\" : 3", "ai.onnx.ml.ZipMap"));
  const Diagnostics found = Proven(SourceText("-", text("\"ai.onnx.ml\" : 3", "ZipMap")));
  EXPECT_EQ(std::ranges::count_if(found.items(), [](const Diagnostic& item) { return !item.fix_its.empty(); }), 1);
}

// Each correction that is offered is needed when all others are made.
TEST(Lossless, OffersOnlyNeededCorrections) {
  const std::string right = ModelHeader() +
                            "g (float[2, 3] x, float[3, 4] w) => (float[2, 4] y) <float[4] b = {1, 2, 3, 4}> {\n"
                            "  h = MatMul (x, w)\n  i = Add (h, b)\n  y = LeakyRelu <alpha = 0.5> (i)\n}\n";
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  int tried = 0;
  for (int i = 0; i < 150; ++i) {
    std::string wrong = right;
    for (int slip = 0; slip < 2; ++slip) {
      const std::size_t at = ModelHeader().size() + below(wrong.size() - ModelHeader().size());
      if (below(2) == 0)
        wrong.erase(at, 1);
      else
        wrong[at] = "[](){}<>,.:=ab1"[below(15)];
    }
    SCOPED_TRACE(wrong);
    const Diagnostics found = Proven(SourceText("-", wrong));
    const std::vector<Diagnostic>& items = found.items();
    const CorrectedText all = ApplyCorrections(wrong, items);
    if (all.corrections < 2) continue;
    const auto messages = [](const std::string& text) {
      std::vector<std::string> all_messages;
      const Diagnostics judged = Judged(SourceText("-", text));
      for (const Diagnostic& item : judged.items()) all_messages.push_back(item.message);
      std::ranges::sort(all_messages);
      return all_messages;
    };
    const std::vector<std::string> left = messages(all.text);
    for (std::size_t j = 0; j < items.size(); ++j) {
      std::vector<Diagnostic> others = items;
      if (others[j].fix_its.empty()) continue;
      others[j].fix_its.clear();
      const CorrectedText without = ApplyCorrections(wrong, others);
      if (without.corrections + 1 != all.corrections) continue;
      ++tried;
      EXPECT_FALSE(std::ranges::includes(left, messages(without.text))) << wrong << items[j].message;
    }
  }
  EXPECT_GT(tried, 40);
}

// Without the correction of the warning, that of the error is needed.
TEST(Lossless, ProvesOnlyWantedCorrections) {
  const verdict::Judge judge = [](const SourceText& source) {
    const std::string text(source.text());
    Diagnostics found;
    const auto add = [&](Diagnostic finding, char from, char to) {
      const std::size_t at = text.find(from);
      finding.range = {at, at + 1};
      finding.fix_its = {{finding.range, std::string(1, to)}};
      found.Add(std::move(finding));
    };
    if (text == "a b") add(MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere, "a"), 'a', 'x');
    if (text.ends_with('b')) {
      add(MakeDiagnostic(DiagnosticKind::kUnusedValue, Severity::kWarning, kNowhere, "b"), 'b', 'y');
    }
    return found;
  };
  const auto all = [](const Diagnostics& findings, const SourceText&) { return findings; };
  const auto errors = [](const Diagnostics& findings, const SourceText&) {
    Diagnostics wanted;
    for (const Diagnostic& finding : findings.items()) {
      if (finding.severity == Severity::kError) wanted.Add(finding);
    }
    return wanted;
  };
  const SourceText source("-", "a b");
  EXPECT_EQ(verdict::CorrectAll(source, judge, all).source.text(), "a y");
  EXPECT_EQ(verdict::CorrectAll(source, judge, errors).source.text(), "x b");
}

}  // namespace
}  // namespace onnxc::testing
