// Documents link only to existing files and headings, and quote files exactly.
#include "testing/markdown.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <sstream>

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

TEST(Documents, LinkToFilesAndHeadingsThatAreThere) {
  std::map<fs::path, std::set<std::string>> anchors;
  int count = 0;
  for (const fs::path& document : Documents(kDocs)) {
    ASSERT_TRUE(fs::exists(document)) << document;
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
  const fs::path root = fs::path(kDocs).parent_path();
  for (const Block& block : AllBlocks(kDocs)) {
    if (block.words.size() != 2 || (block.words[0] != "cpp" && block.words[0] != "cmake")) continue;
    EXPECT_EQ(block.text, ReadWhole(root / block.words[1])) << block.place << " is not " << block.words[1];
  }
}

}  // namespace
}  // namespace onnxc::testing
