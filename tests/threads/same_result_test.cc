// The message and the text of a large model do not depend on the number of threads.
#include <gmock/gmock.h>
#include <onnxc/printer.h>

#include <numeric>
#include <random>

#include "print/common/bare.h"
#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/sink.h"

namespace onnxc::testing {
namespace {

constexpr std::size_t kParallel = std::size_t{4} << 20;  // bytes of a list that several threads share

template <typename Value>
void ExpectSameTensor(const std::string& type, const Value& value) {
  constexpr int kElements = 700'000;
  std::string text = type + "[700000] {" + value(0);
  for (int i = 1; i < kElements; ++i) text += (i % 7 == 0 ? " ,\n" : ",") + value(i);
  text += '}';
  ASSERT_GT(text.size(), kParallel);
  const auto tensor = ParseText<onnx::TensorProto>(text, {.threads = 1});
  const std::string bytes = tensor.SerializeAsString();
  const std::string printed = Print(tensor, {.threads = 1}).text;
  const std::string reference = Print(tensor, {.dialect = Dialect::kReference, .threads = 1}).text;
  for (const unsigned threads : {2u, 3u, 0u}) {
    EXPECT_TRUE(testing::AreSame(ParseText<onnx::TensorProto>(text, {.threads = threads}).SerializeAsString(), bytes))
        << threads;
    EXPECT_TRUE(testing::AreSame(Print(tensor, {.threads = threads}).text, printed)) << threads;
    EXPECT_TRUE(testing::AreSame(Print(tensor, {.dialect = Dialect::kReference, .threads = threads}).text, reference))
        << threads;
  }
  EXPECT_TRUE(testing::AreSame(ParseText<onnx::TensorProto>(printed, {.threads = 3}).SerializeAsString(), bytes));
}

TEST(SameResult, OfLongLists) {
  std::mt19937 random(1);
  const auto integer = [&](int) { return std::to_string(random()); };
  ExpectSameTensor("int64", integer);
  ExpectSameTensor("uint64", integer);
  ExpectSameTensor("float", [&](int i) { return i % 1000 == 0 ? "-inf" : std::to_string(random()) + "e-9"; });
  ExpectSameTensor("double", [&](int) { return std::to_string(random()) + "." + std::to_string(random()); });
  ExpectSameTensor("float16", [&](int) { return std::to_string(random() % 1000) + ".500"; });
}

// The first error is reported, whichever thread finds it.
TEST(SameResult, OfWrongLists) {
  constexpr std::size_t kElements = 1'500'000;
  for (const std::size_t wrong : {std::size_t{3}, kElements / 2, kElements - 1}) {
    std::string text = "int64[1500000] {1000";
    for (std::size_t i = 1; i < kElements; ++i) text += i == wrong ? ",1x" : ",1000";
    text += '}';
    std::vector<std::string> reports;
    for (const unsigned threads : {1u, 2u, 3u}) {
      onnx::TensorProto tensor;
      reports.push_back(RenderJson(Parse(text, &tensor, {.threads = threads}), SourceText("text", "")));
      EXPECT_EQ(tensor.ByteSizeLong(), 0u);
    }
    EXPECT_THAT(reports[0], ::testing::HasSubstr("malformed-number"));
    EXPECT_TRUE(reports[0] == reports[1] && reports[0] == reports[2]);
  }
}

/// Nodes of all kinds: with subgraphs, attributes and names, and with fields that need pragmas or annotations.
onnx::ModelProto ManyNodes() {
  onnx::ModelProto model;
  model.mutable_graph()->set_name("g");
  for (int i = 0; i < 110'000; ++i) {
    onnx::NodeProto* node = model.mutable_graph()->add_node();
    node->set_op_type("Relu");
    node->add_input("x");
    node->add_output("a value with a long name " + std::to_string(i));
    if (i % 3 == 0) node->set_name("node " + std::to_string(i));
    if (i % 5 == 0) node->set_domain("");
    if (i % 7 == 0) node->set_doc_string("two\nlines");
    if (i % 11 == 0) node->add_metadata_props()->set_key("k");
    if (i % 13 == 0) {
      onnx::AttributeProto* attribute = node->add_attribute();
      attribute->set_name("body");
      attribute->set_type(onnx::AttributeProto::GRAPH);
      attribute->mutable_g()->set_name("b");
      const onnx::NodeProto inner = model.graph().node(i / 2);  // a copy, because it may be the node itself
      *attribute->mutable_g()->add_node() = inner;
    }
  }
  return model;
}

TEST(SameResult, OfManyNodes) {
  const onnx::ModelProto model = ManyNodes();
  const std::string text = Print(model, {.threads = 1}).text;
  ASSERT_GT(text.size(), kParallel);
  for (const unsigned threads : {2u, 3u, 0u})
    EXPECT_TRUE(testing::AreSame(Print(model, {.threads = threads}).text, text)) << threads;
  for (const unsigned threads : {1u, 3u}) {
    const std::string bytes = model.SerializeAsString();
    std::vector<std::string> chunks;
    EXPECT_TRUE(testing::Ok(ParseToBytes(text, &chunks, {.threads = threads})));
    EXPECT_TRUE(testing::AreSame(std::accumulate(chunks.begin(), chunks.end(), std::string()), bytes)) << threads;
    Joined sink;
    EXPECT_TRUE(testing::Ok(PrintFromBytes(bytes, &sink, {.threads = threads})));
    EXPECT_TRUE(testing::AreSame(sink.text, text)) << threads;
  }
}

// Losses of the reference dialect are reported in the order of the nodes.
TEST(SameResult, OfManyLosses) {
  const onnx::ModelProto model = ManyNodes();
  const std::string bytes = model.SerializeAsString();
  PrintOptions options{.dialect = Dialect::kReference, .allow_loss = true, .max_diagnostics = 1'000'000, .threads = 1};
  const PrintResult alone = Print(model, options);
  const std::string losses = RenderJson(alone.diagnostics, SourceText("", ""));
  ASSERT_GT(alone.text.size(), kParallel);
  EXPECT_GT(alone.diagnostics.items().size(), 25'000u);
  for (const unsigned threads : {1u, 2u, 3u}) {
    options.threads = threads;
    const PrintResult result = Print(model, options);
    EXPECT_TRUE(testing::AreSame(result.text, alone.text)) << threads;
    EXPECT_TRUE(testing::AreSame(RenderJson(result.diagnostics, SourceText("", "")), losses)) << threads;
    Joined sink;
    EXPECT_TRUE(testing::AreSame(RenderJson(PrintFromBytes(bytes, &sink, options), SourceText("", "")), losses))
        << threads;
    EXPECT_TRUE(testing::AreSame(sink.text, alone.text)) << threads;
  }
}

// Nesting that is too deep is reported, whichever thread finds it.
TEST(SameResult, OfNestingTooDeep) {
  onnx::ModelProto model = ManyNodes();
  onnx::NodeProto* node = model.mutable_graph()->mutable_node(model.graph().node_size() - 1);
  for (int depth = 0; depth < 40; ++depth) {
    onnx::AttributeProto* attribute = node->add_attribute();
    attribute->set_name("deep");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    node = attribute->mutable_g()->add_node();
    node->set_op_type("Relu");
  }
  const PrintResult alone = Print(model, {.threads = 1});
  EXPECT_FALSE(alone.diagnostics.ok());
  for (const unsigned threads : {2u, 3u}) {
    const PrintResult result = Print(model, {.threads = threads});
    EXPECT_EQ(RenderJson(result.diagnostics, SourceText("", "")), RenderJson(alone.diagnostics, SourceText("", "")));
    EXPECT_TRUE(testing::AreSame(result.text, alone.text));
  }
}

// The fast test in bare.h is used. Otherwise every message would be searched by reflection, which takes several times
// as long.
TEST(SameResult, OfTheSchemaThatIsKnown) { EXPECT_TRUE(print::IsKnownSchema()); }

}  // namespace
}  // namespace onnxc::testing
