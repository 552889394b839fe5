// The texts after code actions.
#pragma once

#include <gtest/gtest.h>
#include <onnxc/parser.h>

#include <memory>
#include <string>
#include <string_view>

#include "lsp/refactorings.h"
#include "testing/predicates.h"

namespace onnxc::lsp {

inline onnx::ModelProto Read(std::string_view text) {
  onnx::ModelProto model;
  const Diagnostics found = Parse(text, &model, {.tell_functions_apart = true});
  EXPECT_TRUE(testing::Ok(found)) << RenderText(found, SourceText("text", std::string(text)));
  return model;
}

/// Returns the text after the first refactoring of this kind that is offered for the range, or "" if none is offered.
inline std::string Refactored(const std::string& text, SourceRange range, std::string_view kind) {
  const Snapshot snapshot("file:///nowhere/a.onnxtxt", 0, text, Encoding::kUtf8, std::make_shared<Settings>());
  for (const Refactoring& refactoring : RefactoringsIn(snapshot, range)) {
    if (refactoring.kind != kind) continue;
    std::string result;
    std::size_t at = 0;
    for (const FixIt& edit : refactoring.edits) {
      result.append(text, at, edit.range.begin - at).append(edit.replacement);
      at = edit.range.end;
    }
    return result.append(text, at);
  }
  return {};
}

/// Like the function above, for the cursor at a word.
inline std::string Refactored(const std::string& text, std::string_view word, std::string_view kind) {
  const std::size_t offset = text.find(word);
  EXPECT_NE(offset, std::string::npos);
  return Refactored(text, SourceRange{offset, offset}, kind);
}

/// Like the function above, for the range from one word to another.
inline std::string Refactored(const std::string& text, std::string_view from, std::string_view to,
                              std::string_view kind) {
  const std::size_t begin = text.find(from);
  EXPECT_NE(begin, std::string::npos);
  return Refactored(text, SourceRange{begin, text.find(to, begin)}, kind);
}

/// The text after one of its parts is replaced.
inline std::string With(std::string_view text, std::string_view part, std::string_view other) {
  std::string changed(text);
  const std::size_t at = changed.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return changed.replace(at, part.size(), other);
}

}  // namespace onnxc::lsp
