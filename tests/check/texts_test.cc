// Findings that need the text of a model, and are not reported for a message alone.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "testing/predicates.h"

namespace onnxc::testing {
namespace {

/// Returns the kinds of the findings in a text, each preceded by a space.
std::string KindsIn(std::string_view text, bool has_places = true) {
  onnx::ModelProto model;
  SourceMap places;
  EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
  std::string kinds;
  const Diagnostics found = CheckModel(model, {.source_map = has_places ? &places : nullptr});
  for (const Diagnostic& item : found.items()) kinds.append(" ").append(Name(item.kind));
  return kinds;
}

TEST(TextRules, WhatNothingReadsIsToldOfTextsAlone) {
  const auto with = [](std::string_view graph) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21, "other": 1]> g )").append(graph);
  };
  const auto plain = [](std::string_view graph) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21]> g )").append(graph);
  };
  const std::string value = plain("(float[2] x) => (float[2] y) { t = Abs (x) y = Neg (x) }");
  EXPECT_EQ(KindsIn(value), " unused-value");
  EXPECT_EQ(KindsIn(value, false), "");
  EXPECT_EQ(KindsIn(plain("(float[2] x, float[2] z) => (float[2] y) { y = Neg (x) }")), " unused-input");
  EXPECT_EQ(KindsIn(plain("(float[2] x, float[2] _z) => (float[2] y) { y = Neg (x) _t = Abs (x) }")), "");
  // An unknown operator may have side effects, and a node is used if one of its outputs is read.
  EXPECT_EQ(KindsIn(with("(float[2] x) => (float[2] y) { y = Abs (x) t = other.Log (y) }")), "");
  EXPECT_EQ(KindsIn(with("(float[4] x) => (float[2] y) { y, t = Split <num_outputs = 2> (x) z = other.Op (y) }")), "");
  // The value is read in a subgraph.
  EXPECT_EQ(KindsIn(with("(float[2] x, bool c) => (float[2] y) { t = other.Op (x) y = If (c) <then_branch = a () => "
                         "(float[2] p) { p = Abs (t) }, else_branch = b () => (float[2] q) { q = Abs (x) }> }")),
            "");
}

std::string WithWeights(std::string_view data) {
  return std::string(R"(<ir_version: 10, opset_import: ["": 21]> g (float16[2] x) => (float16[2] y) <float16[2] w = )")
      .append(data)
      .append("> { y = Add (x, w) }");
}

TEST(TextRules, SmallFloatBitsAreToldOfIntegersAlone) {
  EXPECT_EQ(KindsIn(WithWeights("{1, 2}")), " small-float-bits");
  EXPECT_EQ(KindsIn(WithWeights("{1, # one\n 2}")), " small-float-bits");
  EXPECT_EQ(KindsIn(WithWeights("{0.00000005, 0.0000001}")), "");
  EXPECT_EQ(KindsIn(WithWeights("{15360, 16384}")), "");
  EXPECT_EQ(KindsIn(WithWeights("{1, 2}"), false), "");
}

TEST(TextRules, SmallFloatBitsAreThoseOfSubnormalNumbers) {
  struct Row {
    const char* type;
    int mantissa_bits;
  };
  for (const Row& row : {Row{"float16", 10}, Row{"bfloat16", 7}, Row{"float8e4m3fn", 3}, Row{"float8e4m3fnuz", 3},
                         Row{"float8e5m2", 2}, Row{"float8e5m2fnuz", 2}}) {
    const int least_normal = 1 << row.mantissa_bits;
    for (int bits = 1; bits < 2 * least_normal; bits += bits < 8 || bits > least_normal - 8 ? 1 : 5) {
      const std::string text = fmt::format(
          "<ir_version: 10, opset_import: [\"\": 21]> g () => ({0}[2] y) <{0}[2] y = {{{1}, 0}}> {{}}", row.type, bits);
      const bool is_told = KindsIn(text).find("small-float-bits") != std::string::npos;
      EXPECT_EQ(is_told, bits < least_normal) << text;
    }
  }
}

