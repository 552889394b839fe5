#include <gtest/gtest.h>
#include <onnxc/model_io.h>

#include <string>

namespace onnxc {
namespace {

Format Detect(std::string_view bytes, std::string_view name = "-", Kind kind = Kind::kModel) {
  return DetectFormat(bytes, name, kind);
}

onnx::ModelProto SmallModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->set_name("g");
  return model;
}

TEST(DetectFormat, ContentBeatsTheSuffix) {
  const std::string binary = SmallModel().SerializeAsString();
  for (const char* name : {"-", "m.onnx", "m.onnxtxt", "m.json", "m.textproto", "m"}) {
    EXPECT_EQ(Detect(binary, name), Format::kBinary) << name;
    EXPECT_EQ(Detect("# c\n<ir_version: 8> g () => () {}", name), Format::kText) << name;
    EXPECT_EQ(Detect("g (float x) => (float y) {}", name), Format::kText) << name;
    EXPECT_EQ(Detect("# c\n ir_version: 8", name), Format::kTextProto) << name;
    EXPECT_EQ(Detect("graph {\n}", name), Format::kTextProto) << name;
    EXPECT_EQ(Detect(" {\"irVersion\": 8}", name), Format::kJson) << name;
    EXPECT_EQ(Detect("\xef\xbb\xbf{}", name), Format::kText) << name;  // where the mark is an error with a place
  }
}

TEST(DetectFormat, TheSuffixBreaksTies) {
  EXPECT_EQ(Detect(""), Format::kText);
  EXPECT_EQ(Detect("", "m.onnx"), Format::kBinary);
  EXPECT_EQ(Detect("# nothing", "m.pbtxt"), Format::kTextProto);
  EXPECT_EQ(Detect("bogus: 1", "m.pbtxt"), Format::kTextProto);
  EXPECT_EQ(Detect("bogus: 1", "m.onnxtxt"), Format::kText);
  EXPECT_EQ(Detect("g (float x\x01) => () {}", "m.onnxtxt"), Format::kText);
  EXPECT_EQ(Detect("g (float x\x01) => (float[N, 3, 224, 224] y) { y = Relu(x) }"), Format::kText);
  const std::string damaged = SmallModel().SerializeAsString().substr(0, 4);
  EXPECT_EQ(Detect(damaged), Format::kBinary);
  EXPECT_EQ(Detect(damaged, "m.onnx"), Format::kBinary);
}

TEST(DetectFormat, AttributesLookLikeFields) {
  EXPECT_EQ(Detect("name: string = \"x\"", "-", Kind::kAttribute), Format::kText);
  EXPECT_EQ(Detect("name: \"x\"", "-", Kind::kAttribute), Format::kTextProto);
  EXPECT_EQ(Detect("type: FLOAT f: 1", "-", Kind::kAttribute), Format::kTextProto);
  EXPECT_EQ(Detect("f = 1", "-", Kind::kAttribute), Format::kText);
  EXPECT_EQ(Detect("float[2] {1, 2}", "-", Kind::kTensor), Format::kText);
  EXPECT_EQ(Detect("dims: 2", "-", Kind::kTensor), Format::kTextProto);
}

TEST(DetectFormat, ShapesLookLikeJson) {
  EXPECT_EQ(Detect("{dim: [{dim_value: 3}]}", "-", Kind::kShape), Format::kText);
  EXPECT_EQ(Detect("{ # c\n denotation: \"x\"}", "s.json", Kind::kShape), Format::kText);
  EXPECT_EQ(Detect("{\n \"dim\": []}", "-", Kind::kShape), Format::kJson);
  EXPECT_EQ(Detect("{}", "-", Kind::kShape), Format::kJson);
  EXPECT_EQ(Detect("{dim: []}", "-", Kind::kType), Format::kJson);
}

TEST(DetectFormat, BinaryThatBeginsLikeALine) {
  onnx::NodeProto node;  // "\n\x03..." and nothing that is no text but the lengths
  node.add_input("abc");
  node.set_op_type("Relu");
  EXPECT_EQ(Detect(node.SerializeAsString(), "-", Kind::kNode), Format::kBinary);
}

TEST(FormatOfSuffix, KnowsTheTable) {
  EXPECT_EQ(FormatOfSuffix("a.onnxtext"), Format::kText);
  EXPECT_EQ(FormatOfSuffix("a.b.pb"), Format::kBinary);
  EXPECT_EQ(FormatOfSuffix("a.txt"), std::nullopt);
}

}  // namespace
}  // namespace onnxc
