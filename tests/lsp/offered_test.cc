// What completion must not offer: functions that call the one around the cursor, and fields that an element has
// already.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/right_texts.h"
#include "tables/signatures.h"
#include "testing/random_values.h"

namespace onnxc::lsp::offered_test {
namespace {

/// The labels of the items at the first `$`, which is not part of the text.
std::set<std::string> OfferedAt(std::string text) {
  const std::size_t cursor = text.find('$');
  text.erase(cursor, 1);
  RightText document(text);
  std::set<std::string> labels;
  const Json list = document.Ask("textDocument/completion", {cursor, cursor});
  for (const Json& item : list["items"]) {
    labels.insert(item["label"].get<std::string>());
  }
  return labels;
}

// Random functions that call each other: what a function may call is computed here by the closure of all calls.
TEST(Offered, NoFunctionThatCallsTheCurrentOne) {
  constexpr std::size_t kFunctions = 6;
  testing::RandomValues random(1);
  int excluded = 0;
  for (int round = 0; round < 40; ++round) {
    bool calls[kFunctions][kFunctions] = {};
    for (std::size_t left = 1 + random.Below(10); left > 0; --left) {
      calls[random.Below(kFunctions)][random.Below(kFunctions)] = true;
    }
    bool reaches[kFunctions][kFunctions];
    std::copy(&calls[0][0], &calls[0][0] + kFunctions * kFunctions, &reaches[0][0]);
    for (std::size_t via = 0; via < kFunctions; ++via) {
      for (std::size_t i = 0; i < kFunctions; ++i) {
        for (std::size_t j = 0; j < kFunctions; ++j) reaches[i][j] |= reaches[i][via] && reaches[via][j];
      }
    }
    const std::size_t current = random.Below(kFunctions);
    std::string text = "<ir_version: 10, opset_import: [\"f\" : 1]> g (float x) => (y) { y = f.F0 (x) }\n";
    for (std::size_t i = 0; i < kFunctions; ++i) {
      text += fmt::format("<domain: \"f\", opset_import: [\"f\" : 1, \"o\" : 1]> F{} (a) => (b) {{ ", i);
      for (std::size_t j = 0; j < kFunctions; ++j) {
        const bool is_nested = j % 2 == 1;
        if (!calls[i][j]) continue;
        text += is_nested ? fmt::format("n{0} = o.Hold <body = h () => (r) {{ r = f.F{0} (a) }}> () ", j)
                          : fmt::format("c{0} = f.F{0} (a) ", j);
      }
      text += i == current ? "b = f.$Gap (a) }\n" : "b = o.Op (a) }\n";
    }
    SCOPED_TRACE(text);
    std::set<std::string> wanted;
    for (std::size_t i = 0; i < kFunctions; ++i) {
      if (i != current && !reaches[i][current]) wanted.insert(fmt::format("F{}", i));
    }
    excluded += static_cast<int>(kFunctions - wanted.size()) - 1;
    std::set<std::string> offered = OfferedAt(text);
    std::erase_if(offered, [](const std::string& label) { return !label.starts_with('F'); });
    EXPECT_EQ(offered, wanted);
  }
  EXPECT_GT(excluded, 20);
}

// Operators that cannot have as many outputs or operands as the node around the cursor come after all others.
TEST(Offered, OperatorsThatFitTheNodeComeFirst) {
  int last = 0;
  int others = 0;
  for (std::size_t outputs = 1; outputs < 4; ++outputs) {
    for (std::size_t inputs = 1; inputs < 5; ++inputs) {
      std::string text = "<ir_version: 10, opset_import: [\"\" : 21]> g (float[2] x) => (float[2] a0) { ";
      for (std::size_t i = 0; i < outputs; ++i) text += fmt::format("{}a{}", i == 0 ? "" : ", ", i);
      text += " = S";
      const std::size_t cursor = text.size();
      text += " (x";
      for (std::size_t i = 1; i < inputs; ++i) text += ", x";
      text += ") }";
      SCOPED_TRACE(text);
      RightText document(text);
      const Json list = document.Ask("textDocument/completion", {cursor, cursor});
      for (const Json& item : list["items"]) {
        const Operator* const op = FindOperator("", item["label"].get<std::string>(), 21);
        if (op == nullptr) continue;
        const bool is_last = item["sortText"].get<std::string>().starts_with('3');
        const auto is_in = [](std::size_t count, int least, int most) {
          return static_cast<int>(count) >= least && (most == Operator::kUnlimited || static_cast<int>(count) <= most);
        };
        if (!is_in(outputs, 0, op->max_outputs) || !is_in(inputs, op->min_inputs, op->max_inputs)) {
          EXPECT_TRUE(is_last) << item["label"];
        }
        ++(is_last ? last : others);
      }
    }
  }
  EXPECT_GT(last, 50);
  EXPECT_GT(others, 50);
}

TEST(Offered, NoFieldThatTheElementHas) {
  // Each element with a place for annotations, `$`, between others of its kind that have annotations of their own.
  const std::vector<std::string> elements = {
      "g (float[2] x) => (float[2] y) { @doc_string \"m\" t = Abs (x) $ y = Abs (t) @doc_string \"m\" z = Abs (t) }",
      "g (@doc_string \"m\" float[2] w, $ float[2] x, @doc_string \"m\" float[2] v) => (float[2] y) { y = Abs (x) }",
      "g (float[2] x) => (@doc_string \"m\" z, $ float[2] y) { y = Abs (x) }",
      "g (float[2] x) => (float[2] y) <$ float[2] w = {1, 2}, @doc_string \"m\" float v> { y = Abs (x) }",
      "g (float[2] x) => (float[2] y) { y = Op <@doc_string \"m\" a = 1, $ b = 2, @doc_string \"m\" c = 3> (x) }",
  };
  const std::vector<std::string> values = {"\"m\"", "1", "[\"(\", 1]", "{a: [1, 2]}", "word"};
  testing::RandomValues random(2);
  int given = 0;
  for (const std::string& element : elements) {
    const std::string head = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
    const auto with = [&](const std::string& annotations) {
      std::string text = head + element;
      return text.replace(text.find('$'), 1, annotations);
    };
    const std::set<std::string> all = OfferedAt(with("@$"));
    EXPECT_FALSE(all.empty()) << element;
    for (int round = 0; round < 20; ++round) {
      std::set<std::string> wanted = all;
      std::vector<std::string> parts;
      for (const std::string& field : all) {
        if (random.Below(3) == 0) continue;
        const bool is_whole = random.Below(3) > 0;  // a part of a field may be given beside other parts
        parts.push_back(fmt::format("@{}{} {} ", field, is_whole ? "" : ".part", random.Pick(values)));
        if (is_whole) wanted.erase(field);
      }
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(random.Below(parts.size() + 1)), "@$ ");
      std::string annotations;
      for (const std::string& part : parts) annotations += part;
      SCOPED_TRACE(with(annotations));
      EXPECT_EQ(OfferedAt(with(annotations)), wanted);
      given += static_cast<int>(all.size() - wanted.size());
    }
  }
  EXPECT_GT(given, 50);
}

}  // namespace
}  // namespace onnxc::lsp::offered_test
