// Tests nodes of every operator in every version: numbers of inputs and outputs, omitted ones, attributes and types.
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
#include <string>
#include <string_view>
#include <vector>

#include "check/corrections.h"
#include "source/words.h"
#include "tables/attribute_types.h"
#include "tables/element_types.h"
#include "testing/predicates.h"

namespace onnxc::signatures_test {
namespace {

using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::NodeProto;
using ::testing::HasSubstr;

/// Calls `use` with each version of each operator that nodes may call.
void ForEachOperator(const std::function<void(const Operator&)>& use) {
  for (const Operator& op : kOperators) {
    if (!op.deprecated) use(op);
  }
}

bool Is(const Parameter& formal, Arity arity) { return formal.arity == static_cast<std::uint8_t>(arity); }

/// Returns a model with one node of this version of the operator, which has no operands.
ModelProto WithNode(const Operator& op, std::int64_t ir_version = 10) {
  ModelProto model;
  model.set_ir_version(ir_version);
  if (ir_version >= 3) {
    onnx::OperatorSetIdProto* const import = model.add_opset_import();
    import->set_domain(std::string(DomainOf(op)));
    import->set_version(op.since);
  }
  model.mutable_graph()->set_name("g");
  NodeProto* const node = model.mutable_graph()->add_node();
  node->set_domain(std::string(DomainOf(op)));
  node->set_op_type(std::string(Word(op)));
  return model;
}
NodeProto& NodeOf(ModelProto& model) { return *model.mutable_graph()->mutable_node(0); }

void AddInputs(int count, ModelProto* model) {
  for (int i = 0; i < count; ++i) NodeOf(*model).add_input(fmt::format("in{}", i));
}
void AddOutputs(int count, ModelProto* model) {
  for (int i = 0; i < count; ++i) NodeOf(*model).add_output(fmt::format("out{}", i));
}

std::vector<Diagnostic> Found(const ModelProto& model, const std::set<std::string_view>& rules) {
  std::vector<Diagnostic> found;
  const Diagnostics all = CheckModel(model, {.infer = false});
  for (const Diagnostic& item : all.items()) {
    if (rules.contains(Name(item.kind))) found.push_back(item);
  }
  return found;
}

/// Returns the findings of the rules, each as its path and its message.
std::vector<std::string> Told(const ModelProto& model, const std::set<std::string_view>& rules) {
  std::vector<std::string> told;
  for (const Diagnostic& item : Found(model, rules)) told.push_back(fmt::format("{}: {}", item.path, item.message));
  return told;
}

std::string Id(const Operator& op) {
  return fmt::format("{}.{} {}", DomainOf(op), Word(op), static_cast<int>(op.since));
}

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

struct Finding {
  std::string message;
  std::string corrected;  ///< the text after the correction; empty if there is none
  std::string at;         ///< the words at its place
};

/// Returns what is told of one of the rules in the text, and the text after the correction.
std::vector<Finding> ToldIn(const std::string& text, const std::set<std::string_view>& rules) {
  ModelProto model;
  SourceMap places;
  const Diagnostics read = Parse(text, &model, {.source_map_out = &places});
  EXPECT_TRUE(testing::Ok(read)) << text;
  std::vector<Finding> told;
  const Diagnostics found = CheckModel(model, {.source_map = &places, .infer = false});
  for (const Diagnostic& item : found.items()) {
    if (!rules.contains(Name(item.kind))) continue;
    std::string corrected = item.fix_its.empty() ? "" : text;
    std::vector<FixIt> edits = item.fix_its;
    std::ranges::sort(edits, std::greater(), [](const FixIt& edit) { return edit.range.begin; });
    for (const FixIt& edit : edits)
      corrected.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.replacement);
    told.push_back({item.message, corrected, text.substr(item.range.begin, item.range.end - item.range.begin)});
  }
  return told;
}

std::string List(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) list += (i == 0 ? "" : ", ") + names[i];
  return list;
}

/// Returns the text of a model with one node.
std::string TextOf(const Operator& op, const std::string& inputs, const std::string& outputs,
                   const std::string& declared = "") {
  const std::string domain = DomainOf(op).empty() ? "" : fmt::format("{}.", DomainOf(op));
  return fmt::format("<ir_version: 10, opset_import: [\"{}\" : {}]>\ng ({}) => () {{\n   {} = {}{} ({})\n}}\n",
                     DomainOf(op), static_cast<int>(op.since), declared, outputs, domain, Word(op), inputs);
}

std::vector<std::string> Numbered(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

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

TEST(Signatures, EachAttributeInEachVersion) {
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
TEST(Signatures, AttributesWithoutATypeInEachIrVersion) {
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
TEST(Signatures, ValuesOfEachTypeForEachOther) {
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