/// The part of the text at which the first finding is reported; findings about unknown operators are ignored.
std::string Blamed(std::string_view text) {
  onnx::ModelProto model;
  SourceMap places;
  EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
  const Diagnostics found = CheckModel(model, {.source_map = &places});
  for (const Diagnostic& item : found.items()) {
    if (Name(item.kind) == "unknown-operator") continue;
    const std::string_view blamed = text.substr(item.range.begin, item.range.end - item.range.begin);
    return std::string(Name(item.kind)).append(": ").append(blamed);
  }
  return "nothing";
}

TEST(TextRules, AMiscountBlamesTheFirstElementTooManyOrTheClosingBracket) {
  EXPECT_EQ(Blamed(WithWeights("{1.0, 2.0, 3.5, 4.5}")), "tensor-too-many: 3.5");
  EXPECT_EQ(Blamed(WithWeights("{1.0}")), "tensor-too-few: }");
  EXPECT_EQ(Blamed(WithWeights("{1.0, 2.0, # two\n 3.5}")), "tensor-too-many: 3.5");
  const auto with = [](std::string_view tensor) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21]> g () => (float y) { y = Op <t = )")
        .append(tensor)
        .append("> () }");
  };
  EXPECT_EQ(Blamed(with(R"(string[1] {"a", "b"})")), "tensor-too-many: \"b\"");
  EXPECT_EQ(Blamed(with("complex64[2] {1, 2, 3}")), "tensor-too-few: }");
  EXPECT_EQ(Blamed(with("complex64[1] {1, 2, 3}")), "tensor-too-many: 3");
  EXPECT_EQ(Blamed("# onnxc: raw\n" + with("float[2] {1, 2, 3}")), "tensor-too-many: 3");
  EXPECT_EQ(Blamed("# onnxc: raw\n" + with("float[4] {1, 2, 3}")), "tensor-too-few: }");
}

TEST(TextRules, AMisspeltDefinitionIsBlamedOnce) {
  const auto with = [](std::string_view name, std::string_view parameter, std::string_view calls) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21, "d": 1]> g (float[2] x) => (float[2] y) {)")
        .append(calls)
        .append(R"(} <domain: "d", opset_import: ["": 21]> )")
        .append(name)
        .append(parameter)
        .append(" (a) => (b) { k = Constant <value_float: float = @factor> () b = Mul (a, k) }");
  };
  constexpr std::string_view kTwice = " t = d.Scale <factor = 2.0> (x) y = d.Scale <factor = 3.0> (t) ";
  EXPECT_EQ(KindsIn(with("Scale", " <factor>", kTwice)), "");
  EXPECT_EQ(KindsIn(with("Scael", " <factor>", kTwice)), " unknown-function");
  EXPECT_EQ(Blamed(with("Scael", " <factor>", kTwice)), "unknown-function: Scael");
  // The calls and the reference in the body agree, so the declaration is misspelt. The body needs the attribute.
  EXPECT_EQ(KindsIn(with("Scale", " <facotr>", kTwice)), " call-attribute");
  EXPECT_EQ(Blamed(with("Scale", " <facotr>", kTwice)), "call-attribute: facotr");
  EXPECT_EQ(Blamed(with("Scale", " <facotr: float = 1.0>", kTwice)), "call-attribute: facotr");
  EXPECT_EQ(Blamed(with("Scale", " <\"facotr\">", kTwice)), "call-attribute: \"facotr\"");
  EXPECT_EQ(Blamed(with("Scale", " <@doc_string \"m\" facotr: float = 1.0>", kTwice)), "call-attribute: facotr");
  // The operators' documents have the word Scale, so all calls are misspelt.
  EXPECT_EQ(Blamed(with("Scale", " <factor>", " t = d.Scael (x) y = d.Scael (t) ")), "unknown-function: Scael");
  // One call: that is misspelt.
  EXPECT_EQ(Blamed(with("Scale", " <factor>", " y = d.Sclae <factor = 2.0> (x) ")), "unknown-function: Sclae");
  EXPECT_EQ(Blamed(with("Scale", " <factor>", " y = d.Scale <facotr = 2.0> (x) ")), "call-attribute: facotr");
}

