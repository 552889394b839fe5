#include "source/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "source/unicode.h"

namespace onnxc {
namespace {

TEST(DiagnosticTable, NamesAreUniqueWords) {
  std::set<std::string_view> names;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    EXPECT_TRUE(names.insert(Name(kind)).second) << Name(kind);
    EXPECT_EQ(Name(kind).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos);
    EXPECT_FALSE(Info(kind).message.ends_with('.')) << Info(kind).message;
  }
  EXPECT_EQ(Name(DiagnosticKind::kUnexpectedToken), "unexpected-token");
}

TEST(Nearest, FindsTheWordMeant) {
  const std::vector<std::string_view> words = {"float", "float16", "int64", "int4", "string", "bool"};
  EXPECT_EQ(Nearest("flaot", words), "float");
  EXPECT_EQ(Nearest("FLOAT", words), "float");
  EXPECT_EQ(Nearest("int46", words), "int64");
  EXPECT_EQ(Nearest("strng", words), "string");
  EXPECT_EQ(Nearest("booool", words), "bool");
  EXPECT_EQ(Nearest("tensor", words), "");
  EXPECT_EQ(Nearest("x", words), "");
  EXPECT_EQ(Nearest("", words), "");
  EXPECT_EQ(Nearest(std::string(100000, 'f'), words), "");
}

TEST(NearestName, TakesNoOtherNumberAndNoOneOfTwo) {
  const std::vector<std::string_view> names = {"h1", "h2", "hidden_a", "hidden_b", "conv1_out", "weights"};
  EXPECT_EQ(NearestName("wieghts", names), "weights");
  EXPECT_EQ(NearestName("h3", names), "");
  EXPECT_EQ(NearestName("conv3_out", names), "");
  EXPECT_EQ(NearestName("hidden_c", names), "");
  EXPECT_EQ(NearestName("hiden_a", names), "hidden_a");
}

TEST(IsSlip, IsSureOfSlipsAlone) {
  for (const auto& [word, meant] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"relu", "Relu"}, {"Rleu", "Relu"}, {"Reluu", "Relu"}, {"Softmx", "Softmax"}, {"leaky_relu", "LeakyRelu"}}) {
    EXPECT_TRUE(IsSlip(word, meant)) << word;
  }
  for (const auto& [word, meant] : std::vector<std::pair<std::string_view, std::string_view>>{{"Sort", "Sqrt"},
                                                                                              {"Rsqrt", "Sqrt"},
                                                                                              {"Flip", "Clip"},
                                                                                              {"Log2", "Log"},
                                                                                              {"Softmin", "Softmax"},
                                                                                              {"Silu", "Selu"},
                                                                                              {"Tril", "Trilu"},
                                                                                              {"Relu6", "Relu"},
                                                                                              {"Relu", ""},
                                                                                              {"", "Relu"}}) {
    EXPECT_FALSE(IsSlip(word, meant)) << word;
  }
}

// The same by its definition, with a row for each byte.
std::size_t SlipsByTable(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> slips(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        slips[i][j] = i + j;
        continue;
      }
      slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, slips[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
    }
  }
  return slips[a.size()][b.size()];
}

TEST(Nearest, CountsSlips) {
  std::mt19937 random(1);
  const auto word = [&](std::size_t longest) {
    std::string made(2 + random() % (longest - 1), 'a');
    for (char& c : made) c = static_cast<char>('a' + random() % 3);
    return made;
  };
  int near = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string a = word(i % 4 == 0 ? 64 : 8);
    const std::string b = word(i % 4 == 0 ? 70 : 8);
    const std::size_t slips = SlipsByTable(a, b);
    const bool begins_so = a.size() > 2 && a != b && b.starts_with(a);
    const bool is_near = (slips < (a.size() + 2) / 3 + 1 && slips < b.size()) || begins_so;
    EXPECT_EQ(Nearest(a, {b}), is_near ? b : "") << a << " " << b;
    near += is_near ? 1 : 0;
  }
  EXPECT_GT(near, 1000);
}

