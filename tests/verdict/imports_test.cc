// Imports that corrections have written, in one of several lists: a domain that a list imports twice is found.
#include "verdict/imports.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace onnxc::verdict::imports_test {
namespace {

struct Import {
  SourceRange range;
  std::string domain;  // "" for `ai.onnx`, too
  std::size_t list;
};

TEST(Imports, ThoseThatAreWrittenASecondTimeAreFound) {
  std::mt19937 random(9);
  std::size_t found = 0;
  for (int round = 0; round < 500; ++round) {
    std::string text;
    std::vector<Import> imports;
    std::vector<SourceRange> made;
    for (std::size_t list = 0; list < 3; ++list) {
      text += random() % 2 == 0 ? "<ir_version: 9, opset_import: [" : "<domain: \"d\", opset_import : [";
      const std::size_t count = random() % 5;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string domain = std::vector<std::string>{"", "ai.onnx", "a", "b.c", "d"}[random() % 5];
        text += i == 0 ? "" : ", ";
        const std::size_t begin = text.size();
        text += fmt::format("\"{}\": {}", domain, 1 + random() % 20);
        imports.push_back({{begin, text.size()}, domain == "ai.onnx" ? "" : domain, list});
      }
      text += "], doc_string: \"t\">\n";
    }
    std::vector<std::string> wanted;
    for (const Import& import : imports) {
      if (random() % 3 != 0) continue;
      const bool is_whole = random() % 2 == 0;
      made.push_back({import.range.begin, is_whole ? import.range.end : import.range.begin + 2});
      const auto same = [&](const Import& other) { return other.domain == import.domain && other.list == import.list; };
      if (std::ranges::count_if(imports, same) > 1) wanted.push_back(std::to_string(made.size() - 1));
    }
    std::vector<std::string> repeated;
    for (const RepeatedImport& import : ImportsRepeated(text, made))
      repeated.push_back(std::to_string(import.correction));
    EXPECT_EQ(repeated, wanted) << text;
    found += repeated.size();
  }
  EXPECT_GE(found, 200u);
}

// What was only removed, or written between the imports, imports nothing.
TEST(Imports, OtherCorrectionsImportNothing) {
  const std::string text = "<opset_import: [\"a\": 1, \"a\": 2], doc_string: \"a\"> g";
  for (std::size_t at = 0; at <= text.size(); ++at)
    EXPECT_TRUE(ImportsRepeated(text, std::vector<SourceRange>{{at, at}}).empty());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_import = (at >= 16 && at < 22) || (at >= 24 && at < 30);
    EXPECT_EQ(ImportsRepeated(text, std::vector<SourceRange>{{at, at + 1}}).size(), is_import ? 1u : 0u) << at;
  }
}

}  // namespace
}  // namespace onnxc::verdict::imports_test
