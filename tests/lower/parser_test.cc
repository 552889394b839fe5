#include <google/protobuf/unknown_field_set.h>
#include <onnxc/parser.h>

#include "testing/predicates.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::string_view Text(std::string_view text, const SourceRange* range) {
  return range == nullptr ? "nowhere" : text.substr(range->begin, range->end - range->begin);
}

TEST(Parser, MapsElementsToTheirPlaces) {
  const std::string_view text =
      "<ir_version: 8>\ng (float[N, 3] x) => (y)\n<int64[2] w = {1, 2}>\n{\n"
      "   [n] y = my.Op:o <k = [1, 2], t = float[1] {3}> (x, w)\n}\nf <a, b: int = 1> (p) => (q) {}";
  SourceMap map;
  const auto model = ParseText<onnx::ModelProto>(text, {.source_map_out = &map});
  const onnx::GraphProto& graph = model.graph();
  const onnx::NodeProto& node = graph.node(0);
  EXPECT_EQ(Text(text, map.Find(model, onnx::ModelProto::kIrVersionFieldNumber)), "8");
  EXPECT_EQ(Text(text, map.Find(graph, onnx::GraphProto::kNameFieldNumber)), "g");
  EXPECT_EQ(Text(text, map.Find(graph)), text.substr(0, text.find("\nf <")));
  EXPECT_EQ(Text(text, map.Find(model.functions(0))), "f <a, b: int = 1> (p) => (q) {}");
  EXPECT_EQ(Text(text, map.Find(graph.input(0))), "float[N, 3] x");
  EXPECT_EQ(Text(text, map.Find(graph.input(0).type())), "float[N, 3]");
  EXPECT_EQ(Text(text, map.Find(graph.input(0).type().tensor_type().shape().dim(1))), "3");
  EXPECT_EQ(Text(text, map.Find(graph.initializer(0))), "int64[2] w = {1, 2}");
  EXPECT_EQ(Text(text, map.Find(graph.initializer(0), onnx::TensorProto::kNameFieldNumber)), "w");
  EXPECT_EQ(Text(text, map.Find(graph.initializer(0), onnx::TensorProto::kDimsFieldNumber)), "2");
  EXPECT_EQ(Text(text, map.Find(node)), "[n] y = my.Op:o <k = [1, 2], t = float[1] {3}> (x, w)");
  EXPECT_EQ(Text(text, map.Find(node, onnx::NodeProto::kInputFieldNumber, 1)), "w");
  EXPECT_EQ(Text(text, map.Find(node, onnx::NodeProto::kOpTypeFieldNumber)), "Op");
  EXPECT_EQ(Text(text, map.Find(node, onnx::NodeProto::kDomainFieldNumber)), "my");
  EXPECT_EQ(Text(text, map.Find(node, onnx::NodeProto::kOverloadFieldNumber)), "o");
  EXPECT_EQ(Text(text, map.Find(node.attribute(0), onnx::AttributeProto::kNameFieldNumber)), "k");
  EXPECT_EQ(Text(text, map.Find(node.attribute(1).t())), "float[1] {3}");
  EXPECT_EQ(Text(text, map.Find(model.functions(0), onnx::FunctionProto::kAttributeFieldNumber)), "a");
  EXPECT_EQ(Text(text, map.Find(model.functions(0).attribute_proto(0))), "b: int = 1");
  // If a field has no position of its own, it has the position of its element; a field that is not in the text has no
  // position.
  EXPECT_EQ(Text(text, map.Find(graph.input(0), onnx::ValueInfoProto::kDocStringFieldNumber)), "float[N, 3] x");
  EXPECT_EQ(map.Find(onnx::NodeProto()), nullptr);
}

// A pragma after a header applies to the following part, also in a function.
TEST(Parser, PragmasBehindAHeaderHold) {
  const std::string text = "<domain: \"d\">\n# onnxc: raw\nf (x) => (y) { y = Constant <value = float[1] {1}> () }";
  EXPECT_TRUE(ParseText<onnx::FunctionProto>(text).node(0).attribute(0).t().has_raw_data());
  EXPECT_TRUE(
      ParseText<onnx::ModelProto>("g () => () {}\n" + text).functions(0).node(0).attribute(0).t().has_raw_data());
}

// `=>` is one token, even where the reference reads a `=` and the end of a list.
TEST(Parser, DoesNotSplitAnArrow) {
  EXPECT_THAT(Findings<onnx::GraphProto>("g () => () <float[2] w => {}"), Not(IsEmpty()));
  EXPECT_THAT(Findings<onnx::NodeProto>("y = A <k = float[2] =>()"), Not(IsEmpty()));
  EXPECT_EQ(ParseText<onnx::GraphProto>("g () => () <float[2] w = > {}").initializer_size(), 1);
}