TEST(TextRules, ANameInQuotesIsNoPlaceholder) {
  const auto with = [](std::string_view dim) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21]> g (float[)")
        .append(dim)
        .append("] x) => (float[N] y) { y = Relu (x) }");
  };
  EXPECT_EQ(Blamed(with("None")), "placeholder-dimension: None");
  EXPECT_EQ(Blamed(with("null")), "placeholder-dimension: null");
  EXPECT_EQ(Blamed(with("\"None\"")), "nothing");
  EXPECT_EQ(Blamed(with("?")), "nothing");
}

TEST(TextRules, AKeyThatStandsTwiceInAHeaderIsTold) {
  constexpr std::string_view kGraph = R"(opset_import: ["": 21]> g (float[2] x) => (float[2] y) { y = Relu (x) })";
  const auto kinds = [&](std::string_view keys, bool has_places = true) {
    return KindsIn(std::string("<").append(keys).append(", ").append(kGraph), has_places);
  };
  EXPECT_EQ(kinds("ir_version: 9"), "");
  EXPECT_EQ(kinds("ir_version: 9, ir_version: 9"), " repeated-key");
  EXPECT_EQ(kinds(R"(ir_version: 9, doc_string: "a", ir_version: 8, doc_string: "b")"), " repeated-key repeated-key");
  EXPECT_EQ(kinds("ir_version: 9, ir_version: 8", false), "");
  EXPECT_EQ(kinds(R"(ir_version: 9, metadata_props: ["a": "b"], metadata_props: ["c": "d"])"), "");
  EXPECT_EQ(KindsIn(R"(<ir_version: 9, opset_import: ["": 21, "d": 1]> g (float[2] x) => (float[2] y) { y = d.f (x) }
<domain: "d", domain: "d", opset_import: ["": 21]> f (a) => (b) { b = Relu (a) })"),
            " repeated-key");
}

std::string WithFunction(std::string_view domain, std::string_view call, std::string_view function) {
  std::string text = R"(<ir_version: 10, opset_import: ["": 21, "@": 1]> g (float[2] x) => (float[2] y) { )";
  text.append(call).append(R"( } <domain: "@", opset_import: ["": 21]> )").append(function);
  for (std::size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, domain);
  return text;
}

TEST(TextRules, RuntimesDefineOperatorsBesideFunctionsOfTheirDomains) {
  constexpr std::string_view kFunction = "f (a) => (b) { b = Relu (a) }";
  EXPECT_EQ(KindsIn(WithFunction("com.microsoft", "h = @.f (x) y = @.FastGlu (h)", kFunction)), " unknown-operator");
  EXPECT_EQ(KindsIn(WithFunction("com.microsoft", "h = @.f (x) y = @.FastGelu (h)", kFunction)), "");
  EXPECT_EQ(KindsIn(WithFunction("mine", "h = @.f (x) y = @.FastGelu (h)", kFunction)), " unknown-function");
}

TEST(TextRules, AModelDefinesWhatItCallsInItsOwnDomain) {
  const auto kinds = [](std::string_view domain) {
    return KindsIn(
        std::string(R"(<ir_version: 10, domain: ")").append(domain).append(R"(", opset_import: ["a": 1, "com.b": 1]>
g (float[2] x) => (float[2] y) { h = a.f (x) y = com.b.f (h) })"));
  };
  EXPECT_EQ(kinds("a"), " unknown-function");
  EXPECT_EQ(kinds("b"), "");
  EXPECT_EQ(kinds("com.b"), "");
}

TEST(TextRules, AttributesThatTheBodyCanDoWithoutMayBeLeftOut) {
  const auto kinds = [](std::string_view body) {
    std::string text =
        R"(<ir_version: 10, opset_import: ["": 21, "d": 1]> g (float[2] x) => (float[2] y) { y = d.f (x) }
<domain: "d", opset_import: ["": 21]> f <k> (a) => (b) )";
    return KindsIn(text.append(body));
  };
  EXPECT_EQ(kinds("{ b = LeakyRelu <alpha: float = @k> (a) }"), "");
  EXPECT_EQ(kinds("{ b = Cast <to: int = @k> (a) }"), " call-attribute-missing");
  EXPECT_EQ(kinds("{ c = Constant <value_float: float = @k> () b = Add (a, c) }"),
            " call-attribute-missing attributes-clash");
}

