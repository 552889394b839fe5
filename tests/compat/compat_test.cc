// Code as it is written for the ONNX project's own C++ headers, with one include.
#include <gtest/gtest.h>
#include <onnxc/compat.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

constexpr const char* kText = R"(
<ir_version: 10, opset_import: ["" : 21]>
agraph (float[2, 3] x, float[3, 5] w) => (float[2, 5] y) { y = MatMul (x, w) }
)";

TEST(Compat, Parser) {
  onnx::ModelProto model;
  onnx::OnnxParser parser(kText);
  const onnx::Common::Status status = parser.Parse(model);
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  EXPECT_TRUE(parser.EndOfInput()) << "Extra unparsed input unexpected.";
  EXPECT_EQ(model.graph().node_size(), 1);

  onnx::GraphProto graph;
  EXPECT_TRUE(onnx::OnnxParser::Parse(graph, "g (float[N] x) => (float[N] y) { y = Relu (x) }").IsOK());
  EXPECT_EQ(graph.name(), "g");
}

TEST(Compat, AStatusMayBeThrownAway) {
  onnx::ModelProto model;
  onnx::OnnxParser::Parse(model, kText);  // as in the original's documents: without a warning, which is an error here
  EXPECT_EQ(model.graph().node_size(), 1);
}

TEST(Compat, ParserRefuses) {
  onnx::NodeProto node;
  onnx::OnnxParser parser("y = Relu (x");
  const auto status = parser.Parse(node);
  EXPECT_FALSE(status.IsOK());
  EXPECT_FALSE(parser.EndOfInput());
  EXPECT_NE(status.ErrorMessage().find("1:12: error:"), std::string::npos) << status.ErrorMessage();
  EXPECT_FALSE(onnx::OnnxParser::Parse(node, "y = Relu (x) z").IsOK()) << "text behind the node";
}

TEST(Compat, Printer) {
  onnx::NodeProto node;
  ASSERT_TRUE(onnx::OnnxParser::Parse(node, "y = Relu(x)").IsOK());
  std::ostringstream stream;
  stream << node;
  EXPECT_EQ(stream.str(), "y = Relu (x)");
  EXPECT_EQ(onnx::ProtoToString(node), stream.str());
}

onnx::ModelProto Parsed(std::string_view text) {
  onnx::ModelProto model;
  EXPECT_TRUE(onnx::OnnxParser::Parse(model, text).IsOK());
  return model;
}

TEST(Compat, Checker) {
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(kText)));
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(kText), true));
  std::string clash = kText;
  clash.replace(clash.find("[3, 5]"), 6, "[4, 5]");
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(clash)));
  EXPECT_THROW(onnx::checker::check_model(Parsed(clash), true), onnx::checker::ValidationError);
  std::string wrong = kText;
  wrong.replace(wrong.find("(x, w) }"), 8, "(x) }");
  EXPECT_THROW(onnx::checker::check_model(Parsed(wrong)), onnx::checker::ValidationError);
}

TEST(Compat, CheckerSkipsTheVersionsOfFunctionsWhereAsked) {
  const std::string text = R"(<ir_version: 10, opset_import: ["" : 21, "l" : 1]>
m (float[2, 3] x) => (float[2] y) { y = l.f (x) }
<domain: "l", opset_import: ["" : 11]> f (a) => (b) { b = ReduceSum <axes = [1], keepdims = 0> (a) })";
  EXPECT_THROW(onnx::checker::check_model(Parsed(text)), onnx::checker::ValidationError);
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(text), true, /*skip_opset_compatibility_check=*/true));
  std::string clash = text;
  clash.replace(clash.find("float[2] y"), 10, "float[3] y");
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(clash), false, true));
  EXPECT_THROW(onnx::checker::check_model(Parsed(clash), true, true), onnx::checker::ValidationError);
}

TEST(Compat, CheckerLooksAtCustomDomainsWhereAsked) {
  const std::string text = R"(<ir_version: 10, opset_import: ["" : 21, "com.example" : 1]>
m (bool c, float[2] x) => (float[2] y) { y = If (c) <
  then_branch = t () => (a) { a = com.example.Foo (x) }, else_branch = e () => (b) { b = Relu (x) }> })";
  const std::string function = R"(<domain: "com.example", opset_import: ["" : 21]> Foo (a) => (b) { b = Relu (a) })";
  const auto check = [](const std::string& model) { onnx::checker::check_model(Parsed(model), false, false, true); };
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(text)));
  EXPECT_THROW(check(text), onnx::checker::ValidationError);
  EXPECT_NO_THROW(check(text + function));
  const auto preview = [](const std::string& op) {
    return "<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx.preview\" : 1]>\n"
           "m (float[2] x) => (float[2] y) { y = ai.onnx.preview." +
           op + " (x) }";
  };
  EXPECT_NO_THROW(onnx::checker::check_model(Parsed(preview("Foo"))));
  EXPECT_THROW(check(preview("Foo")), onnx::checker::ValidationError);
}

TEST(Compat, CheckerOfFiles) {
  const std::string path = testing::TempDir() + "compat.onnx";
  std::ofstream(path, std::ios::binary) << Parsed(kText).SerializeAsString();
  EXPECT_NO_THROW(onnx::checker::check_model(path));
  EXPECT_NO_THROW(onnx::checker::check_model(path.c_str(), true));
  EXPECT_THROW(onnx::checker::check_model(path + ".missing"), onnx::checker::ValidationError);
}

}  // namespace