TEST(Parser, ReadsFarExponents) {
  EXPECT_EQ(ParseText<onnx::AttributeProto>("k = 1e-9223372036854775808").f(), 0);
  EXPECT_THAT(Findings<onnx::AttributeProto>("k = 1e09223372036854775807"), ElementsAre("float-out-of-range"));
  EXPECT_THAT(Findings<onnx::TensorProto>("double[1] {10e9223372036854775807}"), ElementsAre("float-out-of-range"));
  EXPECT_EQ(ParseText<onnx::TensorProto>("float6e2m3[1] {1.5}").int32_data(0), 12);  // this once crashed
}

TEST(Parser, LeavesNothingOfAWrongText) {
  onnx::NodeProto node;
  node.set_name("before");
  SourceMap map;
  EXPECT_FALSE(Parse("y = Op (x", &node, {.source_map_out = &map}).ok());
  EXPECT_EQ(node.ByteSizeLong(), 0u);
  EXPECT_EQ(map.size(), 0u);
}

TEST(Parser, ReportsAsManyFindingsAsAskedFor) {
  onnx::NodeProto node;
  const Diagnostics diagnostics = Parse("y = Op <a: x = 1, b: x = 1, c: x = 1> ()", &node, {.max_diagnostics = 2});
  EXPECT_EQ(diagnostics.items().size(), 2u);
  EXPECT_EQ(diagnostics.suppressed(), 1u);
}

TEST(Parser, TellsFunctionsApartByTheirHeader) {
  const ParseOptions apart{.tell_functions_apart = true};
  const std::string_view by_domain = "<domain: \"d\", opset_import: [\"\": 17]> f (x) => (y) { y = Neg (x) }";
  EXPECT_FALSE(ParseText<onnx::ModelProto>(by_domain, apart).has_graph());
  EXPECT_TRUE(ParseText<onnx::ModelProto>(by_domain).has_graph());
  EXPECT_TRUE(ParseText<onnx::ModelProto>("<ir_version: 8, domain: \"d\"> g (x) => (y) {}", apart).has_graph());
  for (const char* text :
       {"<overload: \"o\"> f () => () {}", "f <a> () => () {}", "# onnxc: functions\nf () => () {}"}) {
    const auto model = ParseText<onnx::ModelProto>(text);
    EXPECT_FALSE(model.has_graph()) << text;
    EXPECT_EQ(model.functions_size(), 1) << text;
  }
}

TEST(Parser, TellsHowFarItIs) {
  std::atomic<std::size_t> progress = 0;
  const std::string_view model = "<ir_version: 8> g () => () { y = Relu (x) }\n";
  (void)ParseText<onnx::ModelProto>(model, {.progress = &progress});
  EXPECT_EQ(progress, model.size());
  (void)ParseText<onnx::NodeProto>("y = Relu (x)", {.progress = &progress});
  EXPECT_EQ(progress, 12u);
  // The error mode reads the whole text, even if it has errors.
  onnx::GraphProto graph;
  const std::string_view wrong = "g () => () { a = A () b = B () c = }";
  EXPECT_FALSE(Parse(wrong, &graph, {.progress = &progress}).ok());
  EXPECT_EQ(progress, wrong.size());
}

TEST(Parser, PutsListsBeforeUnknownFieldsInBytes) {
  // Field 3, and a group with the number 100 that contains field 50: neither may be mistaken for nodes or initializers.
  // The parts of a long text are serialized one by one.
  const std::string text = R"(@unknown_fields b"\x18\x01\xa3\x06\x90\x03\x01\xa4\x06"
      g () => () <float w = {1}> { y = Add () })" +
                           ("\n#" + std::string(std::size_t{8} << 10, '-'));
  const auto model = ParseText<onnx::ModelProto>(text);
  ASSERT_EQ(model.graph().GetReflection()->GetUnknownFields(model.graph()).field_count(), 2);
  std::vector<std::string> chunks;
  ASSERT_TRUE(testing::Ok(ParseToBytes(text, &chunks)));
  std::string bytes;
  for (const std::string& chunk : chunks) bytes += chunk;
  EXPECT_EQ(bytes, Bytes(model));
}

TEST(Parser, HasTheNamesThatUsersOfTheReferenceKnow) {
  onnx::ModelProto model;
  EXPECT_TRUE(OnnxParser::Parse(model, "g () => () {}").IsOK());
  onnx::NodeProto node;
  const Status status = OnnxParser::Parse(node, "y = Op (");
  EXPECT_FALSE(status.IsOK());
  EXPECT_NE(status.ErrorMessage().find("1:9: error: "), std::string::npos) << status.ErrorMessage();
  onnx::TensorShapeProto shape;
  EXPECT_TRUE(OnnxParser::Parse(shape, "N, 3").IsOK());
  EXPECT_EQ(shape.dim_size(), 2);
}

}  // namespace
}  // namespace onnxc::testing