/// The text that the first correction of the first error inserts; "none" if there is no correction.
std::string CorrectionOf(std::string_view node) {
  onnx::ModelProto model;
  SourceMap places;
  std::string text = R"(<ir_version: 10, opset_import: ["": 21]> g (float[2, 2] x) => (float[2, 2] y) { y = )";
  EXPECT_TRUE(testing::Ok(Parse(text.append(node).append(" }"), &model, {.source_map_out = &places})));
  const Diagnostics found = CheckModel(model, {.source_map = &places}).ErrorsOnly();
  if (found.empty() || found.items()[0].fix_its.empty()) return "none";
  return found.items()[0].fix_its[0].replacement;
}

TEST(TextRules, OperatorsOfOtherLibrariesAreReplacedWhereTheirInputsAreTheSame) {
  EXPECT_EQ(CorrectionOf("Multiply (x, x)"), "Mul");
  EXPECT_EQ(CorrectionOf("torch.mm (x, x)"), "MatMul");
  EXPECT_EQ(CorrectionOf("Linear (x, x, x)"), "none");  // the weights of the model are transposed
  EXPECT_EQ(CorrectionOf("torch.addmm (x, x, x)"), "none");
  EXPECT_EQ(CorrectionOf("mine.Multiply (x, x)"), "none");
}

/// The replacements that the corrections of all findings make: `old -> new`.
std::string CorrectionsOf(std::string_view text) {
  onnx::ModelProto model;
  SourceMap places;
  EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places}))) << text;
  std::string all;
  const Diagnostics found = CheckModel(model, {.source_map = &places});
  for (const Diagnostic& item : found.items()) {
    for (const FixIt& fix_it : item.fix_its) {
      const SourceRange range = fix_it.range;
      all.append(text.substr(range.begin, range.end - range.begin)).append(" -> ").append(fix_it.replacement);
    }
  }
  return all;
}

