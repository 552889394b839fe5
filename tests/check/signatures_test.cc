// Tests nodes of every operator in every version: numbers of inputs and outputs, omitted ones, and types.
#include "tables/signatures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/corrections.h"
#include "check/each_operator.h"
#include "source/words.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"
#include "testing/predicates.h"

namespace onnxc::signatures_test {
namespace {

using ::testing::HasSubstr;
using namespace each_operator;  // NOLINT(google-build-using-namespace): the helpers of these tests

// ---- numbers of operands

/// The numbers of inputs, or outputs, that a version of an operator allows.
struct Numbers {
  int low;
  int high;
  std::uint32_t holes;

  [[nodiscard]] bool Allow(int n) const {
    return n >= low && (n <= high || high == Operator::kUnlimited) && (n > 31 || (holes & (1u << n)) == 0);
  }
  [[nodiscard]] std::string Words(std::string_view noun) const {
    const auto counted = [&](int n) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); };
    if (high == Operator::kUnlimited) return "at least " + counted(low);
    if (low == high) return counted(low);
    std::string list;
    for (int n = low; n < high; ++n) {
      if (Allow(n)) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
    }
    return holes == 0 ? fmt::format("{} to {}", low, counted(high)) : fmt::format("{} or {}", list, counted(high));
  }
};
Numbers InputsOf(const Operator& op) { return {op.min_inputs, op.max_inputs, op.input_holes}; }
Numbers OutputsOf(const Operator& op) { return {op.min_outputs, op.max_outputs, op.output_holes}; }

/// Returns the place and the beginning of the message for `n` operands, or "" if that many are allowed.
std::string CountMessage(const Numbers& numbers, int n, std::string_view verb, std::string_view noun,
                         std::string_view has, const Operator& op) {
  if (numbers.Allow(n)) return "";
  const bool is_more = n > numbers.high && numbers.high != Operator::kUnlimited;
  return fmt::format("graph.node[0]{}: {} {} {}, but this node {} {}",
                     is_more ? fmt::format(".{}[{}]", noun, numbers.high) : "", Word(op), verb, numbers.Words(noun),
                     has, n);
}

TEST(Signatures, EachNumberOfOperands) {
  ForEachOperator([](const Operator& op) {
    SCOPED_TRACE(Id(op));
    const auto most = [](int high, int low) { return high == Operator::kUnlimited ? low + 3 : high + 2; };
    for (int n = 0; n <= most(op.max_inputs, op.min_inputs); ++n) {
      ModelProto model = WithNode(op);
      AddInputs(n, &model);
      AddOutputs(std::max<int>(op.min_outputs, 1), &model);
      const std::vector<std::string> told = Told(model, {"input-count"});
      std::string wanted = CountMessage(InputsOf(op), n, "accepts", "input", "has", op);
      ASSERT_EQ(told.size(), wanted.empty() ? 0u : 1u) << n << " inputs";
      if (wanted.empty()) continue;
      for (const Operator& version : VersionsOf(op)) {
        if (version.since <= op.since || !InputsOf(version).Allow(n)) continue;
        wanted += fmt::format("; since version {} it accepts {}", static_cast<int>(version.since),
                              InputsOf(version).Words("input"));
        break;
      }
      std::string names;
      for (const Parameter& formal : Inputs(op)) {
        names += fmt::format("{}{}{}", names.empty() ? "; its inputs are " : ", ", Word(formal),
                             Is(formal, Arity::kOptional) ? " (optional)" : "");
      }
      const bool is_list = std::ranges::any_of(Inputs(op), [](const auto& each) { return Is(each, Arity::kVariadic); });
      if (!is_list && Inputs(op).size() > 1) wanted += names;
      EXPECT_EQ(told[0], wanted);
    }
    for (int n = 0; n <= most(op.max_outputs, op.min_outputs); ++n) {
      ModelProto model = WithNode(op);
      AddInputs(std::max<int>(op.min_inputs, 1), &model);
      AddOutputs(n, &model);
      const std::vector<std::string> told = Told(model, {"output-count"});
      const std::string wanted = CountMessage(OutputsOf(op), n, "produces", "output", "lists", op);
      ASSERT_EQ(told.size(), wanted.empty() ? 0u : 1u) << n << " outputs";
      if (!told.empty()) {
        EXPECT_THAT(told[0], ::testing::StartsWith(wanted));
      }
    }
  });
}

