// Tests each rule with a valid model, and with the same model after a change that breaks the rule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/accidents.h"
#include "testing/findings.h"
#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc::accident {
namespace {

class RuleTest : public ::testing::TestWithParam<Case> {};

TEST_P(RuleTest, IsKeptAndBroken) {
  ModelProto model = Parsed(GetParam().text);
  EXPECT_EQ(BrokenRules(model), std::set<std::string_view>());
  GetParam().accident(model);
  EXPECT_TRUE(BrokenRules(model, /*optional_rules=*/true).contains(GetParam().rule)) << model.DebugString();
}

INSTANTIATE_TEST_SUITE_P(All, RuleTest, ::testing::ValuesIn(Cases()), [](const auto& test) {
  std::string name(test.param.rule);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Rules, EachHasATest) {
  // Rules that apply only to texts are tested in texts_test.cc, rules for files of operators in operators_test.cc.
  std::set<std::string_view> tested = {"small-float-bits", "repeated-key", "run-value-field", "run-value-type",
                                       "map-keys",         "unused-input", "unused-value",    "operator-declaration"};
  for (const Case& row : Cases()) tested.insert(row.rule);
  for (const Rule& rule : ListRules()) EXPECT_TRUE(tested.contains(rule.name)) << rule.name;
  EXPECT_EQ(tested.size(), ListRules().size());
}

/// Returns what is told of the broken rule in each case, with paths and, if there is a text of the model, with its
/// words.
std::string FindingsOf(const std::string& rule) {
  static const testing::Folder kFolder;  // of the model
  kFolder.Write("four_bytes.bin", "1234");
  std::string findings;
  for (const Case& row : Cases()) {
    if (row.rule != rule) continue;
    ModelProto model = Parsed(row.text);
    row.accident(model);
    const Diagnostics diagnostics =
        CheckModel(model, {.optional_rules = true, .directory = kFolder.path().string(), .checksums = true});
    for (const Diagnostic& item : diagnostics.items()) {
      if (Name(item.kind) != rule) continue;
      std::string message = item.message;
      if (const std::size_t at = message.find(kFolder.path().string()); at != std::string::npos) {
        message.replace(at, kFolder.path().string().size(), "FOLDER");
      }
      findings += fmt::format("{}: {}\n", item.path, message);
    }
    for (const ToldInText& told : FindingsInText(model, rule)) {
      std::string words = told.words[0];
      std::ranges::replace(words, '\n', ' ');
      findings +=
          fmt::format("in its text, `{}`{}\n", words.size() > 60 ? words.substr(0, 60) + "..." : words, told.rest);
    }
  }
  return findings;
}

TEST(RuleFindings, AreThoseOfTheGoldenFile) {
  const std::string path = std::string(testing::kTestdata) + "/check/rules.test";
  testing::ExpectFindings(path, [](const std::string&, const std::string& rule) { return FindingsOf(rule); });
  const std::string golden = testing::ReadWhole(path);
  for (const Case& row : Cases()) {
    EXPECT_NE(golden.find(fmt::format("\nrule: {}\n> ", row.rule)), std::string::npos) << row.rule;
  }
}

}  // namespace
}  // namespace onnxc::accident