TEST(TextRules, AWordThatIsNoChoiceIsCorrectedWhereItStands) {
  const auto with = [](std::string_view attribute) {
    return std::string(R"(<ir_version: 10, opset_import: ["": 21]>
g (float[1, 3, 8] x, float[3] s) => (float[1, 3, A] y) { y = Resize <)")
        .append(attribute)
        .append("> (x, , s) }");
  };
  EXPECT_EQ(CorrectionsOf(with("mode = \"bilinear\"")), "\"bilinear\" -> \"linear\"");
  EXPECT_EQ(CorrectionsOf(with("mode: string = b\"linaer\"")), "b\"linaer\" -> \"linear\"");
  EXPECT_EQ(CorrectionsOf(with("mode = \"something else\"")), "");
  EXPECT_EQ(CorrectionsOf(with("@ref_attr_name \"m\" mode = \"linaer\"")), "");
  EXPECT_EQ(CorrectionsOf(R"(<ir_version: 10, opset_import: ["": 21, "ai.onnx.ml": 3]>
g (float[1, 3] x) => (float[A, B] y) {
   y = ai.onnx.ml.TreeEnsembleRegressor <nodes_modes = ["LEAF", "BRANCH_GEQ"]> (x)
})"),
            "");
}

TEST(TextRules, NamesAreNotPairedAcrossGraphs) {
  constexpr std::string_view kHead =
      R"(<ir_version: 10, opset_import: ["": 21]> g (bool c, float[2] x) => (float[2] y) )";
  const auto fix_its = [&](std::string_view body) {
    onnx::ModelProto model;
    SourceMap places;
    const std::string text = std::string(kHead).append(body);
    EXPECT_TRUE(testing::Ok(Parse(text, &model, {.source_map_out = &places})));
    std::size_t count = 0;
    const Diagnostics found = CheckModel(model, {.source_map = &places});
    for (const Diagnostic& item : found.items()) count += item.fix_its.size();
    return count;
  };
  EXPECT_EQ(fix_its("{ h = Relu (x) h = Neg (x) y = Add (h, other) }"), 1);
  EXPECT_EQ(fix_its("{ h = Relu (x) h = Neg (x) y = If (c) <then_branch = t () => (float[2] a) { a = Neg (other) }, "
                    "else_branch = e () => (float[2] b) { b = Neg (x) }> }"),
            0);
}

/// The kinds of the findings in a sequence, a map or an optional, each preceded by a space.
template <typename Proto>
std::string KindsInValue(std::string_view text) {
  Proto value;
  EXPECT_TRUE(testing::Ok(Parse(text, &value))) << text;
  std::string kinds;
  const Diagnostics found = Check(value);
  for (const Diagnostic& item : found.items()) kinds.append(" ").append(Name(item.kind));
  return kinds;
}

TEST(RunValueRules, ValuesStandInTheFieldOfTheirType) {
  EXPECT_EQ(KindsInValue<onnx::SequenceProto>("@{elem_type: 1, tensor_values: [(float {1})]}"), "");
  EXPECT_EQ(KindsInValue<onnx::SequenceProto>("@{elem_type: 3, tensor_values: [(float {1})]}"), " run-value-field");
  EXPECT_EQ(KindsInValue<onnx::SequenceProto>("@{tensor_values: [(float {1})]}"), " run-value-field");
  EXPECT_EQ(KindsInValue<onnx::OptionalProto>("@{elem_type: 1}"), "");
  EXPECT_EQ(KindsInValue<onnx::OptionalProto>("@{elem_type: 3, sequence_value: {elem_type: 1}}"), "");
  EXPECT_EQ(KindsInValue<onnx::OptionalProto>("@{elem_type: 2, tensor_value: (float {1})}"), " run-value-field");
  EXPECT_EQ(KindsInValue<onnx::MapProto>(
                R"(@{key_type: 7, string_keys: ["a"], values: {elem_type: 1, tensor_values: [(float {1})]}})"),
            " run-value-field");
}

TEST(RunValueRules, AMapHasAsManyKeysAsValues) {
  EXPECT_EQ(
      KindsInValue<onnx::MapProto>("@{key_type: 7, keys: [1], values: {elem_type: 1, tensor_values: [(float {1})]}}"),
      "");
  EXPECT_EQ(KindsInValue<onnx::MapProto>(
                "@{key_type: 7, keys: [1, 2], values: {elem_type: 1, tensor_values: [(float {1})]}}"),
            " map-keys");
  EXPECT_EQ(KindsInValue<onnx::MapProto>("@{key_type: 1}"), " map-key-type");
}

// The values of a map are in five lists; together they are as many as the keys.
TEST(RunValueRules, AMapHasAsManyValuesOfAllKindsAsKeys) {
  for (int code = 0; code < 3 * 3 * 3 * 3 * 3; ++code) {
    onnx::MapProto map;
    map.set_key_type(onnx::TensorProto::INT64);
    onnx::SequenceProto& values = *map.mutable_values();
    const auto add = [left = code](const auto& add_one) mutable {
      const int count = left % 3;
      for (int i = 0; i < count; ++i) add_one();
      left /= 3;
      return count;
    };
    auto next = add;
    int count = next([&] { values.add_tensor_values(); });
    count += next([&] { values.add_sparse_tensor_values(); });
    count += next([&] { values.add_sequence_values(); });
    count += next([&] { values.add_map_values(); });
    count += next([&] { values.add_optional_values(); });
    for (int keys = 0; keys < 12; ++keys) {
      const Diagnostics found = Check(map);
      const bool is_told = std::ranges::any_of(found.items(), [](const Diagnostic& finding) {
        return finding.kind == DiagnosticKind::kMapKeys && finding.path.find("values") == std::string::npos;
      });
      EXPECT_EQ(is_told, keys != count) << map.DebugString();
      map.add_keys(keys);
    }
  }
}

TEST(RunValueRules, TensorsInThemKeepTheRulesOfTensors) {
  EXPECT_EQ(KindsInValue<onnx::SequenceProto>(
                "@{elem_type: 3, sequence_values: [{elem_type: 1, tensor_values: [{dims: [2], data_type: 1}]}]}"),
            " tensor-data");
}

}  // namespace
}  // namespace onnxc::testing