TEST(Signatures, EachRequiredOperandLeftOut) {
  constexpr int kInput = 0;
  ForEachOperator([](const Operator& op) {
    SCOPED_TRACE(Id(op));
    for (const int field : {kInput, kInput + 1}) {
      const auto formals = field == kInput ? Inputs(op) : Outputs(op);
      const std::string_view noun = field == kInput ? "input" : "output";
      const Numbers numbers = field == kInput ? InputsOf(op) : OutputsOf(op);
      for (int n = std::max(numbers.low, 1); n <= static_cast<int>(formals.size()); ++n) {
        for (int left_out = 0; left_out < n; ++left_out) {
          ModelProto model = WithNode(op);
          AddInputs(field == kInput ? n : std::max<int>(op.min_inputs, 1), &model);
          AddOutputs(field == kInput ? std::max<int>(op.min_outputs, 1) : n, &model);
          auto* const names = field == kInput ? NodeOf(model).mutable_input() : NodeOf(model).mutable_output();
          names->at(left_out).clear();
          const Parameter& formal = formals[static_cast<std::size_t>(left_out)];
          const std::vector<std::string> told = Told(model, {field == kInput ? "required-input" : "required-output"});
          if (Is(formal, Arity::kSingle)) {
            EXPECT_THAT(told, ::testing::ElementsAre(fmt::format("graph.node[0].{0}[{1}]: {0} '{2}' of {3} is required",
                                                                 noun, left_out, Word(formal), Word(op))));
          } else {
            EXPECT_THAT(told, ::testing::IsEmpty());
          }
        }
      }
    }
  });
}

// ---- superfluous commas

// `Add (x,, y)`: an empty name makes the list longer by one than the signature. If it stands where a value is required,
// or is the only one that the call leaves out, the ',' is the mistake.
TEST(Signatures, EachSuperfluousComma) {
  constexpr std::string_view kWords = "there is one ',' too many";
  int corrected = 0;
  ForEachOperator([&](const Operator& op) {
    SCOPED_TRACE(Id(op));
    const std::size_t size = Inputs(op).size();
    const auto outputs = Numbered("out", static_cast<std::size_t>(std::max<int>(op.min_outputs, 1)));
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<std::string> names = Numbered("in", size);
      const std::string right = TextOf(op, List(names), List(outputs));
      names.insert(names.begin() + static_cast<std::ptrdiff_t>(at), "");
      const std::vector<Finding> told =
          ToldIn(TextOf(op, List(names), List(outputs)), {"input-count", "required-input"});
      const bool is_required = Is(Inputs(op)[at], Arity::kSingle);
      if (!is_required && InputsOf(op).Allow(static_cast<int>(size) + 1)) {  // a list whose elements may be left out
        EXPECT_TRUE(told.empty()) << at << ": " << told[0].message;
        continue;
      }
      ASSERT_EQ(told.size(), 1u) << at;
      if (!is_required && at == 0) continue;  // `(, x)` may leave out the first input
      EXPECT_THAT(told[0].message, HasSubstr(kWords)) << at;
      if (at == 0) continue;  // nothing is in front of it
      ++corrected;
      ModelProto wanted;
      ModelProto after;
      ASSERT_TRUE(testing::Ok(Parse(right, &wanted)));
      ASSERT_TRUE(testing::Ok(Parse(told[0].corrected, &after))) << at << told[0].corrected;
      EXPECT_EQ(after.SerializeAsString(), wanted.SerializeAsString()) << told[0].corrected;
    }
    for (std::size_t at = 1; at + 1 < size; ++at) {  // two values are left out: who knows which ',' is the wrong one?
      if (!Is(Inputs(op)[at], Arity::kOptional) || !Is(Inputs(op)[at + 1], Arity::kOptional)) continue;
      std::vector<std::string> names = Numbered("in", size + 1);
      names[at] = names[at + 1] = "\"\"";
      for (const Finding& each : ToldIn(TextOf(op, List(names), List(outputs)), {"input-count", "required-input"})) {
        EXPECT_THAT(each.message, Not(HasSubstr(kWords)));
      }
    }
  });
  EXPECT_GT(corrected, 300);
}

// ---- operands that stand in the places of others

/// Returns element types of tensors that the inputs of the operator accept, or nothing if an input is no tensor.
std::optional<std::vector<int>> TypesFor(const Operator& op) {
  std::map<int, int> of_variable;
  std::vector<int> types;
  for (const Parameter& formal : Inputs(op)) {
    int type = 0;
    if (formal.homogeneous && of_variable.contains(formal.variable)) type = of_variable.at(formal.variable);
    for (int code = 1; type == 0 && code <= onnx::TensorProto::BFLOAT16; ++code) {
      if (FindElementType(code) != nullptr && Types(formal).Has(TensorType(code))) type = code;
    }
    if (type == 0 || Is(formal, Arity::kVariadic)) return std::nullopt;
    if (formal.homogeneous) of_variable[formal.variable] = type;
    types.push_back(type);
  }
  return types;
}

