// Which names the rules of a renaming change, and what is told of those that cannot be given.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/parser.h>
#include <onnxc/rename.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::HasSubstr;

onnx::ModelProto Parsed(std::string_view text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model))) << text;
  return model;
}

/// What a renaming tells, each with the words at its place in the text.
std::string ToldOf(const RenameResult& result, const std::string& text) {
  std::string told;
  for (const Diagnostic& item : result.diagnostics.items()) {
    const SourceRange range = item.range;
    if (!told.empty()) told += "\n";
    if (range != kNowhere) told += fmt::format("`{}`: ", text.substr(range.begin, range.end - range.begin));
    told += item.message;
  }
  return told;
}

/// Expects that the message is changed as the text is, and refused with the same words.
void ExpectSameOfMessage(const std::string& text, const RenameOptions& options, const RenameResult& result) {
  onnx::ModelProto model = Parsed(text);
  const Diagnostics found = Rename(&model, options);
  EXPECT_EQ(found.ok(), result.ok());
  EXPECT_EQ(Bytes(model), Bytes(Parsed(result.ok() ? result.text : text)));
  ASSERT_EQ(found.items().size(), result.diagnostics.items().size());
  for (std::size_t i = 0; i < found.items().size(); ++i) {
    EXPECT_EQ(found.items()[i].message, result.diagnostics.items()[i].message);
    EXPECT_EQ(found.items()[i].path.empty(), result.diagnostics.items()[i].range == kNowhere);
  }
}

// ---- rules

const std::vector<std::string> kValues = {"a", "ab", "abc", "bca", "x1", "x22", "ba", "c"};

std::string WithValues(const std::vector<std::string>& names) {
  std::string inputs;
  for (const std::string& name : names) inputs += fmt::format("{}float {}", inputs.empty() ? "" : ", ", name);
  return fmt::format("<ir_version: 10, opset_import: [\"\" : 21]>\nq ({}) => () {{\n}}\n", inputs);
}

// What two patterns do is computed here with the expressions of the standard library.
TEST(RenameRules, EachPairOfPatterns) {
  const std::vector<std::string> patterns = {"a",      "^a",  "b$", "[0-9]+", "x",   "(.)b", "z",
                                             "a|bc",   "c",   "^b", "..",     "^.$", "ab+c", "22",
                                             "x[^1]*", "abd", "b",  "^ba",    "a$",  "[x-z]"};
  int refused = 0;
  for (const std::string& first : patterns) {
    for (const std::string& second : patterns) {
      SCOPED_TRACE(first + " and " + second);
      const std::vector<std::string> rules = {first, second};
      std::vector<std::string> names;
      std::vector<std::vector<std::string>> taken(2);  // the names that each pattern changes
      for (const std::string& name : kValues) {
        std::string changed = name;
        for (std::size_t i = 0; i < 2; ++i) {
          const std::regex expression(rules[i], std::regex::extended);
          if (!std::regex_search(name, expression)) continue;
          taken[i].push_back(name);
          changed = std::regex_replace(name, expression, "_$&_");
          break;
        }
        names.push_back(changed);
      }
      const RenameOptions options = {
          .rules = {{first, "_&_"}, {second, "_\\0_"}}, .regex = true, .kinds = {NameKind::kValue}};
      const std::string text = WithValues(kValues);
      const RenameResult result = RenameText(text, options);
      ExpectSameOfMessage(text, options, result);
      std::string wanted;
      for (std::size_t i = 0; i < 2; ++i) {
        if (!taken[i].empty()) continue;
        wanted += fmt::format("{}the model has no value that matches '{}'", wanted.empty() ? "" : "\n", rules[i]);
        const auto is_matched = [&](const std::string& name) {
          return std::regex_search(name, std::regex(rules[i], std::regex::extended));
        };
        const auto earlier = std::ranges::find_if(taken[0], is_matched);
        if (i == 0 || earlier == taken[0].end()) continue;
        wanted += fmt::format(" after the earlier pattern '{}', which matches '{}' too", first, *earlier);
      }
      if (!wanted.empty()) ++refused;
      EXPECT_EQ(ToldOf(result, text), wanted);
      EXPECT_EQ(result.text, wanted.empty() ? WithValues(names) : "");
    }
  }
  EXPECT_GT(refused, 19);
}

// Names of each kind, an attribute and an operator, whose names are nobody's to rename.
const std::string kOfEachKind = R"(<ir_version: 10, opset_import: ["": 21, "doo": 1, "other": 1]>
g (float[Doo] voo) => (float[Doo] woo) {
  [noo] woo = doo.Foo <aoo = 1> (voo)
  zoo = other.Ooo (voo)
}
<domain: "doo", opset_import: ["": 21]> Foo <aoo> (poo) => (qoo) { qoo = Cast <to: int = @aoo> (poo) }
)";
const std::vector<std::vector<std::string>> kNamesOfKinds = {
    {"voo", "woo", "zoo", "poo", "qoo"}, {"noo"}, {"Foo"}, {"Doo"}, {"doo"}};

