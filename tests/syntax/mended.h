// Valid models as texts, to write mistakes into, and what `onnxc check --fix` makes of a text.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/verdicts.h"

namespace onnxc::testing {

/// Returns the bytes of the model; "" if the text has an error.
inline std::string BytesOf(const std::string& text) {
  onnx::ModelProto model;
  if (!Judged(SourceText("-", text)).ok() || !Parse(text, &model, {.tell_functions_apart = true}).ok()) return "";
  return model.SerializeAsString();
}

/// Returns the number of errors that `onnxc check` finds. Each place must be in the text.
inline std::size_t Errors(const std::string& text) {
  const Diagnostics found = Proven(SourceText("-", text));
  const auto expect_inside = [&](SourceRange range) {
    const bool is_inside = range == kNowhere || (range.begin <= range.end && range.end <= text.size());
    EXPECT_TRUE(is_inside) << range.begin << " to " << range.end << " in\n" << text;
  };
  for (const Diagnostic& finding : found.items()) {
    expect_inside(finding.range);
    for (const Note& note : finding.notes) expect_inside(note.range);
    for (const FixIt& edit : finding.fix_its) expect_inside(edit.range);
  }
  return static_cast<std::size_t>(std::ranges::count(found.items(), Severity::kError, &Diagnostic::severity));
}

/// Returns the texts of valid models in the test data.
inline std::vector<std::string> RightTexts() {
  namespace fs = std::filesystem;
  std::vector<std::string> texts;
  for (const char* folder : {"examples", "docs", "golden"}) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(kTestdata) / folder)) paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
      const std::string name = path.filename().string();
      if (!name.ends_with(".onnxtxt") ||
          (name.find(".model.") == std::string::npos && std::string(folder) == "golden")) {
        continue;
      }
      std::string text = ReadWhole(path);
      if (!BytesOf(text).empty()) texts.push_back(std::move(text));
    }
  }
  return texts;
}

}  // namespace onnxc::testing
