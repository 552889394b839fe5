// Phrases that readers who did not know the project had to read twice. They must not return to messages and documents.
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "source/report.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

struct Word {
  std::string_view pattern;
  std::string_view reason;
};

constexpr Word kWords[] = {
    {R"(\bstands? (in|behind|beside|before|alone|there|first)\b)", "write 'is in', 'comes before', 'must be the only'"},
    {R"((^|[^e]) (is|are) no [a-z]+ (of|in|for)\b)", "write 'is not a': 'is no' is emphatic"},
    {R"(\bis none of\b)", "write 'is not one of'"},
    {R"(\b(is|are) told\b)", "write 'is reported': only people are told"},
    {R"(\bof today\b)", "write 'current'"},
    {R"(\banew\b)", "write 'again'"},
    {R"(\bbut for\b)", "write 'except for'"},
    {R"(\bgraph around\b)", "write 'enclosing graph'"},
    {R"(\bthat there is(\.|,| not))", "write 'that exists'"},
    {R"(\b(option|file|message|rule|field|key|type)s? tells?\b)", "write 'says', 'specifies' or 'contains'"},
};

/// The first bad phrase in the text, with the reason; "" if there is none.
std::string BadWordIn(const std::string& text) {
  for (const Word& word : kWords) {
    const std::regex pattern{std::string(word.pattern)};
    if (std::smatch match; std::regex_search(text, match, pattern)) {
      return "'" + match.str() + "': " + std::string(word.reason);
    }
  }
  return "";
}

TEST(Words, OfMessagesAreThoseOfTheField) {
  for (const DiagnosticKind kind : AllDiagnosticKinds()) {
    EXPECT_EQ(BadWordIn(std::string(Info(kind).message)), "") << Name(kind);
    EXPECT_EQ(BadWordIn(std::string(Info(kind).sentence)), "") << Name(kind);
  }
}

// Examples and sessions are not checked, because they are the input and output of the command. The pages mistakes.md
// and checker.md contain texts of tables, which the test above checks.
TEST(Words, OfDocumentsAreThoseOfTheField) {
  std::vector<fs::path> pages = {fs::path(testing::kDocs).parent_path() / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(testing::kDocs)) {
    if (entry.path().extension() == ".md" && entry.path().filename() != "mistakes.md") pages.push_back(entry.path());
  }
  ASSERT_GT(pages.size(), 200u);
  for (const fs::path& page : pages) {
    std::ifstream file(page);
    int number = 0;
    bool is_code = false;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.find("```") != std::string::npos) is_code = !is_code;
      if (is_code || line.starts_with("    ") || line.starts_with("| [`")) continue;
      EXPECT_EQ(BadWordIn(line), "") << page.string() << ':' << number << ": " << line;
    }
  }
}

TEST(Words, AreFound) {
  EXPECT_NE(BadWordIn("the data stand in two fields"), "");
  EXPECT_NE(BadWordIn("'x' is no key of external data"), "");
  EXPECT_EQ(BadWordIn("the symbol stands for a size that is no longer known"), "");
}

}  // namespace
}  // namespace onnxc