/// The text in which each of the names ends with `end`.
std::string WithEnds(std::string text, const std::vector<std::string>& names, std::string_view end) {
  for (const std::string& name : names) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += 3) text.replace(at + 1, 2, end);
  }
  return text;
}

TEST(RenameRules, EachKindOfNameByPatternAndByName) {
  for (std::size_t kind = 0; kind < kNameKinds.size(); ++kind) {
    SCOPED_TRACE(kNameKinds[kind]);
    RenameOptions options = {.rules = {{"oo$", "uu"}}, .regex = true, .kinds = {static_cast<NameKind>(kind)}};
    const std::string expected = WithEnds(kOfEachKind, kNamesOfKinds[kind], "uu");
    EXPECT_TRUE(testing::AreSame(RenameText(kOfEachKind, options).text, expected));
    ExpectSameOfMessage(kOfEachKind, options, RenameText(kOfEachKind, options));
    options.regex = false;
    options.rules.clear();
    for (const std::string& name : kNamesOfKinds[kind]) options.rules.push_back({name, name.substr(0, 1) + "uu"});
    EXPECT_TRUE(testing::AreSame(RenameText(kOfEachKind, options).text, expected));
    options.kinds.clear();  // no name is that of several kinds
    EXPECT_TRUE(testing::AreSame(RenameText(kOfEachKind, options).text, expected));
    ExpectSameOfMessage(kOfEachKind, options, RenameText(kOfEachKind, options));
  }
}

TEST(RenameRules, APatternForSeveralKindsIsRefusedUnlessOneIsChosen) {
  for (unsigned chosen = 1; chosen < 32; ++chosen) {  // of each subset of the kinds, one name
    std::string pattern;
    std::string kinds;
    int count = 0;
    for (std::size_t kind = 0; kind < kNameKinds.size(); ++kind) {
      if ((chosen >> kind & 1u) == 0) continue;
      pattern += (pattern.empty() ? "^" : "|^") + kNamesOfKinds[kind][0];
      kinds += fmt::format("{}{}", kinds.empty() ? "" : " and ", kNameKinds[kind]);
      ++count;
    }
    const RenameOptions options = {.rules = {{pattern, "&_"}}, .regex = true};
    const RenameResult result = RenameText(kOfEachKind, options);
    SCOPED_TRACE(pattern);
    EXPECT_EQ(result.ok(), count == 1);
    if (count > 1) {
      EXPECT_THAT(ToldOf(result, kOfEachKind), HasSubstr("there are " + kinds + " with this name; select one kind"));
    }
    ExpectSameOfMessage(kOfEachKind, options, result);
  }
}

TEST(RenameRules, AttributesAndOperatorsAreNobodysToRename) {
  for (const std::string name : {"aoo", "Ooo", "Cast", "to", "g"}) {
    for (const bool regex : {false, true}) {
      const RenameOptions options = {.rules = {{regex ? "^" + name + "$" : name, "new"}}, .regex = regex};
      const RenameResult result = RenameText(kOfEachKind, options);
      EXPECT_THAT(ToldOf(result, kOfEachKind), HasSubstr("the model has no name")) << name;
      ExpectSameOfMessage(kOfEachKind, options, result);
    }
  }
}

// ---- refusals

/// Names that cannot be given to a kind of name, with the reason.
TEST(RenameRules, NamesThatEachKindCannotHave) {
  struct Forbidden {
    std::string name;
    std::map<NameKind, std::string> why;
  };
  const auto size = [](const std::string& value) {
    return std::map<NameKind, std::string>{
        {NameKind::kDimension,
         fmt::format("that is not a name; 'onnxc set --dim Doo={}' sets the size of the dimension", value)}};
  };
  const std::string empty = "a name must have at least one character";
  const std::string standard = "that is the domain of the standard operators";
  const std::vector<Forbidden> names = {
      {"",
       {{NameKind::kValue, empty},
        {NameKind::kNode, empty},
        {NameKind::kFunction, empty},
        {NameKind::kDimension, empty},
        {NameKind::kDomain, empty}}},
      {"ai.onnx", {{NameKind::kDomain, standard}}},
      {"3", size("3")},
      {"-1", size("8")},
      {"1.5", size("8")},
      {"+1", size("8")},
      {"?", size("?")},
      {"fine", {}},
      {"a b", {}},
      {"ai.onnx.ml2", {}},
  };
  for (const auto& [name, why] : names) {
    for (std::size_t i = 0; i < kNameKinds.size(); ++i) {
      const auto kind = static_cast<NameKind>(i);
      const std::string& old = kNamesOfKinds[i][0];
      SCOPED_TRACE(old + " -> " + name);
      const RenameOptions options = {.rules = {{old, name}}, .kinds = {kind}};
      const RenameResult result = RenameText(kOfEachKind, options);
      ExpectSameOfMessage(kOfEachKind, options, result);
      const auto found = why.find(kind);
      EXPECT_EQ(result.ok(), found == why.end()) << ToldOf(result, kOfEachKind);
      if (found == why.end()) continue;
      EXPECT_THAT(ToldOf(result, kOfEachKind),
                  HasSubstr(fmt::format("{}' cannot become '{}': {}", old, name, found->second)));
      for (const Diagnostic& item : result.diagnostics.items()) {  // at the name, which may have quotes
        const std::string at = kOfEachKind.substr(item.range.begin, item.range.end - item.range.begin);
        EXPECT_TRUE(at == old || at == fmt::format("\"{}\"", old)) << at;
      }
    }
  }
}

