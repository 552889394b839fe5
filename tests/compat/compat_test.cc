// Code that is written for the C++ headers of the ONNX project, with only the include changed.
#include <gtest/gtest.h>
#include <onnxc/compat.h>

#include <cmath>
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
  onnx::OnnxParser::Parse(
      model,
      kText);  // as in the documentation of the original; it must not cause a warning, which would be an error here
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

TEST(Compat, ErrorsInAFileHaveItsNameAndLine) {
  const std::string path = testing::TempDir() + "compat.onnxtxt";
  std::ofstream(path)
      << "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[2] x) => (float[2] y) {\n  y = Relu (z)\n}\n";
  try {
    onnx::checker::check_model(path);
    FAIL();
  } catch (const onnx::checker::ValidationError& error) {
    EXPECT_NE(std::string(error.what()).find(path + ":3:13: error:"), std::string::npos) << error.what();
  }
}

TEST(Compat, AnAttributeWhoseNameIsKnown) {
  onnx::AttributeProto attribute;
  std::string name = "my axis";
  onnx::OnnxParser parser("  : int = 2");
  const onnx::Common::Status status = parser.Parse(attribute, name);
  EXPECT_TRUE(status.IsOK()) << status;
  EXPECT_TRUE(parser.EndOfInput());
  EXPECT_EQ(attribute.name(), "my axis");
  EXPECT_EQ(attribute.i(), 2);
  const onnx::Common::Status wrong = onnx::OnnxParser("= [1, 2.5x]").Parse(attribute, name);
  EXPECT_NE(wrong.ErrorMessage().find("<text>:1:10: error:"), std::string::npos) << wrong;
}

TEST(Compat, Lists) {
  onnx::NodeList nodes;
  EXPECT_TRUE(onnx::OnnxParser::Parse(nodes, "{ a = Relu (x)\n b = Neg (a) } # the end").IsOK());
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(onnx::ProtoToString(nodes), "{\n   a = Relu (x)\n   b = Neg (a)\n}\n");
  onnx::AttrList attributes;
  EXPECT_TRUE(onnx::OnnxParser::Parse(attributes, "<a = 1, b = \"two\">").IsOK());
  EXPECT_EQ(onnx::ProtoToString(attributes), "<a = 1, b = \"two\">");
  EXPECT_TRUE(onnx::OnnxParser::Parse(attributes, "").IsOK());
  EXPECT_EQ(attributes.size(), 0);
  onnx::StringStringList entries;
  EXPECT_TRUE(onnx::OnnxParser::Parse(entries, "[\"key\": \"value\"]").IsOK());
  ASSERT_EQ(entries.size(), 1);
  EXPECT_EQ(entries[0].value(), "value");
}

TEST(Compat, AListIsNotPartOfALargerText) {
  onnx::NodeList nodes;
  EXPECT_FALSE(onnx::OnnxParser::Parse(nodes, "<float w = {1}> { a = Relu (w) }").IsOK());
  EXPECT_FALSE(onnx::OnnxParser::Parse(nodes, "{ a = Relu (x) } f (x) => (y) {}").IsOK());
  onnx::AttrList attributes;
  EXPECT_FALSE(onnx::OnnxParser::Parse(attributes, "<a = 1> (x)").IsOK());
  onnx::StringStringList entries;
  EXPECT_FALSE(onnx::OnnxParser::Parse(entries, "[], domain: \"d\"").IsOK());
}

TEST(Compat, TokensOfAText) {
  onnx::OnnxParser parser("# first\n \"a\\\"b\" -12 1.5e-3 inf name, ;");
  std::string text;
  std::int64_t integer = 0;
  double number = 0;
  float infinity = 0;
  EXPECT_TRUE(parser.ParserBase::Parse(text).IsOK());
  EXPECT_EQ(text, "a\"b");
  EXPECT_TRUE(parser.ParserBase::Parse(integer).IsOK());
  EXPECT_EQ(integer, -12);
  EXPECT_TRUE(parser.ParserBase::Parse(number).IsOK());
  EXPECT_EQ(number, 1.5e-3);
  EXPECT_TRUE(parser.ParserBase::Parse(infinity).IsOK());
  EXPECT_TRUE(std::isinf(infinity));
  EXPECT_EQ(parser.PeekIdentifier(), "name");
  EXPECT_EQ(parser.ParseOptionalIdentifier(), "name");
  EXPECT_TRUE(parser.Matches(','));
  const onnx::Common::Status status = parser.Match(',');
  EXPECT_EQ(status.Code(), onnx::Common::StatusCode::FAIL);
  EXPECT_NE(status.ErrorMessage().find("<text>:2:30: error: expected ','"), std::string::npos) << status;
  EXPECT_FALSE(parser.EndOfInput());
}

