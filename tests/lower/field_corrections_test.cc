// Values of fields that have another form than the field: the correction makes the message that was meant, wherever the
// field is written. Numbers at the ends of their ranges are read, and those beyond are told.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/diagnostic_kinds.h>
#include <onnxc/parser.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax/trial.h"
#include "testing/predicates.h"

namespace onnxc::testing::field_corrections_test {
namespace {

using Strings = std::vector<std::string>;

/// A text with a place for a field, written `{0}`, and its value, written `{1}`.
std::string Filled(std::string_view place, std::string_view field, std::string_view value) {
  return fmt::format(fmt::runtime(place), field, value);
}

constexpr std::string_view kHeader = R"(<ir_version: 9, {0}: {1}, opset_import: ["": 17]> g (float x) => () {{}})";
constexpr std::string_view kImports = "<ir_version: 9, {0}: {1}> g (float x) => () {{}}";
constexpr std::string_view kFunction =
    R"(<ir_version: 9, opset_import: ["": 17]> g (float x) => () {{}} <domain: "d", {0}: {1}> f (x) => () {{}})";
constexpr std::string_view kGraph = R"(<ir_version: 9, opset_import: ["": 17]> @{0} {1} g (float x) => () {{}})";
constexpr std::string_view kNode =
    R"(<ir_version: 9, opset_import: ["": 17]> g (float x) => () {{ @{0} {1} y = A (x) }})";
constexpr std::string_view kValue = R"(<ir_version: 9, opset_import: ["": 17]> g (@{0} {1} float x) => () {{}})";
constexpr std::string_view kTensor =
    R"(<ir_version: 9, opset_import: ["": 17]> g () => () <@{0} {1} float w = {{1}}> {{}})";
constexpr std::string_view kRecord =
    R"(<ir_version: 9, opset_import: ["": 17]> @quantization_annotation [{{{0}: {1}}}] g (float x) => () {{}})";
constexpr std::string_view kInner =
    R"(<ir_version: 9, opset_import: ["": 17], training_info: [{{{0}: {1}, algorithm: (t () => () {{}})}}]> g (float x) => () {{}})";

/// Expects one error at the wrong value, whose correction makes the same message as the right value.
void ExpectCorrected(std::string_view place, std::string_view field, std::string_view wrong, std::string_view right) {
  const std::string text = Filled(place, field, wrong);
  SCOPED_TRACE(text);
  onnx::ModelProto meant;
  ASSERT_TRUE(testing::Ok(Parse(Filled(place, field, right), &meant))) << Filled(place, field, right);
  onnx::ModelProto model;
  const Diagnostics found = Parse(text, &model);
  ASSERT_EQ(found.items().size(), 1u) << found;
  const Diagnostic& finding = found.items()[0];
  EXPECT_EQ(finding.kind, DiagnosticKind::kFieldValue) << finding;
  EXPECT_FALSE(finding.fix_its.empty()) << finding;
  EXPECT_TRUE(finding.message.starts_with("the value of '")) << finding;
  EXPECT_NE(finding.message.find("' must be a"), std::string::npos) << finding;
  if (field == "opset_import") {
    const bool is_of_list = finding.message.starts_with("the value of 'opset_import'");
    EXPECT_EQ(is_of_list, finding.message.ends_with(R"(a list, such as ["" : 17])")) << finding;
  }
  const std::size_t value = Filled(place.substr(0, place.find("{1}")), field, "").size();
  EXPECT_GE(finding.range.begin, value) << finding;
  EXPECT_LE(finding.range.end, value + wrong.size()) << finding;
  std::vector<FixIt> edits = finding.fix_its;
  const std::string corrected = syntax::Corrected(text, &edits);
  onnx::ModelProto read;
  ASSERT_TRUE(testing::Ok(Parse(corrected, &read))) << corrected;
  EXPECT_EQ(read.SerializeAsString(), meant.SerializeAsString()) << corrected;
}

TEST(FieldCorrections, OfStrings) {
  const std::pair<std::string_view, Strings> places[] = {
      {kHeader, {"producer_name", "producer_version", "domain", "doc_string"}},
      {kFunction, {"doc_string", "overload"}},
      {kGraph, {"doc_string"}},
      {kNode, {"doc_string"}},
      {kValue, {"doc_string"}},
      {kTensor, {"doc_string"}},
      {kRecord, {"tensor_name"}}};
  for (const auto& [place, fields] : places) {
    for (const std::string& field : fields) {
      for (const char* const word : {"me", "17", "-1", "1.0", "inf"}) {
        ExpectCorrected(place, field, word, fmt::format("\"{}\"", word));
      }
      for (const char* const word : {"None", "null", "nullptr"}) ExpectCorrected(place, field, word, "\"\"");
    }
  }
}

TEST(FieldCorrections, OfNumbers) {
  for (const char* const number : {"0", "9", "-1", "9223372036854775807"}) {
    ExpectCorrected(kHeader, "model_version", fmt::format("\"{}\"", number), number);
  }
  ExpectCorrected(kImports, "opset_import", R"(["": "17"])", R"(["": 17])");
  ExpectCorrected(kImports, "opset_import", R"(["a": 1, "": "17"])", R"(["a": 1, "": 17])");
}

TEST(FieldCorrections, OfImports) {
  for (const std::string_view place : {kImports, kFunction}) {
    for (const char* const number : {"1", "17"}) {
      const std::string standard = fmt::format(R"(["": {}])", number);
      ExpectCorrected(place, "opset_import", number, standard);
      ExpectCorrected(place, "opset_import", fmt::format("[{}]", number), standard);
      for (const char* const domain : {"", "a", "ai.onnx.ml"}) {
        const std::string right = fmt::format(R"(["{}": {}])", domain, number);
        ExpectCorrected(place, "opset_import", fmt::format(R"(["{}", {}])", domain, number), right);
        ExpectCorrected(place, "opset_import", fmt::format(R"([{} : "{}"])", number, domain), right);
        ExpectCorrected(place, "opset_import", fmt::format(R"({{"{}": {}}})", domain, number), right);
        ExpectCorrected(place, "opset_import", fmt::format(R"(["b": 3, {} : "{}"])", number, domain),
                        fmt::format(R"(["b": 3, "{}": {}])", domain, number));
      }
    }
  }
}

TEST(FieldCorrections, OfEntries) {
  const std::pair<std::string_view, std::string> places[] = {{kHeader, "metadata_props"},
                                                             {kFunction, "metadata_props"},
                                                             {kGraph, "metadata_props"},
                                                             {kNode, "metadata_props"},
                                                             {kValue, "metadata_props"},
                                                             {kTensor, "metadata_props"},
                                                             {kRecord, "quant_parameter_tensor_names"},
                                                             {kInner, "update_binding"}};
  for (const auto& [place, field] : places) {
    ExpectCorrected(place, field, R"({"k": "v"})", R"(["k": "v"])");
    ExpectCorrected(place, field, R"({k: "v"})", R"(["k": "v"])");
    ExpectCorrected(place, field, R"({k: "v", "l": "w", m: "x"})", R"(["k": "v", "l": "w", "m": "x"])");
    ExpectCorrected(place, field, R"(["k": v])", R"(["k": "v"])");
    ExpectCorrected(place, field, R"([k: "v"])", R"(["k": "v"])");
    ExpectCorrected(place, field, R"(["k": "v", "l": 1.5])", R"(["k": "v", "l": "1.5"])");
  }
}

// ---- ends of ranges

TEST(FieldNumbers, AreReadUpToTheEndsOfTheirRanges) {
  const std::string_view tensor =
      "<ir_version: 9, opset_import: [\"\": 17]> @initializer [{{name: \"w\", {0}: {1}}}] g () => () {{}}";
  const std::array<std::pair<const char*, bool>, 4> ints = {
      {{"2147483647", true}, {"-2147483648", true}, {"2147483648", false}, {"-2147483649", false}}};
  for (const auto& [number, is_read] : ints) {
    for (const std::string field : {"data_type", "int32_data"}) {
      const std::string value = field == "data_type" ? number : fmt::format("[1, {}]", number);
      onnx::ModelProto model;
      const Diagnostics found = Parse(Filled(tensor, field, value), &model);
      EXPECT_EQ(found.ok(), is_read) << field << " " << number << found;
      if (!is_read) continue;
      const onnx::TensorProto& read = model.graph().initializer(0);
      EXPECT_EQ(std::to_string(field == "data_type" ? read.data_type() : read.int32_data(1)), number);
    }
  }
  const std::array<std::pair<const char*, bool>, 4> longs = {{{"9223372036854775807", true},
                                                              {"-9223372036854775808", true},
                                                              {"9223372036854775808", false},
                                                              {"-9223372036854775809", false}}};
  for (const auto& [number, is_read] : longs) {
    onnx::ModelProto model;
    const Diagnostics found = Parse(Filled(kHeader, "model_version", number), &model);
    EXPECT_EQ(found.ok(), is_read) << number << found;
    if (is_read) {
      EXPECT_EQ(std::to_string(model.model_version()), number);
    }
  }
  for (const auto& [number, is_read] :
       {std::pair{"18446744073709551615", true}, {"18446744073709551616", false}, {"-1", false}}) {
    onnx::ModelProto model;
    EXPECT_EQ(Parse(Filled(tensor, "uint64_data", fmt::format("[{}]", number)), &model).ok(), is_read) << number;
    if (is_read) {
      EXPECT_EQ(std::to_string(model.graph().initializer(0).uint64_data(0)), number);
    }
  }
}

}  // namespace
}  // namespace onnxc::testing::field_corrections_test