const std::string kNested = R"(<ir_version: 10, opset_import: ["": 21, "f": 1, "k": 1]>
g (float[M, N] x, bool c) => (float[M, O] y) {
  [one] a = f.F (x)
  [two] y = If (c) <
    then_branch = t () => (p) {
      [three] r = Neg (a)
      [four] p = If (c) <then_branch = t2 () => (s) { [five] s = Abs (r) }, else_branch = e2 () => (u) { u = f.G (r) }>
    },
    else_branch = e () => (q) { [six] q = Neg (a) }
  >
}
<domain: "f", opset_import: ["": 21]> F (m) => (n) { [seven] o = Relu (m) n = Neg (o) }
<domain: "f", opset_import: ["": 21]> G (i) => (j) { [eight] j = Relu (i) }
<domain: "k", opset_import: ["": 21]> H (v) => (w) { w = Relu (v) }
)";
/// The values, and the graphs from the outermost one to that which has the value.
const std::vector<std::pair<std::string, std::string>> kScopes = {
    {"x", "g"},  {"c", "g"}, {"y", "g"}, {"a", "g"}, {"p", "gt"}, {"r", "gt"}, {"s", "gt2"}, {"u", "gte"},
    {"q", "ge"}, {"m", "F"}, {"n", "F"}, {"o", "F"}, {"i", "G"},  {"j", "G"},  {"v", "H"},   {"w", "H"}};

bool AreVisible(const std::string& a, const std::string& b) { return a.starts_with(b) || b.starts_with(a); }

TEST(RenameRules, ARefusalNamesBothValuesAndThePlaceOfTheOther) {
  for (const auto& [from, scope] : kScopes) {
    for (const auto& [to, other] : kScopes) {
      if (from == to) continue;
      SCOPED_TRACE(from + " -> " + to);
      const bool is_refused = AreVisible(scope, other);
      RenameOptions options = {.rules = {{from, to}}, .kinds = {NameKind::kValue}};
      RenameResult result = RenameText(kNested, options);
      EXPECT_EQ(ToldOf(result, kNested),
                is_refused
                    ? fmt::format("`{1}`: '{0}' cannot become '{1}': '{1}' is already the name of another value here",
                                  from, to)
                    : "");
      ExpectSameOfMessage(kNested, options, result);
      options.rules = {{from, "fresh"}, {to, "fresh"}};
      result = RenameText(kNested, options);
      EXPECT_EQ(result.ok(), !is_refused);
      if (is_refused) {
        EXPECT_THAT(
            ToldOf(result, kNested),
            ::testing::AnyOf(
                HasSubstr(fmt::format("`{1}`: '{0}' cannot become 'fresh': '{1}' gets the same name", from, to)),
                HasSubstr(fmt::format("`{0}`: '{1}' cannot become 'fresh': '{0}' gets the same name", from, to))));
      }
      ExpectSameOfMessage(kNested, options, result);
      options.rules = {{from, to}, {to, from}};
      EXPECT_TRUE(testing::Ok(RenameText(kNested, options)));
    }
  }
}

TEST(RenameRules, ARefusalNamesBothOfOtherKinds) {
  struct OfKind {
    NameKind kind;
    std::vector<std::vector<std::string>> groups;  // names of one group must differ
    std::string why;
  };
  const std::vector<OfKind> kinds = {
      {NameKind::kNode,
       {{"one", "two"}, {"three", "four"}, {"five"}, {"six"}, {"seven"}, {"eight"}},
       "another node of the graph has this name"},
      {NameKind::kFunction, {{"F", "G"}, {"H"}}, "'{}' already exists"},
      {NameKind::kDomain, {{"f", "k"}}, "the model has another domain of this name"},
  };
  for (const auto& [kind, groups, why] : kinds) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = 0; j < groups.size(); ++j) {
        for (const std::string& from : groups[i]) {
          for (const std::string& to : groups[j]) {
            if (from == to) continue;
            const RenameOptions options = {.rules = {{from, to}}, .kinds = {kind}};
            const RenameResult result = RenameText(kNested, options);
            const std::string wanted =
                fmt::format("'{}' cannot become '{}': {}", from, to, fmt::format(fmt::runtime(why), to));
            EXPECT_EQ(result.ok(), i != j) << from << " -> " << to << ToldOf(result, kNested);
            if (i == j) {
              EXPECT_THAT(ToldOf(result, kNested), HasSubstr(wanted));
            }
            ExpectSameOfMessage(kNested, options, result);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