TEST(Compat, Status) {
  using onnx::Common::Status;
  EXPECT_TRUE(Status::OK().IsOK());
  EXPECT_EQ(Status(), Status::OK());
  std::ostringstream stream;
  stream << Status(onnx::Common::StatusCategory::CHECKER, onnx::Common::StatusCode::INVALID_ARGUMENT, "why");
  EXPECT_EQ(stream.str(), "[CHECKERError] : 2 : INVALID_ARGUMENT : why");
}

TEST(Compat, PartsArePrinted) {
  onnx::GraphProto graph;
  ASSERT_TRUE(onnx::OnnxParser::Parse(graph, "g (float[N, 2] x, \"a b\") => (y) { y = Relu (x) }").IsOK());
  std::ostringstream stream;
  stream << graph.input() << graph.input(0) << ' ' << graph.input(0).type().tensor_type() << ' '
         << graph.input(0).type().tensor_type().shape().dim(0);
  EXPECT_EQ(stream.str(), "(float[N, 2] x, \"a b\")float[N, 2] x float[N, 2] N");
}

TEST(Compat, PartsAreChecked) {
  using namespace onnx::checker;
  CheckerContext context;
  context.set_opset_imports({{"", 21}});
  LexicalScopeContext outer;
  outer.add("outer");
  const LexicalScopeContext scope(outer);
  onnx::GraphProto graph;
  ASSERT_TRUE(onnx::OnnxParser::Parse(graph, "g () => (y) { y = Relu (outer) }").IsOK());
  context.set_is_main_graph(false);
  EXPECT_NO_THROW(check_graph(graph, context, scope));
  EXPECT_THROW(check_graph(graph, context, LexicalScopeContext()), ValidationError);
  context.set_is_main_graph(true);
  EXPECT_THROW(check_graph(graph, context, scope), ValidationError);
  onnx::NodeProto node;
  ASSERT_TRUE(onnx::OnnxParser::Parse(node, "y = Relu ()").IsOK());
  EXPECT_THROW(check_node(node, context, scope), ValidationError);
  onnx::TensorProto tensor;
  EXPECT_THROW(check_tensor(tensor, context), ValidationError);
  EXPECT_FALSE(check_is_experimental_op(node));
  node.set_op_type("ATen");
  EXPECT_TRUE(check_is_experimental_op(node));
  const onnx::ModelProto model = Parsed(R"(<ir_version: 10, opset_import: ["" : 21, "l" : 1]>
m (float x) => (float y) { y = l.f (x) }
<domain: "l", opset_import: ["" : 21, "l" : 1]> f (a) => (b) { b = l.f (a) })");
  EXPECT_THROW(check_function_call_cycles(model), ValidationError);
  EXPECT_NO_THROW(check_function_call_cycles(Parsed(kText)));
}

TEST(Compat, InferShapes) {
  onnx::ModelProto model = Parsed(R"(<ir_version: 10, opset_import: ["" : 21]>
m (float[2, 3] x) => (float[N] y) { z = Transpose (x) y = Flatten (z) })");
  const std::string before = model.SerializeAsString();
  EXPECT_THROW(onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), {true, 1, true}),
               onnx::InferenceError);
  EXPECT_EQ(model.SerializeAsString(), before);
  onnx::shape_inference::InferShapes(model);
  ASSERT_EQ(model.graph().value_info_size(), 1);
  EXPECT_EQ(onnx::ProtoToString(model.graph().value_info(0)), "float[3, 2] z");
  const std::string path = testing::TempDir() + "infer.onnx";
  std::ofstream(path, std::ios::binary) << before;
  onnx::shape_inference::InferShapes(path);
  onnx::ModelProto back;
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(back.ParseFromIstream(&file));
  EXPECT_EQ(back.graph().value_info_size(), 1);
}

}  // namespace
