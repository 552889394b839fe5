// Valid texts, and a client that uses them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/symbols.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/lines.h"
#include "lsp/places.h"
#include "lsp/server.h"
#include "testing/folder.h"
#include "testing/model_texts.h"
#include "testing/paths.h"

namespace onnxc::lsp {

using testing::CountOfPositions;

/// Returns the valid models in the fenced blocks of a document.
inline std::vector<std::string> ExamplesIn(const std::string& markdown) {
  constexpr std::string_view kBegin = "\n```onnxtxt model";
  std::vector<std::string> examples;
  for (std::size_t at = markdown.find(kBegin); at != std::string::npos; at = markdown.find(kBegin, at)) {
    const std::size_t line = at + 1;
    at = markdown.find('\n', line) + 1;
    if (markdown.substr(line, at - line).find(" wrong") != std::string::npos) continue;
    examples.push_back(markdown.substr(at, markdown.find("\n```", at) + 1 - at));
  }
  return examples;
}

/// Returns all short texts in the test data, the documents and the recorded cases that contain a graph and no syntax
/// errors.
inline std::vector<std::string> RightTexts() {
  std::vector<std::string> texts;
  const auto add = [&](std::string text) {
    constexpr std::size_t kLongest = 8000;  // bytes
    const bool has_graph = text.find("=>") != std::string::npos;
    if (has_graph && text.size() <= kLongest && ParsePartial(text).diagnostics.ok()) texts.push_back(std::move(text));
  };
  std::vector<std::filesystem::path> paths;
  for (const char* const folder : {testing::kTestdata, testing::kDocs}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind == ".onnxtxt" || kind == ".md") paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    const std::string content = testing::ReadWhole(path);
    if (path.extension() == ".onnxtxt") {
      add(content);
    } else {
      for (std::string& example : ExamplesIn(content)) add(std::move(example));
    }
  }
  std::ifstream cases(testing::kCases);
  for (std::string line; std::getline(cases, line);) {
    const Json recorded = Json::parse(line);
    if (recorded.contains("text") && recorded["text"].is_string()) add(recorded["text"].get<std::string>());
  }
  return texts;
}

/// An editor with one document.
class RightText {
 public:
  static constexpr const char* kUri = "file:///nowhere/right.onnxtxt";

  explicit RightText(std::string text, bool snippets = true)
      : text_(std::move(text)), lines_(text_, Encoding::kUtf16), server_([this](const Json& message) {
          if (message.contains("result")) result_ = message["result"];
          if (message.contains("error")) result_ = message["error"];
        }) {
    const Json item = {{"snippetSupport", snippets}};
    Request("initialize", {{"capabilities", {{"textDocument", {{"completion", {{"completionItem", item}}}}}}}});
    server_.Handle({{"method", "textDocument/didOpen"},
                    {"params", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", text_}}}}}});
    server_.PublishPending();
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Returns the result of a request about a range of the document, or its error.
  Json Ask(const std::string& method, SourceRange range, Json params = Json::object()) {
    params["textDocument"] = {{"uri", kUri}};
    params["position"] = PositionIn(text_, range.begin);
    params["range"] = {{"start", PositionIn(text_, range.begin)}, {"end", PositionIn(text_, range.end)}};
    return Request(method, std::move(params));
  }

  /// Returns the text after applying a list of TextEdit.
  [[nodiscard]] std::string After(const Json& edits) const {
    std::vector<std::pair<SourceRange, std::string>> changes;
    for (const Json& edit : edits) {
      changes.emplace_back(SourceRange{OffsetOf(edit["range"]["start"]), OffsetOf(edit["range"]["end"])},
                           edit["newText"].get<std::string>());
    }
    std::ranges::stable_sort(changes, {}, [](const auto& change) { return change.first.begin; });
    std::string after;
    std::size_t at = 0;
    for (const auto& [range, replacement] : changes) {
      EXPECT_LE(at, range.begin) << "edits overlap: " << edits;
      EXPECT_LE(range.begin, range.end) << edits;
      after.append(text_, at, range.begin - at).append(replacement);
      at = range.end;
    }
    return after.append(text_, at);
  }

  /// The text after applying a WorkspaceEdit.
  [[nodiscard]] std::string AfterEdit(const Json& edit) const { return After(edit["changes"][kUri]); }

 private:
  Json Request(const std::string& method, Json params) {
    server_.Handle({{"id", 1}, {"method", method}, {"params", std::move(params)}});
    return std::move(result_);
  }

  [[nodiscard]] std::size_t OffsetOf(const Json& position) const {
    return lines_.OffsetAt({position["line"].get<std::size_t>(), position["character"].get<std::size_t>()});
  }

  std::string text_;
  Lines lines_;
  Json result_;
  Server server_;
};

}  // namespace onnxc::lsp
