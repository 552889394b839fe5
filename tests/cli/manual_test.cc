// The manual page, as `onnxc help --man` writes it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

std::string ManualPage() {
  const testing::Folder folder;
  EXPECT_EQ(std::system((std::string(testing::kCommand) + " help --man >" + folder.Path("page")).c_str()), 0);
  return folder.Read("page");
}

/// The macro that a line calls, or "" if there is none.
std::string MacroOf(const std::string& line) {
  return line.starts_with('.') ? line.substr(0, line.find(' ')) : std::string();
}

/// A macro that begins a paragraph must be followed by text, which may be indented, and not by another such macro or
/// the end of the page.
TEST(Manual, HasNoEmptyParagraphs) {
  const std::set<std::string> headings = {".SH", ".SS"};
  const std::set<std::string> paragraphs = {".PP", ".LP", ".P", ".TP", ".IP", ".HP"};
  std::istringstream page(ManualPage());
  std::string before;
  int count = 0;
  for (std::string line; std::getline(page, line);) {
    const std::string macro = MacroOf(line);
    const bool is_begin = headings.contains(macro) || paragraphs.contains(macro);
    if (paragraphs.contains(before)) {
      EXPECT_FALSE(is_begin || macro == ".RE") << before << " is empty before: " << line;
    } else if (headings.contains(before)) {
      EXPECT_FALSE(macro == ".PP" || macro == before) << before << " is followed by: " << line;
    }
    count += is_begin ? 1 : 0;
    before = macro;
  }
  EXPECT_FALSE(paragraphs.contains(before) || headings.contains(before)) << "the page ends with " << before;
  EXPECT_GT(count, 50);
}

/// Some versions of CLI11 do not accept each name of a positional argument, and throw an exception when any command
/// starts: CLI11 2.4 does not accept these characters, and 2.1 does.
TEST(Manual, NamesOfPositionalArgumentsAreValidInEachVersionOfCli11) {
  const std::regex argument(R"(\\fI([^\\]+)\\fR)");  // an entry of the list of arguments: the line has nothing else
  std::istringstream page(ManualPage());
  std::set<std::string> names;
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (std::regex_match(line, match, argument)) names.insert(match[1]);
  }
  for (const std::string& name : names) EXPECT_EQ(name.find_first_of("=:{!- \t"), std::string::npos) << name;
  EXPECT_GT(names.size(), 4u);
}

}  // namespace
}  // namespace onnxc
