#include <gtest/gtest.h>
#include <onnxc/model_io.h>

#include <string>

#include "source/unicode.h"

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
    EXPECT_EQ(Detect("\xef\xbb\xbf{}", name), Format::kText)
        << name;  // if the byte order mark is an error with a position
  }
}

TEST(DetectFormat, TheSuffixBreaksTies) {
  EXPECT_EQ(Detect(""), Format::kText);
  EXPECT_EQ(Detect("", "m.onnx"), Format::kBinary);
  EXPECT_EQ(Detect("# nothing", "m.pbtxt"), Format::kTextProto);
  EXPECT_EQ(Detect("bogus: 1", "m.pbtxt"), Format::kTextProto);
  EXPECT_EQ(Detect("bogus: 1", "m.prototxt"), Format::kTextProto);
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

TEST(DetectFormat, AnArrowIsOfTheTextSyntax) {
  EXPECT_EQ(Detect("ir_version: 8\ng () => () {}"), Format::kText);
  EXPECT_EQ(Detect("{ir_version: 8}\ng () => () {}"), Format::kText);
  EXPECT_EQ(Detect("ir_version: 8 producer_name: '\\' =>' # =>"), Format::kTextProto);
  EXPECT_EQ(Detect("{ir_version: \"=>\"}"), Format::kJson);
  EXPECT_EQ(Detect("{ir_version: \"=>"), Format::kJson);
  EXPECT_EQ(Detect("ir_version: 8\ng () => () {}", "m.pbtxt"), Format::kTextProto);
  const std::string long_string = "{doc_string: \"" + std::string(100000, 'x') + "\\\"\"}\n";
  EXPECT_EQ(Detect(long_string + "g () => () {}"), Format::kText);
  EXPECT_EQ(Detect(long_string), Format::kJson);
}

TEST(DetectFormat, BinaryThatBeginsLikeALine) {
  onnx::NodeProto node;  // "\n\x03...": only the lengths are control characters
  node.add_input("abc");
  node.set_op_type("Relu");
  EXPECT_EQ(Detect(node.SerializeAsString(), "-", Kind::kNode), Format::kBinary);
}

// Inputs that resemble another format, recognized only by their content.
TEST(DetectFormat, NearMisses) {
  struct Case {
    std::string_view bytes;
    Kind kind;
    Format format;
  };
  using enum Format;
  const Case cases[] = {
      // An input that consists only of spaces and comments, or begins with them, is a text.
      {"", Kind::kModel, kText},
      {" \t\r\n\f\v", Kind::kModel, kText},
      {"# one comment only", Kind::kModel, kText},
      {"# {\"irVersion\": 8}\n", Kind::kModel, kText},
      {"# graph {\n# }\n\ng () => () {}", Kind::kModel, kText},
      {"# g () => () {}\ngraph {\n}", Kind::kModel, kTextProto},
      {"# JSON has no comments\n{\"irVersion\": 8}", Kind::kModel, kJson},
      // Texts with braces, brackets and quotes in places where JSON and protobuf's text format also have them.
      {"{", Kind::kModel, kJson},
      {"{ir_version: 8}", Kind::kModel, kJson},
      {"[label] y = Relu(x)", Kind::kNode, kText},
      {"[{\"irVersion\": 8}]", Kind::kModel, kText},
      {"\"quoted\" (x) => (y) {}", Kind::kGraph, kText},
      {"\"irVersion\": 8", Kind::kModel, kText},
      {"<ir_version: 8>", Kind::kModel, kText},
      {"@{ir_version: 8}", Kind::kModel, kText},
      {"@doc_string \"{}\" g () => () {}", Kind::kGraph, kText},
      {"{\"dim\": {}}", Kind::kShape, kJson},
      {"{dim: {}}", Kind::kShape, kText},
      {"N, 3", Kind::kShape, kText},
      {"dim {}", Kind::kShape, kTextProto},
      // Names that are equal to names of fields.
      {"graph (float x) => (float y) {}", Kind::kModel, kText},
      {"graph => () {}", Kind::kModel, kText},
      {"graph <ir_version: 8> {", Kind::kModel, kText},
      {"node\n#\n{", Kind::kGraph, kTextProto},
      {"node = Relu(x)", Kind::kNode, kText},
      {"input, output = Split(x)", Kind::kNode, kText},
      {"input: \"x\"", Kind::kNode, kTextProto},
      {"f: float = 1", Kind::kAttribute, kText},
      {"f: 1", Kind::kAttribute, kTextProto},
      {"f: inf", Kind::kAttribute, kTextProto},
      {"type: type_proto = float[1]", Kind::kAttribute, kText},
      {"irVersion: 8", Kind::kModel, kText},  // JSON's spelling
      // Binary inputs whose first bytes look like text.
      {{"\"\x03"
        "abc\x0a",
        6},
       Kind::kModel,
       kText},  // a domain, then a broken field
      {{"\"\x03"
        "abc*\x01x",
        8},
       Kind::kModel,
       kBinary},
      {{"B\x01x\x08\x02\x10\x01", 7}, Kind::kTensor, kBinary},
      {{"{\0", 2}, Kind::kModel, kJson},
      {{"g\0r\0a\0p\0h\0 \0", 12}, Kind::kModel, kText},  // UTF-16: the scanner reports it
      {{"\x08\x08 g () => () {}", 17}, Kind::kModel, kBinary},
      {"\xff\xfe", Kind::kModel, kText},
      {"\x7f"
       "ELF\x02\x01\x01",
       Kind::kModel, kBinary},
      {"PK\x03\x04", Kind::kModel, kText},
  };
  for (const Case& item : cases) {
    EXPECT_EQ(Detect(item.bytes, "-", item.kind), item.format) << Shown(item.bytes) << " as " << Name(item.kind);
    onnx::ModelProto model;  // in whichever format it is read, it is accepted or rejected with a message
    const Diagnostics found = Decode(item.bytes, item.format, &model);
    EXPECT_EQ(found.ok(), RenderText(found.ErrorsOnly(), SourceText("x", item.bytes, nullptr)).empty());
  }
}

TEST(FormatOfSuffix, KnowsTheTable) {
  EXPECT_EQ(FormatOfSuffix("a.onnxtext"), Format::kText);
  EXPECT_EQ(FormatOfSuffix("a.b.pb"), Format::kBinary);
  EXPECT_EQ(FormatOfSuffix("a.txt"), std::nullopt);
  EXPECT_EQ(FormatOfSuffix("A.ONNX"), Format::kBinary);
  EXPECT_EQ(FormatOfSuffix("onnx"), std::nullopt);
}

}  // namespace
}  // namespace onnxc
