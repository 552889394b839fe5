// A message that is built in memory may be nested more deeply than protobuf can read.
#include "wire/nesting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnxc/checker.h>
#include <onnxc/compat.h>
#include <onnxc/differ.h>
#include <onnxc/external_data.h>
#include <onnxc/graphviz.h>
#include <onnxc/info.h>
#include <onnxc/linker.h>
#include <onnxc/model_io.h>
#include <onnxc/printer.h>

namespace onnxc::testing {

using wire::CheckNesting;

namespace {

constexpr int kVeryDeep = 6000;  // graphs, which are three messages each; protobuf can still destroy this number

onnx::ModelProto Graphs(int count) {
  onnx::ModelProto model;
  onnx::GraphProto* graph = model.mutable_graph();
  for (int i = 1; i < count; ++i) graph = graph->add_node()->add_attribute()->mutable_g();
  return model;
}

onnx::TypeProto Types(int count) {
  onnx::TypeProto root;
  onnx::TypeProto* type = &root;
  for (int i = 1; i < count; ++i) type = type->mutable_sequence_type()->mutable_elem_type();
  return root;
}

std::string Kinds(const Diagnostics& found) {
  std::string kinds;
  for (const Diagnostic& item : found.items()) kinds.append(Name(item.kind)).append(" ");
  return kinds;
}

// The limit is exactly the limit of protobuf.
TEST(Nesting, IsWhatProtobufReadsBack) {
  const auto expect_same = [](const google::protobuf::Message& message) {
    const std::unique_ptr<google::protobuf::Message> back(message.New());
    EXPECT_EQ(CheckNesting(message).ok(), back->ParsePartialFromString(message.SerializePartialAsString()));
  };
  for (int count = 30; count < 40; ++count) {
    onnx::ModelProto model = Graphs(count);
    expect_same(model);
    onnx::GraphProto* graph = model.mutable_graph();
    while (graph->node_size() > 0) graph = graph->mutable_node(0)->mutable_attribute(0)->mutable_g();
    graph->add_metadata_props();
    expect_same(model);
    graph->add_initializer()->add_external_data();
    expect_same(model);
  }
  for (int count = 45; count < 55; ++count) {
    onnx::TypeProto type = Types(count);
    expect_same(type);
    onnx::ValueInfoProto value;
    *value.mutable_type() = type;
    expect_same(value);
  }
}

TEST(Nesting, IsAFindingOfEachFunction) {
  onnx::ModelProto model = Graphs(kVeryDeep);
  std::string bytes;
  for (const Format format : {Format::kBinary, Format::kJson, Format::kTextProto, Format::kText}) {
    EXPECT_EQ(Kinds(Encode(model, format, &bytes)), "nesting-too-deep ");
    EXPECT_EQ(bytes, "");
  }
  EXPECT_EQ(Kinds(ElideWeights(&model, Elision::kNothing)), "nesting-too-deep ");
  EXPECT_EQ(Kinds(InlineExternal(&model)), "nesting-too-deep ");
  EXPECT_EQ(Kinds(AttachWeights(&model, "none.onnx")), "nesting-too-deep ");
  EXPECT_EQ(Kinds(FindElided(model)), "nesting-too-deep ");
  EXPECT_EQ(FirstLocation(model), "");
  PendingFile file;
  EXPECT_EQ(Kinds(SaveExternal(&model, {.file_name = "none"}, &file)), "nesting-too-deep ");
  const std::vector<SourceFindings> linked = Link(&model, SourceText("a", ""), SourceMap(), {});
  ASSERT_EQ(linked.size(), 1u);
  EXPECT_EQ(Kinds(linked[0].diagnostics), "nesting-too-deep ");

  const std::vector<Difference> differences = Diff(onnx::ModelProto(), model);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_THAT(differences[0].detail, ::testing::HasSubstr("nested too deeply"));
  EXPECT_EQ(Diff(model, model).size(), 1u);
  EXPECT_THAT(DrawDot(model), ::testing::HasSubstr("nested too deeply"));
  EXPECT_THAT(DrawDot(model.graph()), ::testing::HasSubstr("nested too deeply"));
  EXPECT_GT(Inspect(model).subgraph_depth, kMaxDepth);
  EXPECT_FALSE(CheckModel(model).ok());
  EXPECT_FALSE(compat::FindErrors(model, {.check_custom_domain = true}).ok());
  EXPECT_FALSE(Print(model).diagnostics.ok());
  EXPECT_FALSE(Print(model, {.dialect = Dialect::kReference}).diagnostics.ok());
}

}  // namespace
}  // namespace onnxc::testing
