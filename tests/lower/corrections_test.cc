// A correction is offered only if it improves the text: the text can be parsed further, and no new error appears.
#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "source/report.h"
#include "syntax/trial.h"
#include "testing/paths.h"
#include "testing/proto.h"

namespace onnxc::testing {

namespace {

namespace fs = std::filesystem;

Diagnostics FindAll(const std::string& text) {
  onnx::ModelProto model;
  SourceMap places;
  Diagnostics found = Parse(text, &model, {.source_map_out = &places, .tell_functions_apart = true});
  if (found.ok()) found.Append(CheckModel(model, {.source_map = &places}));
  return found;
}

template <typename Message>
Diagnostics FindIn(const std::string& text) {
  Message message;
  return Parse(text, &message, {.tell_functions_apart = true});
}

std::vector<FixIt> AllCorrections(const Diagnostics& found) {
  std::vector<FixIt> edits;
  for (const Diagnostic& diagnostic : found.items()) {
    edits.insert(edits.end(), diagnostic.fix_its.begin(), diagnostic.fix_its.end());
  }
  return edits;
}

// The errors that are left after all corrections are applied, except for errors that were there before and have no
// correction.
std::string NewErrors(const std::string& text, Diagnostics (*find)(const std::string&)) {
  const Diagnostics before = find(text);
  std::vector<FixIt> edits = AllCorrections(before);
  if (edits.empty()) return "";
  std::set<std::string> known;
  for (const Diagnostic& diagnostic : before.items()) {
    if (diagnostic.fix_its.empty()) known.insert(diagnostic.message);
  }
  const std::string corrected = syntax::Corrected(text, &edits);
  const Diagnostics after = find(corrected);
  for (const Diagnostic& diagnostic : after.items()) {
    const bool is_syntax = diagnostic.kind < DiagnosticKind::kUnknownHeaderKey;
    if (is_syntax && !known.contains(diagnostic.message)) {
      return RenderText(after, SourceText("corrected", corrected)) + "\nfrom\n" +
             RenderText(before, SourceText("text", text));
    }
  }
  return "";
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Corrections, OfGoldenTextsLeaveNoNewError) {
  for (const auto& entry : fs::directory_iterator(fs::path(kTestdata) / "fail")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".onnxtxt") continue;
    const std::string kind = path.stem().extension();
    const auto find = kind == ".model"      ? &FindIn<onnx::ModelProto>
                      : kind == ".graph"    ? &FindIn<onnx::GraphProto>
                      : kind == ".function" ? &FindIn<onnx::FunctionProto>
                      : kind == ".node"     ? &FindIn<onnx::NodeProto>
                      : kind == ".attr"     ? &FindIn<onnx::AttributeProto>
                      : kind == ".type"     ? &FindIn<onnx::TypeProto>
                      : kind == ".tensor"   ? &FindIn<onnx::TensorProto>
                                            : &FindIn<onnx::TensorShapeProto>;
    EXPECT_EQ(NewErrors(Read(path), find), "") << path;
  }
}

TEST(Corrections, OfMistakesThatPeopleMakeLeaveNoNewError) {
  std::ifstream cases(fs::path(kTestdata) / "mistakes" / "cases.jsonl");
  int count = 0;
  for (std::string line; std::getline(cases, line); ++count) {
    const nlohmann::json one = nlohmann::json::parse(line);
    EXPECT_EQ(NewErrors(one.at("text"), &FindAll), "") << one.at("id");
  }
  EXPECT_GT(count, 100);
}

std::string Corrected(const std::string& text) {
  std::vector<FixIt> edits = AllCorrections(FindIn<onnx::ModelProto>(text));
  return syntax::Corrected(text, &edits);
}

TEST(Corrections, ABareWordIsAReferenceWhereTheFunctionAroundHasTheAttribute) {
  std::string formals = "a0";
  for (int i = 1; i < 150; ++i) formals += fmt::format(", a{}", i);
  const std::string text = fmt::format(
      "<ir_version: 10, opset_import: [\"\" : 21, \"x\" : 1]> g (float y) => (float z) {{ z = x.f (y) }}\n"
      "<domain: \"x\", opset_import: [\"\" : 21]> f <{}> (a) => (b) {{ b = Op <mode = a149, kind = other> (a) }}\n"
      "<domain: \"x\", opset_import: [\"\" : 21]> h (a) => (b) {{ b = Op <mode = a149> (a) }}",
      formals);
  const std::string corrected = Corrected(text);
  EXPECT_NE(corrected.find("<mode = @a149, kind = \"other\">"), std::string::npos) << corrected;
  EXPECT_NE(corrected.find("<mode = \"a149\">"), std::string::npos) << corrected;
}

}  // namespace
}  // namespace onnxc::testing