TEST(Nearest, KnowsBeginningsAndCase) {
  EXPECT_EQ(Nearest("opset", {"opset_import", "ir_version"}), "opset_import");
  EXPECT_EQ(Nearest("doc", {"doc_string", "document"}), "");  // either
  EXPECT_EQ(Nearest("W", {"w", "b"}), "w");
  EXPECT_EQ(Nearest("v", {"w", "b"}), "");
}

TEST(Quoted, CutsAndEscapes) {
  EXPECT_EQ(Quoted("a\nb"), "a\\nb");
  EXPECT_EQ(Quoted(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(Quoted(std::string(61, 'x')), std::string(60, 'x') + "...");
}

TEST(Diagnostics, FinishSortsAndDropsRepetitions) {
  Diagnostics found;
  found.Add(MakeDiagnostic(diag::kSemicolon, {9, 10}));
  found.Add(MakeDiagnostic(diag::kSemicolon, {1, 2}));
  found.Add(MakeDiagnostic(diag::kSemicolon, {9, 10}));
  found.Finish(100);
  ASSERT_EQ(found.items().size(), 2u);
  EXPECT_EQ(found.items()[0].range.begin, 1u);
  EXPECT_EQ(found.suppressed(), 0u);
}

TEST(Diagnostics, FindingsWithAPathKeepTheirOrder) {
  Diagnostics found;
  for (const char* path : {"graph.node[1]", "graph.node[0]", "graph.node[1]"}) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kLoss, {}, "it");
    diagnostic.path = path;
    found.Add(diagnostic);
  }
  found.Finish(100);
  ASSERT_EQ(found.items().size(), 3u);
  EXPECT_EQ(found.items()[0].path, "graph.node[1]");
  EXPECT_EQ(found.items()[1].path, "graph.node[0]");
}

TEST(Diagnostics, WarningsGiveWayToErrors) {
  Diagnostics found;
  for (std::size_t i = 0; i < 10; ++i) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kSemicolon, {i, i + 1});
    if (i < 8) diagnostic.severity = Severity::kWarning;
    found.Add(diagnostic);
  }
  EXPECT_FALSE(found.ok());
  found.Finish(3);
  ASSERT_EQ(found.items().size(), 3u);
  EXPECT_EQ(found.items()[0].range.begin, 0u);
  EXPECT_EQ(found.items()[2].range.begin, 9u);
  EXPECT_EQ(found.suppressed(), 7u);
  EXPECT_EQ(found.ErrorsOnly().items().size(), 2u);
  EXPECT_EQ(found.ErrorsOnly().suppressed(), 0u);
  found.Finish(0);
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.suppressed(), 10u);
  EXPECT_FALSE(found.ErrorsOnly().ok());
  EXPECT_EQ(found.ErrorsOnly().suppressed(), 2u);
}

TEST(Diagnostics, WarningsAloneAreOk) {
  Diagnostics found;
  EXPECT_TRUE(found.ok());
  Diagnostic warning = MakeDiagnostic(diag::kSemicolon, {});
  warning.severity = Severity::kWarning;
  found.Add(warning);
  EXPECT_TRUE(found.ok());
  Diagnostics errors;
  errors.Add(MakeDiagnostic(diag::kSemicolon, {}));
  found.Append(std::move(errors));
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.items().size(), 2u);
}

TEST(Diagnostics, AreNoNovels) {
  for (const std::size_t length : {900, 980, 981, 982, 983, 5000}) {
    std::string list;
    while (list.size() < length) list += "\xe6\x9d\xb1";
    const std::string message = MakeDiagnostic(diag::kCannotRead, kNowhere, list).message;
    EXPECT_LE(message.size(), 1003u);
    EXPECT_EQ(message.ends_with("..."), list.size() > 985) << list.size();
    EXPECT_TRUE(IsUtf8(message)) << message;
  }
}

}  // namespace
}  // namespace onnxc
