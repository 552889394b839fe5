// Documents link only to existing files, and quote files exactly.
#include "testing/markdown.h"

#include <gtest/gtest.h>

#include <regex>

#include "testing/paths.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

TEST(Documents, LinkToFilesThatAreThere) {
  static const std::regex kLink(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const fs::path& document : Documents(kDocs)) {
    ASSERT_TRUE(fs::exists(document)) << document;
    const std::string text = ReadWhole(document);
    for (std::sregex_iterator link(text.begin(), text.end(), kLink), end; link != end; ++link) {
      const std::string target = (*link)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(document.parent_path() / target)) << document << " links to " << target;
    }
  }
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
