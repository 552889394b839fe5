// Old models that are invalid, or that require much work for a few bytes: each is rejected, or converted in time that
// is linear in its size.
#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "old/convert.h"
#include "old_schemas/onnx_v1.pb.h"
#include "old_schemas/torch_2018.pb.h"
#include "source/foreign_file.h"
#include "testing/predicates.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;

template <typename Message>
std::string Bytes(const std::string& text) {
  Message message;
  EXPECT_TRUE(pb::TextFormat::ParseFromString(text, &message)) << text;
  return message.SerializeAsString();
}

/// Returns a model of PyTorch's fork.
std::string Torch(const std::string& fields) {
  return Bytes<torch_2018::ModelProto>("ir_version: 259 graph { name: 'g' } " + fields);
}

/// Returns the converted model; any finding fails the test.
onnx::ModelProto Converted(const std::string& bytes, Schema schema = Schema::kTorch) {
  onnx::ModelProto model;
  const Diagnostics found = Convert(bytes, schema, {}, &model);
  EXPECT_TRUE(testing::Ok(found)) << RenderText(found, SourceText("model", ""));
  return model;
}

/// Returns the path and the message of the first finding.
std::string Refused(const std::string& bytes, Schema schema = Schema::kTorch, const ConvertOptions& options = {}) {
  onnx::ModelProto model;
  const Diagnostics found = Convert(bytes, schema, options, &model);
  EXPECT_EQ(model.ByteSizeLong(), 0);
  if (found.ok()) return "";
  const Diagnostic& first = found.items().front();
  return first.path.empty() ? first.message : first.path + ": " + first.message;
}

// ---- versions

TEST(OldHostile, ModelsOfOtherVersionsAreNotOfTheFork) {
  for (const char* const version : {"10", "3", "0", "-1", "512"}) {
    const std::string bytes = Bytes<torch_2018::ModelProto>(std::string("graph { name: 'g' } ir_version: ") + version);
    EXPECT_EQ(Refused(bytes), std::string("ir_version: ir_version ") + version +
                                  " is not that of PyTorch's fork, which is 259 (0x103)");
  }
  EXPECT_EQ(Refused(Bytes<torch_2018::ModelProto>("graph { name: 'g' }")), "the model has no ir_version");
}

TEST(OldHostile, AnEmptyFileIsNoModel) {
  EXPECT_EQ(Refused("", Schema::kTorch), "the model has no ir_version");
  EXPECT_EQ(Refused("", Schema::kOnnx01), "the graph has no nodes, inputs and outputs");
  EXPECT_EQ(Refused("", Schema::kOnnx02), "the model is empty");
}

TEST(OldHostile, TypesAreForInputsThatThereAre) {
  const std::string bytes =
      Bytes<onnx_v1::GraphProto>("input: 'x' output: 'x' initializer { name: 'x' data_type: FLOAT }");
  ConvertOptions options;
  options.input_types["y"];
  EXPECT_EQ(Refused(bytes, Schema::kOnnx01, options), "--input names 'y', which is not an input");
}

// ---- sizes

TEST(OldHostile, DimensionsOfSizeOneCostNothingPerElement) {
  torch_2018::ModelProto model;
  model.set_ir_version(259);
  torch_2018::TensorProto* const tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(torch_2018::TensorProto::INT8);
  constexpr int kElements = 300'000;
  tensor->add_dims(kElements);
  tensor->add_strides(2);
  for (int i = 0; i < 300'000; ++i) {  // if each element were processed separately, the test would take minutes
    tensor->add_dims(1);
    tensor->add_strides(5);
  }
  std::string data;
  for (int i = 0; i < 2 * kElements; ++i) data.push_back(static_cast<char>(i % 100));
  tensor->set_raw_data(data);
  const onnx::ModelProto converted = Converted(model.SerializeAsString());
  std::string expected;
  for (int i = 0; i < kElements; ++i) expected.push_back(static_cast<char>(2 * i % 100));
  EXPECT_EQ(converted.graph().initializer(0).raw_data(), expected);
}

