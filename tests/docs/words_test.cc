// Phrases that readers who did not know the project had to read twice. They must not return to messages and documents.
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "source/report.h"
#include "testing/folder.h"
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
    {R"([^CL] anew\b)", "write 'again'"},
    {R"(\bbut for\b)", "write 'except for'"},
    {R"(\bgraph around\b)", "write 'enclosing graph'"},
    {R"(\bthat there is(\.|,| not))", "write 'that exists'"},
    {R"(\b(option|file|message|rule|field|key|type|column|name)s? tells?\b)",
     "write 'says', 'specifies' or 'contains'"},
    {R"(\bin the place of\b)", "write 'instead of', or 'as a replacement for'"},
    {R"(\bbeside (the|a|an|it|that|them)\b)", "write 'next to', 'in the same folder as' or 'in a separate file'"},
    {R"(\b[Ww]hole or not at all\b)", "write 'either the complete file or nothing'"},
    {R"(\bcomes? back (from|with|the same)\b)", "write 'is the same after printing and parsing'"},
    {R"(\b[Ww]here (there (is|are)|it is not|that is|something|nothing)\b)", "write 'if': 'where' is a place"},
    {R"((^|\. )(What|Whoever|Those) [a-z]+ )", "begin with a noun: 'An error', 'The output'"},
    {R"(\ball the same\b)", "write 'anyway'"},
    {R"(\bfor sure\b)", "write 'certain'"},
    {R"(\bthe other way round\b)", "write 'the reverse'"},
    {R"(\bstrangers?\b)", "write 'untrusted'"},
    {R"(\bblanks?\b)", "write 'space'"},
    {R"(\btried out\b)", "write 'tested'"},
    {R"(\bjudged?\b)", "write 'check'"},
    {R"(\btakes? the place of (a|an|it|each|one)\b)", "write 'replaces'"},
    {R"(\b(so|as) many as there are\b)", "name the number"},
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
  const fs::path root = fs::path(testing::kDocs).parent_path();
  std::vector<fs::path> pages;
  for (const char* page : {"README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md", "fuzz/README.md",
                           "editors/README.md", "editors/vscode/README.md"}) {
    pages.push_back(root / page);
  }
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

// The manual page contains the help of all subcommands.
TEST(Words, OfTheHelpAreThoseOfTheField) {
  if (*testing::kCommand == '\0') GTEST_SKIP() << "there is no command";
  const testing::Folder folder;
  ASSERT_EQ(std::system((std::string(testing::kCommand) + " help --man >" + folder.Path("page")).c_str()), 0);
  std::istringstream page(folder.Read("page"));
  for (std::string line; std::getline(page, line);) EXPECT_EQ(BadWordIn(line), "") << line;
}

TEST(Words, AreFound) {
  EXPECT_NE(BadWordIn("the data stand in two fields"), "");
  EXPECT_NE(BadWordIn("'x' is no key of external data"), "");
  EXPECT_EQ(BadWordIn("the symbol stands for a size that is no longer known"), "");
}

}  // namespace
}  // namespace onnxc
