#include "old/schema.h"

#include <gtest/gtest.h>
#include <onnxc/model_io.h>
#include <onnxc/proto.h>

#include <string>

#include "testing/predicates.h"

namespace onnxc::old {
namespace {

std::string ModelOfVersion(std::int64_t version) {
  onnx::ModelProto model;
  model.set_producer_name("p");
  model.mutable_graph()->set_name("g");
  model.set_ir_version(version);
  return model.SerializeAsString();
}

TEST(OldSchema, KnowsModelsOfTorchByTheirVersion) {
  for (const std::int64_t version : {0x100, 0x103, 0x1FF})
    EXPECT_EQ(FindSchema(ModelOfVersion(version)), Schema::kTorch);
  for (const std::int64_t version : {0, 1, 14, 0xFF, 0x200, -1})
    EXPECT_EQ(FindSchema(ModelOfVersion(version)), std::nullopt);
  EXPECT_EQ(FindSchema(ModelOfVersion(0x103) + ModelOfVersion(7)), std::nullopt) << "the last version counts";
  EXPECT_EQ(FindSchema(ModelOfVersion(0x103) + "\x07"), std::nullopt) << "no wire format";
}

TEST(OldSchema, KnowsGraphsOfOnnx01) {
  const std::string node("\x0A\x0C\x0A\x01x\x12\x01y\x22\x04Relu", 14);
  const std::string input("\x1A\x01x", 3);
  const std::string version("\x30\x01", 2);
  EXPECT_EQ(FindSchema(node + input), Schema::kOnnx01);
  EXPECT_EQ(FindSchema(input + node + version), Schema::kOnnx01);
  EXPECT_EQ(FindSchema(node), std::nullopt) << "so does a graph of today";
  EXPECT_EQ(FindSchema(input), std::nullopt);
  EXPECT_EQ(FindSchema(node + input + "\x5A\x03\x0A\x01x"), std::nullopt) << "field 11 is of a later schema";
  EXPECT_EQ(FindSchema(""), std::nullopt);
}

TEST(OldSchema, KnowsModelsOfOnnx02ByTheirSparseTypes) {
  onnx::ModelProto model;
  model.set_ir_version(1);
  onnx::TypeProto* const type = model.mutable_graph()->add_input()->mutable_type();
  EXPECT_EQ(FindSchema(model.SerializeAsString()), std::nullopt);
  type->GetReflection()->MutableUnknownFields(type)->AddLengthDelimited(2, "\x08\x01");
  EXPECT_EQ(FindSchema(model.SerializeAsString()), Schema::kOnnx02);
  model.set_ir_version(3);
  EXPECT_EQ(FindSchema(model.SerializeAsString()), std::nullopt);
}

TEST(OldSchema, IsKnownInTextFormat) {
  const auto found = [](std::string_view text) { return FindSchema(text); };
  EXPECT_EQ(found(R"(ir_version: 259 graph { name: "g" })"), Schema::kTorch);
  EXPECT_EQ(found("# a comment\ngraph < name: 'g}' > ir_version : 0x103"), Schema::kTorch);
  EXPECT_EQ(found("producer_name: \"a\\\"b\" 'c'; opset_import [{ version: 1 }], ir_version: 0403"), Schema::kTorch);
  EXPECT_EQ(found(R"(graph { node { attribute { i: 259 } } ir_version: 259 } ir_version: 7)"), std::nullopt);
  EXPECT_EQ(found(R"(node { op_type: "Relu" } input: "x")"), Schema::kOnnx01);
  EXPECT_EQ(found(R"(output: ["y"] node { op_type: "Relu" })"), Schema::kOnnx01);
  EXPECT_EQ(found(R"(node { op_type: "Relu" } input { name: "x" })"), std::nullopt) << "a graph of today";
  EXPECT_EQ(found(R"(name: "f" input: "x" node { op_type: "Relu" } opset_import { version: 21 })"), std::nullopt)
      << "a function of today";
  EXPECT_EQ(found(R"(input: "x" op_type: "Relu")"), std::nullopt) << "a node";
  for (const std::string_view text :
       {"", " ", "ir_version", "ir_version:", "graph {", "a: \"", "a: 'b\\", "}", "ir_version: 259x",
        "<ir_version: 259> g () => () {}", "y = Relu (x)", "{\"irVersion\": 259}"}) {
    EXPECT_EQ(found(text), std::nullopt) << text;
  }
}

TEST(OldSchema, RefusesTheKindsThatCouldBeMisread) {
  EXPECT_FALSE(RefuseOldSchema(ModelOfVersion(0x103), Kind::kModel).ok());
  EXPECT_TRUE(testing::Ok(RefuseOldSchema(ModelOfVersion(0x103), Kind::kGraph)));
  EXPECT_TRUE(testing::Ok(RefuseOldSchema(ModelOfVersion(10), Kind::kModel)));
}

}  // namespace
}  // namespace onnxc::old
