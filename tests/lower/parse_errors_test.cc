// FindParseErrors() has the same findings as Parse().
#include <gtest/gtest.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/parser.h>

#include <filesystem>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

TEST(FindParseErrors, AreThoseOfParse) {
  int right = 0;
  int wrong = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    const std::string text = ReadWhole(entry.path());
    const SourceText source("text", text);
    for (const bool apart : {false, true}) {
      const ParseOptions options{.max_diagnostics = 7, .tell_functions_apart = apart};
      onnx::ModelProto model;
      const Diagnostics expected = Parse(text, &model, options);
      EXPECT_EQ(RenderText(FindParseErrors(text, options), source), RenderText(expected, source)) << entry.path();
      ++(expected.ok() ? right : wrong);
    }
  }
  EXPECT_GT(right, 40);
  EXPECT_GT(wrong, 40);
}

TEST(FindParseErrors, RefusesATextThatIsTooLarge) {
  EXPECT_EQ(FindParseErrors("g () => () {}", {.max_bytes = 3}).items().front().kind, DiagnosticKind::kInputTooLarge);
}

}  // namespace
}  // namespace onnxc::testing
