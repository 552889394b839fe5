// Compares results with golden files. ONNXC_BLESS=1 in the environment rewrites golden files that differ, and removes
// golden files whose text no longer exists.
//
// testdata/golden/NAME.KIND.onnxtxt    a valid text. NAME.KIND.textproto is its message, and NAME.KIND.printed the text
//                                      of this message in the reference dialect. If the dialect cannot represent all
//                                      of it, NAME.KIND.losses lists the losses
// testdata/fail/NAME.KIND.onnxtxt      an invalid text. NAME.KIND.diagnostics lists its findings
// testdata/format/NAME.KIND.onnxtxt    a text. NAME.KIND.formatted is the result of formatting it
#include "testing/golden.h"

#include <onnxc/checker.h>
#include <onnxc/formatter.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "source/report.h"
#include "tables/element_types.h"
#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

// Expects that no golden file exists, because no text produces one.
void ExpectNone(const fs::path& path) {
  if (!fs::exists(path)) return;
  if (IsBlessing()) {
    fs::remove(path);
    return;
  }
  ADD_FAILURE() << path << " is stale; ONNXC_BLESS=1 removes it";
}

// Prints protobuf's text format with fixed options, so that golden files do not depend on the options of DebugString().
std::string InTextFormat(const google::protobuf::Message& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  printer.SetUseFieldNumber(false);
  printer.SetSingleLineMode(false);
  std::string text;
  EXPECT_TRUE(printer.PrintToString(message, &text));
  return text;
}

// `conv.node.onnxtxt` is of kind `node`; `replaced(".textproto")` is `conv.node.textproto`.
struct Golden {
  fs::path path;
  [[nodiscard]] std::string kind() const { return path.stem().extension().string().substr(1); }
  [[nodiscard]] fs::path Replaced(const std::string& extension) const {
    return fs::path(path).replace_extension(extension);
  }
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.path.filename(); }

std::vector<Golden> Goldens(const std::string& folder) {
  std::vector<Golden> goldens;
  for (const auto& entry : fs::directory_iterator(fs::path(kTestdata) / folder)) {
    if (entry.path().extension() == ".onnxtxt") goldens.push_back({entry.path()});
  }
  std::sort(goldens.begin(), goldens.end(), [](const Golden& a, const Golden& b) { return a.path < b.path; });
  return goldens;
}

