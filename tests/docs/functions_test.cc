// The table of functions in docs/robustness.md contains all functions that the public headers declare.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

TEST(FunctionTable, HasEachPublicFunction) {
  const std::filesystem::path docs = kDocs;
  std::string table = ReadWhole(docs / "robustness.md");
  const std::size_t begin = table.find("<!-- functions -->");
  ASSERT_NE(begin, std::string::npos);
  table = table.substr(begin, table.find("<!-- end -->", begin) - begin);
  // The declaration begins at the start of a line, because members are indented. Macros and variables have no
  // parenthesis.
  const std::regex declaration(
      R"((?:^|\n)(?:\[\[nodiscard\]\] |void |template <[^>]*>\s*|constexpr )[\w:<>&*,\s\[\]]*?\b(?!requires\b)(\w+)\()");
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(docs.parent_path() / "include" / "onnxc")) {
    const std::string header = ReadWhole(entry.path());
    for (std::sregex_iterator match(header.begin(), header.end(), declaration), end; match != end; ++match) {
      const std::string name = (*match)[1];
      ++count;
      EXPECT_NE(table.find("`" + name + "`"), std::string::npos) << name << " of " << entry.path();
    }
  }
  EXPECT_GT(count, 50u);
}

}  // namespace
}  // namespace onnxc::testing