TEST(OldHostile, MetadataTakeNoMoreThanTheModelAllows) {
  torch_2018::ModelProto model;
  model.set_ir_version(259);
  torch_2018::TypeProto* type = model.mutable_graph()->add_input()->mutable_type();
  for (int depth = 0; depth < 30; ++depth) type = type->mutable_sequence_type()->mutable_elem_type();
  for (int i = 0; i < 20'000; ++i) type->mutable_tensor_type()->mutable_shape()->add_stride();
  const std::string refused = Refused(model.SerializeAsString());
  EXPECT_NE(refused.find("the metadata would need more than"), std::string::npos) << refused;
}

/// A tensor whose elements are all the same string.
std::string Repeated(int count, int length) {
  return Bytes<torch_2018::ModelProto>(
      fmt::format(R"(ir_version: 259 graph {{ name: "g" initializer {{ name: "w" data_type: STRING dims: {} strides: 0
      string_data: "{}" }} }})",
                  count, std::string(static_cast<std::size_t>(length), 'a')));
}

TEST(OldHostile, StridesOfZeroMayRepeatAStringOnlySoOften) {
  const onnx::ModelProto model = Converted(Repeated(1000, 1000));
  EXPECT_EQ(model.graph().initializer(0).string_data_size(), 1000);
  const std::string refused = Refused(Repeated(16'000, 16'000));
  EXPECT_NE(refused.find("the 16000 elements that the strides produce would need more than"), std::string::npos)
      << refused;
}

