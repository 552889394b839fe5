// A constant in a node becomes an initializer, or the reverse: the meaning of the model is the same.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>

#include <string>
#include <string_view>

#include "refactored.h"
#include "testing/predicates.h"

namespace onnxc::lsp::constants_test {
namespace {

constexpr std::string_view kRewrite = "refactor.rewrite";

constexpr std::string_view kText = R"(<ir_version: 10, opset_import: ["" : 21, "my" : 1]>
g (float[2] X, bool c, float[1] d = {4}) => (float[2] Y)
<float[2] w = {0.1, -inf}, float s = {1.5}>
{
   two = Constant <value = float[2] two {1, 2}> ()
   "a b" = Constant <value_float = 0.1> ()
   i = Constant <value_ints = [1, 2, 3]> ()
   t = Constant <value_strings = ["a", "\""]> ()
   Y = If (c) <
      then_branch = yes () => (float[2] a) { q = Constant <value_int = 7> () a = Add (X, w) },
      else_branch = no () => (float[2] b) <float[2] v = {3, 4}> { b = Add (v, s) }
   >
}
<domain: "my", opset_import: ["" : 21]>
F <by> (x) => (y) {
   two = Constant <value_float: float = @by> ()
   one = Constant <value_float = 1.0> ()
   y = Mul (two, one)
}
)";

/// The tensor with that name, which is an initializer of the text or the value of a node Constant, with only its data.
onnx::TensorProto Find(const onnx::GraphProto& graph, std::string_view name, bool* is_initializer) {
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    *is_initializer = tensor.name() == name;
    if (*is_initializer) return tensor;
  }
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.output(0) != name || node.op_type() != "Constant") continue;
    onnx::TensorProto tensor = node.attribute(0).t();
    tensor.set_name(std::string(name));
    return tensor;
  }
  return {};
}

/// Returns the message in protobuf's text format, on one line.
std::string InText(const onnx::TensorProto& tensor) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  EXPECT_TRUE(printer.PrintToString(tensor, &text));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

TEST(Constants, BecomeInitializers) {
  struct Case {
    std::string name;
    std::string spelled;
    std::string tensor;
  };
  for (const auto& [name, spelled, tensor] :
       {Case{"two", "two", "dims: 2 data_type: 1 float_data: 1 float_data: 2 name: \"two\""},
        Case{"a b", "\"a b\"", "data_type: 1 float_data: 0.1 name: \"a b\""},
        Case{"i", "i", "dims: 3 data_type: 7 int64_data: 1 int64_data: 2 int64_data: 3 name: \"i\""},
        Case{"t", "t", R"(dims: 2 data_type: 8 string_data: "a" string_data: "\"" name: "t")"}}) {
    const std::string text = Refactored(std::string(kText), spelled + " = Const", kRewrite);
    ASSERT_FALSE(text.empty()) << name;
    const onnx::ModelProto model = Read(text);
    EXPECT_TRUE(testing::Ok(CheckModel(model)));
    EXPECT_EQ(model.graph().node_size(), 4);
    bool is_initializer = false;
    EXPECT_EQ(InText(Find(model.graph(), name, &is_initializer)), tensor);
    EXPECT_TRUE(is_initializer);
    // After the reverse change, everything except the syntax of the value is as before.
    const onnx::ModelProto back = Read(Refactored(text, spelled + " = {", kRewrite));
    EXPECT_EQ(InText(Find(back.graph(), name, &is_initializer)), tensor);
    EXPECT_FALSE(is_initializer);
    EXPECT_EQ(back.graph().initializer_size(), 3);
  }
}

TEST(Constants, OfSubgraphsStayInThem) {
  const onnx::ModelProto model = Read(Refactored(std::string(kText), "q = Const", kRewrite));
  const onnx::GraphProto& branch = model.graph().node(4).attribute(0).g();
  ASSERT_EQ(branch.initializer_size(), 1);
  EXPECT_EQ(InText(branch.initializer(0)), "data_type: 7 int64_data: 7 name: \"q\"");
  EXPECT_EQ(branch.node_size(), 1);
}

TEST(Constants, AreMadeOfInitializers) {
  for (const auto& [place, count] : {std::pair{"w = {0.1", 2}, {"s = {1.5", 2}, {"float[2] v", 3}}) {
    const std::string text = Refactored(std::string(kText), place, kRewrite);
    ASSERT_FALSE(text.empty()) << place;
    const onnx::ModelProto model = Read(text);
    EXPECT_TRUE(testing::Ok(CheckModel(model))) << text;
    EXPECT_EQ(model.graph().initializer_size(), count) << text;
  }
  const onnx::ModelProto model = Read(Refactored(std::string(kText), "w = {0.1", kRewrite));
  EXPECT_EQ(model.graph().node(0).output(0), "w");
  bool is_initializer = true;
  EXPECT_EQ(Find(model.graph(), "w", &is_initializer).SerializeAsString(),
            Read(kText).graph().initializer(1).SerializeAsString());
  EXPECT_FALSE(is_initializer);
}

TEST(Constants, StayWhereTheModelWouldMeanSomethingElse) {
  const std::string text(kText);
  EXPECT_EQ(Refactored(text, "float[1] d", kRewrite), "");   // a caller may replace this value
  EXPECT_EQ(Refactored(text, "one = Const", kRewrite), "");  // a function cannot have initializers
  EXPECT_EQ(Refactored(text, "two = Constant <value_float:", kRewrite), "");
  EXPECT_EQ(Refactored(text, "Y = If", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "two = Const", "[label] two = Const"), "two = Const", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "value_float = 0.1", "@doc_string \"d\" value_float = 0.1"), "\"a b\"", kRewrite),
            "");
  EXPECT_EQ(Refactored(With(text, "float[2] two {", "@doc_string \"d\" float[2] two {"), "two = Const", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "float[2] two {", "float[2] named {"), "two = Const", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "{1, 2}", "{1, # one\n 2}"), "two = Const", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "float s =", "float[2] two, float s ="), "two = Const", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "float s =", "# of all\nfloat s ="), "s = {1.5", kRewrite), "");
  EXPECT_EQ(Refactored(With(text, "ir_version: 10", "ir_version: 3"), "i = Const", kRewrite), "");
}

}  // namespace
}  // namespace onnxc::lsp::constants_test
