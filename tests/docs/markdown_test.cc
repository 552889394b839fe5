// Documents link only to existing files and headings, and quote files exactly.
#include "testing/markdown.h"

#include <gtest/gtest.h>

#include <cctype>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/paths.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

const std::regex kLink(R"(\]\(([^)#\s]*)(#[^)]*)?\))");

/// Returns the anchors that GitHub gives to the headings of a document: in lower case, without punctuation, with `-`
/// for spaces. The second heading of the same name gets the suffix `-1`.
std::set<std::string> Anchors(const fs::path& document) {
  static const std::regex kLinkedWords(R"(\[([^\]]*)\]\([^)]*\))");
  std::set<std::string> anchors;
  std::map<std::string, int> counts;
  std::istringstream lines(ReadWhole(document));
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t text = line.find_first_not_of('#');
    if (is_code || text == 0 || text == std::string::npos || line[text] != ' ') continue;
    std::string anchor = "#";
    for (const char c : std::regex_replace(line.substr(text + 1), kLinkedWords, "$1")) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == ' ') anchor += '-';
      if (std::isalnum(byte) || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
    }
    const int before = counts[anchor]++;
    anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

const fs::path kRoot = fs::path(kDocs).parent_path();

/// Returns all Markdown files of the project: the documents, and those of the other folders.
std::vector<fs::path> MarkdownFiles() {
  static const std::set<std::string> kOther = {"build", "node_modules", "testdata", ".git"};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(kRoot), end; entry != end; ++entry) {
    if (entry->is_directory() && kOther.contains(entry->path().filename())) entry.disable_recursion_pending();
    if (entry->path().extension() == ".md") files.push_back(entry->path());
  }
  return files;
}

TEST(Documents, LinkToFilesAndHeadingsThatAreThere) {
  std::map<fs::path, std::set<std::string>> anchors;
  int count = 0;
  for (const fs::path& document : MarkdownFiles()) {
    const std::string text = ReadWhole(document);
    for (std::sregex_iterator link(text.begin(), text.end(), kLink), end; link != end; ++link) {
      const std::string target = (*link)[1];
      const std::string anchor = (*link)[2];
      if (target.find("://") != std::string::npos) continue;
      const fs::path file = target.empty() ? document : (document.parent_path() / target).lexically_normal();
      EXPECT_TRUE(fs::exists(file)) << document << " links to " << target;
      if (anchor.empty() || file.extension() != ".md" || !fs::exists(file)) continue;
      if (!anchors.contains(file)) anchors[file] = Anchors(file);
      EXPECT_TRUE(anchors[file].contains(anchor)) << document << " links to " << target << anchor;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

// A block `cpp FILE` is equal to that file, which another test compiles.
TEST(Documents, QuoteFilesThatAreCompiled) {
  for (const Block& block : AllBlocks(kDocs)) {
    if (block.words.size() != 2 || (block.words[0] != "cpp" && block.words[0] != "cmake")) continue;
    EXPECT_EQ(block.text, ReadWhole(kRoot / block.words[1])) << block.place << " is not " << block.words[1];
  }
}

// Links to addresses that do not exist mislead readers and programs. ONNXC_DOCS_URL, RELEASE_URL and the fields of the
// packages are for real addresses only.
TEST(Documents, ContainNoPlaceholdersForAddresses) {
  std::vector<fs::path> files = MarkdownFiles();
  for (const char* const file :
       {"CMakeLists.txt", "npm/package.json", "editors/vscode/package.json", "scripts/release",
        "scripts/release_contents.py", "scripts/recipes/onnxc.rb", "scripts/recipes/meta.yaml"}) {
    files.push_back(kRoot / file);
  }
  for (const fs::path& file : files) EXPECT_EQ(ReadWhole(file).find("example.org"), std::string::npos) << file;
}

TEST(Documents, CountTheDeviationsFromTheReference) {
  static const std::vector<std::string> kNumbers = {"no",   "one", "two",   "three", "four",
                                                    "five", "six", "seven", "eight"};
  const std::string syntax = ReadWhole(fs::path(kDocs) / "syntax.md");
  const std::size_t begin = syntax.find("## Deviations from the reference");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = syntax.substr(begin, syntax.find("\n## ", begin) - begin);
  static const std::regex kItem(R"(\n\d+\. )");
  const auto count = std::distance(std::sregex_iterator(section.begin(), section.end(), kItem), std::sregex_iterator());
  const std::string readme = std::regex_replace(ReadWhole(kRoot / "README.md"), std::regex("\\s+"), " ");
  EXPECT_NE(readme.find(kNumbers.at(static_cast<std::size_t>(count)) + " deviations"), std::string::npos) << count;
}

}  // namespace
}  // namespace onnxc::testing
