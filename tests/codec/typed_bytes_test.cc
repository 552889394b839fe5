// The bytes that `infer` composes are the same as the bytes that protobuf writes for the message with types.
#include "codec/typed_bytes.h"

#include <google/protobuf/arena.h>
#include <gtest/gtest.h>
#include <onnxc/arena.h>
#include <onnxc/model_io.h>

#include <filesystem>
#include <string>

#include "infer/annotate.h"
#include "testing/folder.h"
#include "testing/paths.h"
#include "testing/predicates.h"
#include "testing/random_message.h"
#include "wire/canonical.h"

namespace onnxc::testing {
namespace {

onnx::ModelProto* Placed(const std::string& bytes, google::protobuf::Arena* arena) {
  auto* const model = NewIn<onnx::ModelProto>(arena);
  EXPECT_TRUE(model->ParseFromString(bytes));
  return model;
}

/// Data of at least `long_data` bytes are not read into the message.
std::string Spliced(const std::string& bytes, std::size_t long_data, bool overwrite, Diagnostics* found) {
  google::protobuf::Arena arena;
  auto* const model = NewIn<onnx::ModelProto>(&arena);
  if (!codec::DecodeForTypes(bytes, model, long_data)) {
    EXPECT_FALSE(model->has_graph());
    model->Clear();
    EXPECT_TRUE(model->ParseFromString(bytes));
  }
  const Inference inference = infer::InferTypesOf(*model, bytes.size(), {.overwrite = overwrite});
  std::string result;
  const codec::Pieces pieces = codec::EncodeTyped(bytes, model, inference, overwrite, found);
  for (const std::string_view piece : pieces.views()) result += piece;
  return result;
}

std::string Encoded(const std::string& bytes, bool overwrite, Diagnostics* found) {
  google::protobuf::Arena arena;
  onnx::ModelProto* const model = Placed(bytes, &arena);
  found->Append(AddTypes(model, InferTypes(*model, {.overwrite = overwrite}), overwrite));
  std::string result;
  found->Append(Encode(*model, Format::kBinary, &result));
  return result;
}

/// Returns false if the bytes are not canonical. Protobuf always writes known fields in canonical form.
bool ExpectSame(const std::string& bytes, const std::string& what) {
  if (!wire::IsCanonical(bytes, *onnx::ModelProto::descriptor())) return false;
  for (const bool overwrite : {false, true}) {
    Diagnostics encoded;
    const std::string expected = Encoded(bytes, overwrite, &encoded);
    for (const std::size_t long_data : {codec::kLongData, std::size_t{20}, std::size_t{1}}) {
      Diagnostics spliced;
      EXPECT_TRUE(testing::AreSame(Spliced(bytes, long_data, overwrite, &spliced), expected))
          << what << ", " << long_data;
      EXPECT_EQ(spliced.items().size(), encoded.items().size()) << what << ", " << long_data;
    }
  }
  return true;
}

std::string BytesOf(const std::string& text) {
  onnx::ModelProto model;
  EXPECT_TRUE(testing::Ok(Parse(text, &model)));
  return model.SerializeAsString();
}

TEST(TypedBytes, OfTheTextsOfTheTests) {
  int models = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kTestdata)) {
    if (entry.path().extension() != ".onnxtxt") continue;
    onnx::ModelProto model;
    if (!Parse(ReadWhole(entry.path()), &model).ok()) continue;
    models += ExpectSame(model.SerializeAsString(), entry.path().string()) ? 1 : 0;
  }
  EXPECT_GT(models, 20);
}

TEST(TypedBytes, OfAnyMessage) {
  int models = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    onnx::ModelProto model;
    FillAtRandom(&model, seed);
    models += ExpectSame(model.SerializeAsString(), "seed " + std::to_string(seed)) ? 1 : 0;
  }
  EXPECT_GT(models, 0);
}