std::string NameOfTest(const ::testing::TestParamInfo<Golden>& info) {
  std::string name = info.param.path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

template <typename Message>
void CheckGood(const Golden& golden) {
  const auto message = ParseText<Message>(ReadWhole(golden.path));
  ExpectGolden(golden.Replaced(".textproto"), InTextFormat(message));
  const PrintResult strict = Print(message, {.dialect = Dialect::kReference});
  const std::string printed = Print(message, {.dialect = Dialect::kReference, .allow_loss = true}).text;
  ExpectGolden(golden.Replaced(".printed"), printed + "\n");
  const auto reread = ParseText<Message>(printed);
  if (strict.diagnostics.ok()) {
    EXPECT_EQ(L1(reread), L1(message)) << printed;
    ExpectNone(golden.Replaced(".losses"));
  } else {
    EXPECT_TRUE(strict.text.empty());
    ExpectGolden(golden.Replaced(".losses"), RenderText(strict.diagnostics, SourceText("message", "")));
  }
}

template <typename Message>
void CheckBad(const Golden& golden) {
  const std::string text = ReadWhole(golden.path);
  Message message;
  const Diagnostics diagnostics = Parse(text, &message, {.tell_functions_apart = true});
  EXPECT_FALSE(diagnostics.ok());
  EXPECT_EQ(message.ByteSizeLong(), 0u);
  ExpectGolden(golden.Replaced(".diagnostics"),
               RenderText(diagnostics, SourceText(golden.path.filename().string(), text)));
}

using Check = void (*)(const Golden&);
template <template <typename> typename Run>
void Dispatch(const Golden& golden) {
  static const std::map<std::string, Check> runs = {
      {"model", Run<onnx::ModelProto>::Check},       {"graph", Run<onnx::GraphProto>::Check},
      {"function", Run<onnx::FunctionProto>::Check}, {"node", Run<onnx::NodeProto>::Check},
      {"attr", Run<onnx::AttributeProto>::Check},    {"type", Run<onnx::TypeProto>::Check},
      {"tensor", Run<onnx::TensorProto>::Check},     {"shape", Run<onnx::TensorShapeProto>::Check},
      {"sequence", Run<onnx::SequenceProto>::Check}, {"map", Run<onnx::MapProto>::Check},
      {"optional", Run<onnx::OptionalProto>::Check}};
  const auto run = runs.find(golden.kind());
  ASSERT_NE(run, runs.end()) << golden.path;
  run->second(golden);
}

template <typename Message>
struct Good {
  static void Check(const Golden& golden) { CheckGood<Message>(golden); }
};
template <typename Message>
struct Bad {
  static void Check(const Golden& golden) { CheckBad<Message>(golden); }
};

class GoodText : public ::testing::TestWithParam<Golden> {};
TEST_P(GoodText, GivesItsMessageAndPrints) { Dispatch<Good>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Golden, GoodText, ::testing::ValuesIn(Goldens("golden")), NameOfTest);

class BadText : public ::testing::TestWithParam<Golden> {};
TEST_P(BadText, GivesItsDiagnostics) { Dispatch<Bad>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Golden, BadText, ::testing::ValuesIn(Goldens("fail")), NameOfTest);

class Layout : public ::testing::TestWithParam<Golden> {};
TEST_P(Layout, IsThatOfTheGoldenFile) {
  const auto kind = FindKind(GetParam().kind());
  ASSERT_TRUE(kind) << GetParam().path;
  const FormatResult result = FormatText(ReadWhole(GetParam().path), {.kind = *kind});
  EXPECT_TRUE(testing::Ok(result.diagnostics))
      << RenderText(result.diagnostics, SourceText("text", ReadWhole(GetParam().path)));
  ExpectGolden(GetParam().Replaced(".formatted"), result.text);
}
INSTANTIATE_TEST_SUITE_P(Golden, Layout, ::testing::ValuesIn(Goldens("format")), NameOfTest);

TEST(GoldenFiles, HaveASource) {
  const std::map<std::string, std::set<std::string>> made = {
      {"golden", {".textproto", ".printed", ".losses"}}, {"fail", {".diagnostics"}}, {"format", {".formatted"}}};
  for (const auto& [folder, extensions] : made) {
    std::vector<fs::path> stale;
    for (const auto& entry : fs::directory_iterator(fs::path(kTestdata) / folder)) {
      const fs::path& path = entry.path();
      if (path.extension() == ".onnxtxt") continue;
      const bool has_source = fs::exists(fs::path(path).replace_extension(".onnxtxt"));
      if (!has_source || !extensions.contains(path.extension().string())) stale.push_back(path);
    }
    for (const fs::path& path : stale) ExpectNone(path);
  }
}

// Each row of the table of diagnostics has a golden file or a unit test that shows it: texts in testdata/fail, calls in
// testdata/cli, or a test that expects the message with the name behind it.
TEST(DiagnosticTable, IsCoveredByGoldenFiles) {
  std::string all;
  const std::set<std::string> extensions = {".diagnostics", ".losses", ".test", ".cc"};
  for (const char* folder : {"testdata", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(kTestdata).parent_path() / folder)) {
      if (extensions.contains(entry.path().extension())) all += ReadWhole(entry.path());
    }
  }
  std::set<std::string_view> tested_elsewhere;  // check/rules_test.cc breaks each rule of the checker
  for (const Rule& rule : ListRules()) tested_elsewhere.insert(rule.name);
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    if (tested_elsewhere.contains(Name(kind))) continue;
    EXPECT_NE(all.find(fmt::format("[{}]", Name(kind))), std::string::npos) << "no golden file shows " << Name(kind);
  }
}

TEST(ElementTypes, AreCoveredByAGoldenFile) {
  const std::string text = ReadWhole(fs::path(kTestdata) / "golden" / "every_element_type.graph.onnxtxt");
  for (const ElementType& type : kElementTypes) {
    if (type.code == 0) continue;
    EXPECT_NE(text.find(fmt::format("t_{} =", type.keyword)), std::string::npos) << type.keyword;
  }
}

}  // namespace
}  // namespace onnxc::testing