std::string TextWith(const Operator& op, const std::vector<std::string>& inputs, const std::vector<int>& types) {
  std::vector<std::string> declared;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = fmt::format("in{}", i);
    if (std::ranges::find(inputs, name) == inputs.end()) continue;
    declared.push_back(fmt::format("{} {}", FindElementType(types[i])->keyword, name));
  }
  const auto outputs = Numbered("out", static_cast<std::size_t>(std::max<int>(op.min_outputs, 1)));
  return TextOf(op, List(inputs), List(outputs), List(declared));
}

const std::set<std::string_view> kAboutOperands = {"operand-type", "operand-types-differ", "input-count",
                                                   "required-input"};

// `Clip (x, max)`: an optional input is left out without a trace. It is found if exactly one number of empty names in
// front of the first wrong input makes the call right.
TEST(Signatures, EachOptionalInputLeftOutWithoutAnEmptyName) {
  int told_of = 0;
  ForEachOperator([&](const Operator& op) {
    const auto types = TypesFor(op);
    if (!types || types->size() > 8) return;
    SCOPED_TRACE(Id(op));
    const std::size_t size = types->size();
    for (std::size_t from = 0; from < size; ++from) {
      for (std::size_t to = from + 1; to < size; ++to) {  // the inputs from `from` up to `to` are left out
        std::vector<std::string> inputs = Numbered("in", size);
        inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(from),
                     inputs.begin() + static_cast<std::ptrdiff_t>(to));
        const std::string text = TextWith(op, inputs, *types);
        for (const Finding& each : ToldIn(text, {"operand-type"})) {
          const bool is_told = each.message.find("which fits the input") != std::string::npos;
          std::vector<std::string> right;  // the texts in which empty names make the call right
          const auto at = static_cast<std::size_t>(std::ranges::find(inputs, each.at) - inputs.begin());
          std::vector<std::string> others = inputs;
          for (std::size_t gap = 1; at + gap < size; ++gap) {
            if (!Is(Inputs(op)[at + gap - 1], Arity::kOptional)) break;
            others.insert(others.begin() + static_cast<std::ptrdiff_t>(at), "\"\"");
            const std::string other = TextWith(op, others, *types);
            if (ToldIn(other, kAboutOperands).empty()) right.push_back(other);
          }
          if (!is_told) {
            EXPECT_NE(right.size(), 1u) << text << each.message << "\n" << List(right);
            continue;
          }
          ++told_of;
          const auto parsed = [](const std::string& one) {
            ModelProto model;
            EXPECT_TRUE(testing::Ok(Parse(one, &model))) << one;
            return model.SerializeAsString();
          };
          EXPECT_TRUE(
              std::ranges::any_of(right, [&](const std::string& one) { return parsed(one) == parsed(each.corrected); }))
              << text << each.message << "\n"
              << each.corrected;
        }
      }
    }
  });
  EXPECT_GT(told_of, 10);
}

// `QuantizeLinear (x, zero_point, scale)`: two inputs next to each other are swapped.
TEST(Signatures, EachPairOfSwappedInputs) {
  int told_of = 0;
  ForEachOperator([&](const Operator& op) {
    const auto types = TypesFor(op);
    if (!types) return;
    SCOPED_TRACE(Id(op));
    for (std::size_t at = 0; at + 1 < types->size(); ++at) {
      std::vector<std::string> inputs = Numbered("in", types->size());
      const std::string right = TextWith(op, inputs, *types);
      if (!ToldIn(right, kAboutOperands).empty()) continue;
      std::swap(inputs[at], inputs[at + 1]);
      const std::string text = TextWith(op, inputs, *types);
      std::vector<std::string> others;  // the pairs whose exchange makes the call right
      for (std::size_t pair = 0; pair + 1 < inputs.size(); ++pair) {
        std::vector<std::string> swapped = inputs;
        std::swap(swapped[pair], swapped[pair + 1]);
        const std::string other = TextWith(op, swapped, *types);
        if (ToldIn(other, kAboutOperands).empty()) others.push_back(other);
      }
      for (const Finding& each : ToldIn(text, {"operand-type"})) {
        const bool is_told = each.message.find("the two are swapped") != std::string::npos;
        if (!is_told) continue;
        ++told_of;
        EXPECT_THAT(others, ::testing::Contains(each.corrected)) << text << each.message;
        EXPECT_EQ(each.corrected, right) << text;
      }
    }
  });
  EXPECT_GT(told_of, 10);
}

}  // namespace
}  // namespace onnxc::signatures_test