// Nodes in a graph that has value infos, in a subgraph, in a training graph, and in a function.
TEST(TypedBytes, WhereTypesAreInAllPlaces) {
  EXPECT_TRUE(ExpectSame(BytesOf(R"(<ir_version: 10, opset_import: ["" : 21, "d" : 1], metadata_props: ["k": "v"],
 training_info: [{algorithm: (t (float[2] a) => (b) { b = Relu (a) })}]>
@metadata_props ["k": "v"]
g (float[N, 2] x, bool c) => (float y, z) <float[M] t, float[1] w = {1}> {
   s = Relu (x)
   t = ReduceSum <keepdims = 0> (s, axes)
   axes = Constant <value = int64[1] {1}> ()
   y = If (c) <then_branch = a () => (float p) { o = Neg (t)  p = Relu (o) }, else_branch = b () => (q) { q = Abs (s) }>
   z = d.f (w)
   l = SequenceConstruct (z, z)
}
<domain: "d", opset_import: ["" : 21]> f (i) => (o) <float[9] m> { m = Relu (i) o = Neg (m) })"),
                         "all places"));
}

TEST(TypedBytes, DoesNotCopyWeights) {
  onnx::ModelProto built;
  ASSERT_TRUE(built.ParseFromString(BytesOf(R"(<ir_version: 10, opset_import: ["" : 21]>
g (float[1000] x) => (float[1000] z) <float[1000] w = {0}> { y = Add (x, w) z = Neg (y) })")));
  built.mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(4000, 'w'));
  built.mutable_graph()->mutable_initializer(0)->clear_float_data();
  const std::string bytes = built.SerializeAsString();
  google::protobuf::Arena arena;
  onnx::ModelProto* const model = Placed(bytes, &arena);
  const Inference inference = InferTypes(*model);
  Diagnostics found;
  const codec::Pieces pieces = codec::EncodeTyped(bytes, model, inference, false, &found);
  std::size_t copied = 0;
  for (const std::string_view piece : pieces.views()) {
    const bool is_part = piece.data() >= bytes.data() && piece.data() < bytes.data() + bytes.size();
    copied += is_part ? 0 : piece.size();
  }
  EXPECT_LT(copied, 100u);
}

TEST(TypedBytes, WeightsAreNotRead) {
  onnx::ModelProto built;
  ASSERT_TRUE(built.ParseFromString(BytesOf(R"(<ir_version: 10, opset_import: ["" : 21]>
g (float[1000] x) => (float[1000] z) <float[1000] w = {0}, int64[2] s = {10, 100}> { y = Add (x, w) z = Reshape (y, s) })")));
  built.mutable_graph()->mutable_initializer(0)->set_raw_data(std::string(4000, 'w'));
  built.mutable_graph()->mutable_initializer(0)->clear_float_data();
  const std::string bytes = built.SerializeAsString();
  onnx::ModelProto read;
  ASSERT_TRUE(codec::DecodeForTypes(bytes, &read, 16));
  ASSERT_EQ(read.graph().initializer_size(), 2);
  EXPECT_FALSE(read.graph().initializer(0).has_raw_data());
  EXPECT_EQ(read.graph().initializer(0).dims(0), 1000);
  EXPECT_EQ(read.graph().initializer(1).int64_data_size(), 2) << "which the shape of z is computed from";
  read.mutable_graph()->mutable_initializer(0)->set_raw_data(built.graph().initializer(0).raw_data());
  EXPECT_EQ(read.SerializeAsString(), bytes);
}

// The added messages can be nested as deeply as the messages that protobuf reads: 100 levels.
TEST(TypedBytes, AreNotTooDeep) {
  for (int depth = 20; depth < 40; ++depth) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(BytesOf(R"(<ir_version: 10, opset_import: ["" : 21]>
g (bool c) => (bool d) { d = Not (c) })")));
    onnx::GraphProto* graph = model.mutable_graph();
    for (int i = 0; i < depth; ++i) {
      onnx::NodeProto* const node = graph->add_node();
      node->set_op_type("If");
      node->add_input("c");
      node->add_output("e" + std::to_string(i));
      graph = node->add_attribute()->mutable_g();
    }
    *graph->add_node() = model.graph().node(0);
    const std::string bytes = model.SerializeAsString();
    const bool is_read = onnx::ModelProto().ParseFromString(bytes);
    if (is_read) {
      EXPECT_TRUE(ExpectSame(bytes, "depth " + std::to_string(depth)));
    }
  }
}

}  // namespace
}  // namespace onnxc::testing
