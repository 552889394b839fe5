// Documents that contain a model in another format than text.
#include <gtest/gtest.h>
#include <onnxc/diagnostic.h>
#include <onnxc/model_io.h>

#include <memory>
#include <string>

#include "check/accidents.h"
#include "lsp/snapshot.h"
#include "testing/folder.h"
#include "verdict/analyze.h"
#include "verdict/wanted.h"

namespace onnxc::lsp {
namespace {

/// Returns the findings that `onnxc check` shows.
std::string FoundByCheck(const SourceText& source) {
  const Diagnostics all = verdict::Analyze(source, {.path = source.name()}).found;
  return RenderText(verdict::Shown(verdict::Wanted(all, source, {})), source);
}

// Of each rule, a model that breaks it, under a name that belongs to its format, and under one that does not.
TEST(Formats, HaveTheFindingsOfTheCommand) {
  int with_findings = 0;
  for (const accident::Case& row : accident::Cases()) {
    onnx::ModelProto model = accident::Parsed(row.text);
    row.accident(model);
    for (const Format format : {Format::kText, Format::kJson, Format::kTextProto}) {
      std::string text;
      if (!Encode(model, format, &text).ok()) continue;
      for (const char* const name : {"m.onnxtxt", "m.json"}) {
        const std::string path = std::string("/models/") + name;
        const Snapshot document("file://" + path, 0, text, Encoding::kUtf16, std::make_shared<const Settings>());
        const SourceText source(path, text);
        const std::string found = RenderText(document.findings(), source);
        EXPECT_EQ(found, FoundByCheck(source)) << row.rule << "\n" << text;
        with_findings += found.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(with_findings, 800);
}

}  // namespace
}  // namespace onnxc::lsp
