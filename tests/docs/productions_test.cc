// The comment above a function that reads a grammar rule contains a copy of the rule. Each copy must agree with
// grammar/OnnxText.g4:
//
//   // name : body                 labels and actions are not compared; `name` may replace the set of all name tokens
//   //        rest of the body     continues the rule; begins after at least four spaces
//   // name : body       a remark  a remark begins after at least three spaces
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::testing {
namespace {

namespace fs = std::filesystem;

std::string Replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// The rule without its actions in braces; braces in a literal are kept.
std::string WithoutActions(const std::string& text) {
  std::string kept;
  bool is_literal = false;
  int depth = 0;
  for (const char c : text) {
    if (c == '\'') is_literal = !is_literal;
    if (c == '{' && !is_literal) ++depth;
    if (depth == 0) kept += c;
    if (c == '}' && !is_literal) --depth;
  }
  return kept;
}

/// A normal form, in which different spellings of the same rule are equal.
std::string Normal(const std::string& body) {
  std::string text = Replaced(WithoutActions(body), R"(\w+=(?=['(A-Za-z]))", "");
  text = Replaced(text, R"(\s+)", "");
  text = Replaced(text, R"(\(ID\|STRING\|keyword\))", "name");
  text = Replaced(text, R"(\(ID\|STRING\|ELEMENT\|SEQ\|OPTIONAL\|MAP\|SPARSE_TENSOR\|OPAQUE\|SPECIAL\))", "name");
  return Replaced(text, R"(\((\w+)\)([*+?]))", "$1$2");
}

std::map<std::string, std::string> ReadGrammar(const fs::path& file) {
  const std::string text = Replaced(ReadWhole(file), R"(//[^\n]*)", "");
  std::map<std::string, std::string> productions;
  const std::regex rule(R"(\n([a-z]\w*)\s*:((?:'[^']*'|[^';{]|\{[^}']*\})*);)");
  for (std::sregex_iterator it(text.begin(), text.end(), rule), end; it != end; ++it) {
    productions[(*it)[1]] = Normal((*it)[2]);
  }
  return productions;
}

std::string WithoutRemark(const std::string& text) { return Replaced(text, R"((\S)   .*$)", "$1"); }

TEST(Productions, AboveFunctionsAreThoseOfTheGrammar) {
  const fs::path root = fs::path(kTestdata).parent_path();
  const auto grammar = ReadGrammar(root / "grammar/OnnxText.g4");
  ASSERT_GT(grammar.size(), 50u);
  const std::regex begin(R"(^\s*///? ([a-z]\w*) *: (.*)$)");
  const std::regex rest(R"(^\s*///?    +(.*)$)");
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src")) {
    if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::string line;
    for (bool has_line = static_cast<bool>(std::getline(file, line)); has_line;) {
      std::smatch found;
      const std::string first = line;
      has_line = static_cast<bool>(std::getline(file, line));
      if (!std::regex_match(first, found, begin) || !grammar.contains(found[1])) continue;
      std::string body = WithoutRemark(found[2]);
      for (std::smatch more; has_line && std::regex_match(line, more, rest);) {
        body += ' ' + WithoutRemark(more[1]);
        has_line = static_cast<bool>(std::getline(file, line));
      }
      EXPECT_EQ(Normal(body), grammar.at(found[1])) << entry.path().string() << ": " << first;
      ++count;
    }
  }
  EXPECT_GT(count, 80);
}

}  // namespace
}  // namespace onnxc::testing
