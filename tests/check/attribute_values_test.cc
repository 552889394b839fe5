// Tests attributes of operators: in each version, without a type, with several values, and with values of other types.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/corrections.h"
#include "check/each_operator.h"
#include "source/words.h"
#include "tables/attribute_types.h"

namespace onnxc::attribute_values_test {
namespace {

using onnx::AttributeProto;
using ::testing::HasSubstr;
using namespace each_operator;  // NOLINT(google-build-using-namespace): the helpers of these tests

// ---- versions of attributes

bool HasAttribute(const Operator& op, std::string_view name) {
  return std::ranges::any_of(Attributes(op), [&](const OperatorAttribute& each) { return Word(each) == name; });
}

/// Returns the sentence about other versions in the message about an attribute that this version lacks.
std::string VersionsWords(const Operator& op, std::string_view name) {
  std::vector<int> has;    // the versions with the attribute
  std::vector<int> lacks;  // the versions without it
  for (const Operator& version : VersionsOf(op)) (HasAttribute(version, name) ? has : lacks).push_back(version.since);
  const bool is_input = std::ranges::any_of(Inputs(op), [&](const Parameter& each) { return Word(each) == name; });
  if (has.front() > op.since) return fmt::format("; it was added in version {}", has.front());
  const int last = *std::prev(std::ranges::upper_bound(has, static_cast<int>(op.since)));
  const int until = *std::ranges::upper_bound(lacks, last);
  // An input may have the attribute's name in other letters, or another name with the same meaning.
  if (!is_input && check::NameAsInput(op, name).empty()) return fmt::format("; it existed until version {}", until - 1);
  return fmt::format("; it is an input since version {}, and was an attribute until version {}", until, until - 1);
}

TEST(AttributeValues, EachAttributeInEachVersion) {
  ForEachOperator([](const Operator& op) {
    std::set<std::string_view> names;
    for (const Operator& version : VersionsOf(op)) {
      for (const OperatorAttribute& attribute : Attributes(version)) names.insert(Word(attribute));
    }
    for (const std::string_view name : names) {
      SCOPED_TRACE(fmt::format("{}: {}", Id(op), name));
      ModelProto model = WithNode(op);
      AddInputs(std::max<int>(op.min_inputs, 1), &model);
      AddOutputs(std::max<int>(op.min_outputs, 1), &model);
      AttributeProto* const attribute = NodeOf(model).add_attribute();
      attribute->set_name(std::string(name));
      attribute->set_type(AttributeProto::INT);
      attribute->set_i(1);
      const std::vector<std::string> told = Told(model, {"unknown-attribute", "unchecked-attribute"});
      const bool takes_all = op.takes_any_attribute && Attributes(op).empty();
      if (HasAttribute(op, name) || takes_all) {
        EXPECT_THAT(told, ::testing::IsEmpty());
      } else {
        ASSERT_EQ(told.size(), 1u);
        EXPECT_THAT(told[0], HasSubstr(fmt::format("has no attribute '{}'", name)));
        EXPECT_THAT(told[0], HasSubstr(VersionsWords(op, name)));
      }
    }
  });
}

// ---- attributes without a type, and with several values

/// Sets the field that has values of this type.
void AddValue(const AttributeType& type, AttributeProto* attribute) {
  const auto* const field = AttributeProto::descriptor()->FindFieldByNumber(type.field);
  const auto& reflection = *AttributeProto::GetReflection();
  using google::protobuf::FieldDescriptor;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return field->is_repeated() ? reflection.AddInt64(attribute, field, 1) : reflection.SetInt64(attribute, field, 1);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return field->is_repeated() ? reflection.AddFloat(attribute, field, 1) : reflection.SetFloat(attribute, field, 1);
    case FieldDescriptor::CPPTYPE_STRING:
      return field->is_repeated() ? reflection.AddString(attribute, field, "w")
                                  : reflection.SetString(attribute, field, "w");
    default:
      (void)(field->is_repeated() ? reflection.AddMessage(attribute, field)
                                  : reflection.MutableMessage(attribute, field));
  }
}

const std::set<std::string_view> kAboutTypes = {"attribute-type-missing", "attribute-empty", "attribute-values",
                                                "attribute-kind", "attribute-without-value"};

std::set<std::string_view> RulesBroken(const ModelProto& model) {
  std::set<std::string_view> rules;
  for (const Diagnostic& item : Found(model, kAboutTypes)) rules.insert(Name(item.kind));
  return rules;
}

// IR version 1 had no types of attributes: the value tells the type there.
TEST(AttributeValues, AttributesWithoutATypeInEachIrVersion) {
  const auto with = [](const Operator& op, std::string_view name, std::int64_t ir_version) {
    ModelProto model = WithNode(op, ir_version);
    AddInputs(std::max<int>(op.min_inputs, 1), &model);
    AddOutputs(std::max<int>(op.min_outputs, 1), &model);
    NodeOf(model).add_attribute()->set_name(std::string(name));
    return model;
  };
  std::map<int, int> seen;  // how many attributes of each type
  ForEachOperator([&](const Operator& op) {
    if (!DomainOf(op).empty() || op.since != 1) return;  // models of IR version 1 have no imports
    for (const OperatorAttribute& formal : Attributes(op)) {
      if (++seen[formal.type] > 5) continue;
      SCOPED_TRACE(fmt::format("{}: {}", Id(op), Word(formal)));
      for (const std::int64_t ir_version : {1, 2, 3}) {
        const ModelProto empty = with(op, Word(formal), ir_version);
        const AttributeType& type = *FindAttributeType(formal.type);
        std::set<std::string_view> wanted = {"attribute-type-missing", "attribute-kind"};
        if (ir_version == 1) {
          wanted.clear();
          if (!type.is_list) wanted.insert("attribute-empty");
        }
        EXPECT_EQ(RulesBroken(empty), wanted) << "no value, IR version " << ir_version;
        for (const AttributeType& value : kAttributeTypes) {
          if (value.field == 0) continue;
          ModelProto one = empty;
          AddValue(value, NodeOf(one).mutable_attribute(0));
          wanted = {"attribute-type-missing", "attribute-kind"};
          if (ir_version == 1) wanted.erase("attribute-type-missing");
          if (ir_version == 1 && value.code == formal.type) wanted.clear();
          EXPECT_EQ(RulesBroken(one), wanted) << value.keyword << ", IR version " << ir_version;
          if (ir_version == 1 && value.code != formal.type) {
            const std::string words = fmt::format("is of type {}; it must be of type {}", value.keyword, type.keyword);
            EXPECT_THAT(Told(one, {"attribute-kind"}), ::testing::ElementsAre(HasSubstr(words)));
          }
          if (value.code == formal.type) continue;
          AddValue(type, NodeOf(one).mutable_attribute(0));
          EXPECT_TRUE(RulesBroken(one).contains("attribute-values")) << value.keyword;
        }
      }
    }
  });
}

// ---- values of other types

/// A value of an attribute, and the texts of the same value for attributes of other types. There is none for a type for
/// which the value would change.
struct Converted {
  std::string text;
  std::map<AttributeProto::AttributeType, std::string> as = {};
};

std::string Repeated(std::string_view element, int count) {
  std::vector<std::string> elements(static_cast<std::size_t>(count), std::string(element));
  return List(elements);
}

// Each value for each attribute of Constant, whose names tell their types.
TEST(AttributeValues, ValuesOfEachTypeForEachOther) {
  const std::map<AttributeProto::AttributeType, std::string> attributes = {
      {AttributeProto::FLOAT, "value_float"},     {AttributeProto::INT, "value_int"},
      {AttributeProto::STRING, "value_string"},   {AttributeProto::TENSOR, "value"},
      {AttributeProto::FLOATS, "value_floats"},   {AttributeProto::INTS, "value_ints"},
      {AttributeProto::STRINGS, "value_strings"}, {AttributeProto::SPARSE_TENSOR, "sparse_value"}};
  const std::vector<std::pair<AttributeProto::AttributeType, Converted>> values = {
      {AttributeProto::INT,
       {"2",
        {{AttributeProto::FLOAT, "2.0"},
         {AttributeProto::INTS, "[2]"},
         {AttributeProto::FLOATS, "[2.0]"},
         {AttributeProto::TENSOR, "int64 {2}"}}}},
      {AttributeProto::INT,
       {"-7",
        {{AttributeProto::FLOAT, "-7.0"},
         {AttributeProto::INTS, "[-7]"},
         {AttributeProto::FLOATS, "[-7.0]"},
         {AttributeProto::TENSOR, "int64 {-7}"}}}},
      {AttributeProto::FLOAT,
       {"2.0",
        {{AttributeProto::INT, "2"},
         {AttributeProto::INTS, "[2]"},
         {AttributeProto::FLOATS, "[2.0]"},
         {AttributeProto::TENSOR, "float {2.0}"}}}},
      {AttributeProto::FLOAT, {"2.5", {{AttributeProto::FLOATS, "[2.5]"}, {AttributeProto::TENSOR, "float {2.5}"}}}},
      {AttributeProto::FLOAT,
       {"16777215.0",
        {{AttributeProto::INT, "16777215"},
         {AttributeProto::INTS, "[16777215]"},
         {AttributeProto::FLOATS, "[16777215.0]"},
         {AttributeProto::TENSOR, "float {16777215.0}"}}}},
      {AttributeProto::STRING,
       {"\"3\"",
        {{AttributeProto::INT, "3"},
         {AttributeProto::FLOAT, "3.0"},
         {AttributeProto::INTS, "[3]"},
         {AttributeProto::FLOATS, "[3.0]"},
         {AttributeProto::STRINGS, "[\"3\"]"},
         {AttributeProto::TENSOR, "string {\"3\"}"}}}},
      {AttributeProto::STRING,
       {"\"1.5\"",
        {{AttributeProto::INT, "1.5"},
         {AttributeProto::FLOAT, "1.5"},
         {AttributeProto::FLOATS, "[1.5]"},
         {AttributeProto::STRINGS, "[\"1.5\"]"},
         {AttributeProto::TENSOR, "string {\"1.5\"}"}}}},
      {AttributeProto::STRING,
       {"\"w\"", {{AttributeProto::STRINGS, "[\"w\"]"}, {AttributeProto::TENSOR, "string {\"w\"}"}}}},
      {AttributeProto::STRING,
       {"\"int64\"",
        {{AttributeProto::INT, "7"},
         {AttributeProto::STRINGS, "[\"int64\"]"},
         {AttributeProto::TENSOR, "string {\"int64\"}"}}}},
      {AttributeProto::INTS,
       {"[4]",
        {{AttributeProto::INT, "4"},
         {AttributeProto::FLOAT, "4.0"},
         {AttributeProto::FLOATS, "[4.0]"},
         {AttributeProto::TENSOR, "int64[1] {4}"}}}},
      {AttributeProto::INTS,
       {"[4, 5]", {{AttributeProto::FLOATS, "[4.0, 5.0]"}, {AttributeProto::TENSOR, "int64[2] {4, 5}"}}}},
      {AttributeProto::FLOATS, {"[0.5]", {{AttributeProto::FLOAT, "0.5"}, {AttributeProto::TENSOR, "float[1] {0.5}"}}}},
      {AttributeProto::FLOATS,
       {"[3.0, 2.0]", {{AttributeProto::INTS, "[3, 2]"}, {AttributeProto::TENSOR, "float[2] {3.0, 2.0}"}}}},
      {AttributeProto::FLOATS, {"[3.0, 2.5]", {{AttributeProto::TENSOR, "float[2] {3.0, 2.5}"}}}},
      {AttributeProto::STRINGS,
       {"[\"1\", \"2\"]",
        {{AttributeProto::INTS, "[1, 2]"},
         {AttributeProto::FLOATS, "[1.0, 2.0]"},
         {AttributeProto::TENSOR, "string[2] {\"1\", \"2\"}"}}}},
      {AttributeProto::STRINGS, {"[\"1\", \"b\"]", {{AttributeProto::TENSOR, "string[2] {\"1\", \"b\"}"}}}},
      {AttributeProto::INTS,
       {fmt::format("[{}]", Repeated("1", 64)),
        {{AttributeProto::FLOATS, fmt::format("[{}]", Repeated("1.0", 64))},
         {AttributeProto::TENSOR, fmt::format("int64[64] {{{}}}", Repeated("1", 64))}}}},
      {AttributeProto::INTS, {fmt::format("[{}]", Repeated("1", 65))}},
      {AttributeProto::TENSOR, {"float {1.5}"}},
  };
  for (const auto& [type, value] : values) {
    for (const auto& [wanted, attribute] : attributes) {
      if (wanted == type) continue;
      const auto with = [&given = attribute](const std::string& written) {
        return fmt::format("<ir_version: 10, opset_import: [\"\" : 21]>\ng () => (y) {{ y = Constant <{} = {}> () }}\n",
                           given, written);
      };
      SCOPED_TRACE(with(value.text));
      const std::vector<Finding> told = ToldIn(with(value.text), {"attribute-kind"});
      ASSERT_EQ(told.size(), 1u);
      const auto converted = value.as.find(wanted);
      if (converted == value.as.end()) {
        EXPECT_THAT(told[0].message, Not(HasSubstr("; write")));
        EXPECT_EQ(told[0].corrected, "");
      } else {
        EXPECT_THAT(told[0].message, ::testing::EndsWith("; write " + converted->second));
        EXPECT_EQ(told[0].corrected, with(converted->second));
      }
    }
  }
}

}  // namespace
}  // namespace onnxc::attribute_values_test