TEST(OldHostile, FindingsBeyondTheLimitAreCounted) {
  torch_2018::ModelProto model;
  model.set_ir_version(259);
  torch_2018::GraphProto* graph = model.mutable_graph();
  for (int depth = 0; depth < 20; ++depth) graph = graph->add_node()->add_attribute()->mutable_g();
  for (int i = 0; i < 1'000; ++i) graph->GetReflection()->MutableUnknownFields(graph)->AddVarint(1000 + i, 1);
  onnx::ModelProto converted;
  const Diagnostics found =
      old::Convert(model.SerializeAsString(), old::Schema::kTorch, {.max_diagnostics = 3}, &converted);
  EXPECT_FALSE(found.ok());
  EXPECT_EQ(found.items().size(), 3u);
  EXPECT_GE(found.suppressed(), 997u);
}

// ---- methods

TEST(OldHostile, AnInputOfAMethodWithAnInitializerIsAConstantAlone) {
  const onnx::ModelProto model = Converted(Torch(R"(methods { name: "f"
      node { input: "x" input: "w" output: "y" op_type: "Add" }
      initializer { name: "w" dims: 1 data_type: FLOAT float_data: 1 }
      input { name: "x" } input { name: "w" doc_string: "weights" } output { name: "y" } })"));
  const onnx::FunctionProto& function = model.functions(0);
  ASSERT_EQ(function.input_size(), 1);
  EXPECT_EQ(function.input(0), "x");
  EXPECT_EQ(function.node(0).op_type(), "Constant");
  EXPECT_EQ(function.node(0).output(0), "w");
  EXPECT_EQ(function.value_info(0).doc_string(), "weights");
}

TEST(OldHostile, MethodsWithoutANameGetOneOfTheirOwn) {
  const onnx::ModelProto model = Converted(Torch("methods {} methods { name: 'method_0' } methods { name: '' }"));
  EXPECT_EQ(model.functions(0).name(), "method_0_");
  EXPECT_EQ(model.functions(1).name(), "method_0");
  EXPECT_EQ(model.functions(2).name(), "method_2");
}

// ---- chunks

/// A tensor with four elements in two chunks, which have these fields.
std::string InChunks(const std::string& first, const std::string& second) {
  const std::string tensor = "initializer { name: 'p' dims: 4 ";
  return Bytes<torch_2018::ModelProto>("ir_version: 259 graph { " + tensor + first + "} " + tensor + second + "} }");
}

constexpr const char* kFirst =
    "data_type: FLOAT float_data: [1, 2] segment { begin: 0 end: 2 chuck_num: 2 chuck_id: 0 }";

TEST(OldHostile, ChunksHaveTheirDataInOneField) {
  EXPECT_EQ(Refused(InChunks(kFirst,
                             "data_type: FLOAT raw_data: '\\0\\0\\0\\0\\0\\0\\0\\0' "
                             "segment { begin: 2 end: 4 chuck_num: 2 chuck_id: 1 }")),
            "graph.initializer[1]: the chunks of one tensor have their data in different fields");
}

TEST(OldHostile, SegmentsFollowEachOther) {
  EXPECT_EQ(Refused(InChunks(kFirst,
                             "data_type: FLOAT float_data: [3, 4] "
                             "segment { begin: 0 end: 2 chuck_num: 2 chuck_id: 1 }")),
            "graph.initializer[1]: the segment must begin at 2, where the one before ends");
  EXPECT_EQ(Refused(InChunks(kFirst, "data_type: FLOAT segment { begin: 2 end: 1 chuck_num: 2 chuck_id: 1 }")),
            "graph.initializer[1]: the segment must begin at 2, and must not end before that");
}

TEST(OldHostile, SegmentsMakeTheTensor) {
  EXPECT_EQ(Refused(InChunks(kFirst,
                             "data_type: FLOAT float_data: 3 "
                             "segment { begin: 2 end: 3 chuck_num: 2 chuck_id: 1 }")),
            "graph.initializer[1]: the segments end at 3, but the dimensions make 4 elements");
}

TEST(OldHostile, ChunksHaveTheElementsOfTheirSegments) {
  for (const char* const data :
       {"", "float_data: 3", "float_data: [3, 4, 5]", "int64_data: [3, 4]", "float_data: [3, 4] int64_data: 1"}) {
    EXPECT_EQ(Refused(InChunks(kFirst, std::string(data) + " data_type: FLOAT "
                                                           "segment { begin: 2 end: 4 chuck_num: 2 chuck_id: 1 }")),
              "graph.initializer[1]: the data of the chunk are not the elements of its segment")
        << data;
  }
}

TEST(OldHostile, ChunksOfStringsAreReadToo) {
  const onnx::ModelProto model =
      Converted(InChunks("data_type: STRING string_data: 'a' segment { begin: 0 end: 1 chuck_num: 2 chuck_id: 0 }",
                         "data_type: STRING string_data: ['b', 'c', 'd'] "
                         "segment { begin: 1 end: 4 chuck_num: 2 chuck_id: 1 }"));
  EXPECT_EQ(model.graph().initializer(0).string_data_size(), 4);
  EXPECT_EQ(model.graph().initializer(0).dims(0), 4);
}

// ---- attributes without a type

TEST(OldHostile, AttributesGetTheTypeOfTheirValue) {
  const onnx::ModelProto model = Converted(
      Torch("methods { name: 'f' node { op_type: 'LeakyRelu' output: 'y' attribute { name: 'alpha' f: 0.5 } } }"));
  EXPECT_EQ(model.functions(0).node(0).attribute(0).type(), onnx::AttributeProto::FLOAT);
  // In the function, a new Constant node comes before this node, but the path in the finding is the path in the old
  // model.
  EXPECT_EQ(Refused(Torch("methods { name: 'f' initializer { name: 'w' } node { attribute { name: 'a' } } }")),
            "methods[0] \"f\".node[0].attribute[\"a\"]: the attribute has no type, and no single "
            "value determines the type");
}

// ---- files that are not models

TEST(OldHostileForeign, OnlyTheWholeMarkMakesATarArchive) {
  const std::string name = "model.onnx" + std::string(247, '\0');
  EXPECT_TRUE(FindForeignFile(name + std::string("ustar\00000", 8)).has_value());
  EXPECT_TRUE(FindForeignFile(name + std::string("ustar  \0", 8)).has_value());
  EXPECT_FALSE(FindForeignFile(std::string(257, '#') + "ustar is a word of this comment").has_value());
  EXPECT_FALSE(FindForeignFile(std::string(257, '#') + "ustar  and two spaces").has_value());
}

}  // namespace
}  // namespace onnxc::old
