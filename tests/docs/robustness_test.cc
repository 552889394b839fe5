// Tests the table of inputs in docs/robustness.md. ONNXC_BLESS=1 in the environment rewrites the table.
#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <onnxc/checker.h>
#include <onnxc/model_io.h>

#include <filesystem>
#include <string>
#include <vector>

#include "source/report.h"
#include "testing/folder.h"
#include "testing/golden.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

const std::filesystem::path kPage = std::filesystem::path(kDocs) / "robustness.md";

std::string Repeat(std::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string Errors(std::string_view stage, const Diagnostics& found) {
  std::string text;
  for (const Diagnostic& item : found.items()) {
    if (item.severity != Severity::kError) continue;
    text += fmt::format("{}{}: {} `[{}]`", text.empty() ? "" : "; ", stage, item.message, Name(item.kind));
  }
  return text;
}

Diagnostics CheckOf(const onnx::ModelProto& message) { return CheckModel(message); }
Diagnostics CheckOf(const onnx::GraphProto& message) { return CheckGraph(message); }
Diagnostics CheckOf(const onnx::FunctionProto& message) { return CheckFunction(message); }
Diagnostics CheckOf(const onnx::AttributeProto& message) { return CheckAttribute(message); }
Diagnostics CheckOf(const onnx::TypeProto& message) { return CheckType(message); }
Diagnostics CheckOf(const onnx::TensorProto& message) { return CheckTensor(message); }

/// The errors that onnxc reports about an input: those of reading it or, if there are none, those of the checker. Also
/// fails if printing and parsing does not give the same message.
template <typename Message, Format kFormat>
std::string Says(const std::string& input) {
  Message message;
  const Diagnostics read = Decode(input, kFormat, &message);
  if (!read.ok()) {
    EXPECT_EQ(message.ByteSizeLong(), 0u);
    return Errors("read", read);
  }
  const PrintResult printed = Print(message);
  EXPECT_TRUE(testing::Ok(printed.diagnostics));
  EXPECT_EQ(Bytes(ParseText<Message>(printed.text)), Bytes(message)) << printed.text;
  const std::string errors = Errors("check", CheckOf(message));
  return errors.empty() ? "reads, checks and prints it" : errors + "; prints it";
}

struct Input {
  std::string shown;
  std::string_view reference;
  std::string (*says)(const std::string&);
  std::string input = shown;
};

constexpr auto* kAttribute = &Says<onnx::AttributeProto, Format::kText>;
constexpr auto* kType = &Says<onnx::TypeProto, Format::kText>;
constexpr auto* kTensor = &Says<onnx::TensorProto, Format::kText>;
constexpr auto* kTensorMessage = &Says<onnx::TensorProto, Format::kTextProto>;
constexpr auto* kGraph = &Says<onnx::GraphProto, Format::kText>;
constexpr auto* kFunction = &Says<onnx::FunctionProto, Format::kText>;
constexpr auto* kModel = &Says<onnx::ModelProto, Format::kText>;

/// Graphs that are nested as attributes.
std::string Graphs(int levels) {
  return Repeat("g () => () { y = If <b = ", levels) + "h () => () {}" + Repeat("> () }", levels);
}

std::vector<Input> Inputs() {
  constexpr std::string_view kOverflow = "stack overflow";
  constexpr std::string_view kTooDeep = "accepted; protobuf cannot read the message back";
  return {
      {"a = 99999999999999999999", "exception `IndexError: stoll`", kAttribute},
      {"a = 1e999", "exception `RuntimeError`", kAttribute},
      {"a = 1e", "exception `RuntimeError`", kAttribute},
      {"a = - 5", "exception `ValueError: stoll`", kAttribute},
      {"seq(seq(... 100000 times", kOverflow, kType, Repeat("seq(", 100'000)},
      {"5000 nested graphs", kOverflow, kGraph, Graphs(5000)},
      {"34 nested graphs", kTooDeep, kGraph, Graphs(34)},
      {"50 nested types", kTooDeep, kType, Repeat("seq(", 50) + "float[N]" + Repeat(")", 50)},
      {"<domain: \"d\", opset_import: [\"\": 17]> f <alpha: bogus> (x) => (y) { y = Relu(x) }",
       "accepted; the error is ignored", kFunction},
      {"a = [float[1] {1}]", "accepted; the value is lost", kAttribute},
      {"uint64[1] {-1}", "accepted as 18446744073709551615", kTensor},
      {"uint8[1] {300}", "accepted", kTensor},
      {"bool[1] {7}", "accepted", kTensor},
      {"float[2] {1}", "accepted", kTensor},
      {"int64[-3] {1}", "accepted", kTensor},
      {"float[1099511627776, 1099511627776] {1}", "accepted", kTensor},
      {"string[0] {}", "prints `string[0] w = }`, which it cannot read", kTensor},
      {"data_type: 1 dims: 2 raw_data: \"abc\"", "the printer throws", kTensorMessage},
      {"data_type: 1 dims: [1099511627776, 1099511627776] raw_data: \"\"", "the printer throws", kTensorMessage},
      {"data_type: 99 dims: 1 int32_data: 1", "prints `undefined[1] w = ...`", kTensorMessage},
      {"data_type: 1 dims: 1099511627776", "prints `float[1099511627776] w = {}`", kTensorMessage},
      {"functions that call each other in a circle", "an error too", kModel,
       "<ir_version: 8, opset_import: [\"\": 17, \"l\": 1]>\ng (float[N] x) => (float[N] y) { y = l.f(x) }\n"
       "<domain: \"l\", opset_import: [\"l\": 1]> f (x) => (y) { y = l.h(x) }\n"
       "<domain: \"l\", opset_import: [\"l\": 1]> h (x) => (y) { y = l.f(x) }\n"},
  };
}

TEST(Robustness, InputsThatBreakTheReference) {
  std::string table = "| input | the reference | onnxc |\n|---|---|---|\n";
  for (const Input& input : Inputs()) {
    const std::string says = input.says(input.input);
    EXPECT_FALSE(says.empty()) << input.shown;
    EXPECT_LT(says.size(), 300u) << says;
    const bool is_code = input.shown == input.input || input.shown.find("...") != std::string::npos;
    table += fmt::format("| {0}{1}{0} | {2} | {3} |\n", is_code ? "`" : "", input.shown, input.reference, says);
  }
  const std::string page = ReadWhole(kPage);
  const std::string begin = "<!-- hostile inputs -->\n";
  const std::size_t from = page.find(begin) + begin.size();
  const std::size_t to = page.find("<!-- end -->", from);
  ASSERT_NE(to, std::string::npos);
  ExpectGolden(kPage, page.substr(0, from) + table + page.substr(to));
}

}  // namespace
}  // namespace onnxc::testing
