// Texts that are longer than the chunks in which they are built, at the top level and in lines whose layout is not yet
// decided.
#include <onnxc/printer.h>

#include <functional>
#include <string>

#include "testing/predicates.h"
#include "testing/proto.h"
#include "testing/sink.h"

namespace onnxc::testing {
namespace {

constexpr std::size_t kLong = std::size_t{17} << 20;  // larger than a chunk

struct Case {
  std::string_view name;
  std::function<void(onnx::GraphProto*)> fill;
};

void AddNumbers(onnx::GraphProto* graph) {
  constexpr int kCount = 3'600'000;
  onnx::TensorProto* const tensor = graph->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::INT64);
  tensor->add_dims(kCount);
  for (int i = 0; i < kCount; ++i) tensor->add_int64_data(100 + i % 900);
}

void AddNodes(onnx::GraphProto* graph) {
  for (int i = 0; i < 200'000; ++i) {
    onnx::NodeProto* const node = graph->add_node();
    node->set_op_type("Operator");
    node->add_input("value_" + std::to_string(i));
    node->add_output("value_" + std::to_string(i + 1));
    node->set_doc_string("what this node is for, if anybody asks");
  }
}

void AddWords(onnx::GraphProto* graph) {
  graph->set_doc_string(std::string(kLong, 'a'));
  onnx::TensorProto* const tensor = graph->add_initializer();
  tensor->set_name("s");
  tensor->set_data_type(onnx::TensorProto::STRING);
  for (int i = 0; i < 5; ++i) tensor->add_string_data(std::string(kLong / 4, 'b'));
  tensor->add_dims(5);
}

/// The graph that `fill` fills is the graph of the model, or a graph in a node of that graph.
onnx::ModelProto ModelWith(const Case& row, bool is_inside) {
  onnx::ModelProto model;
  onnx::GraphProto* graph = model.mutable_graph();
  graph->set_name("g");
  if (is_inside) {
    onnx::NodeProto* const node = graph->add_node();
    node->set_op_type("If");
    onnx::AttributeProto* const attribute = node->add_attribute();
    attribute->set_name("then_branch");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    graph = attribute->mutable_g();
    graph->set_name("t");
  }
  row.fill(graph);
  return model;
}

TEST(Chunks, OfLongTextsAreThoseOfTheWhole) {
  for (const Case& row : {Case{"numbers", &AddNumbers}, Case{"nodes", &AddNodes}, Case{"words", &AddWords}}) {
    for (const bool is_inside : {false, true}) {
      SCOPED_TRACE(std::string(row.name) + (is_inside ? " inside of a node" : ""));
      const onnx::ModelProto model = ModelWith(row, is_inside);
      const std::string bytes = Bytes(model);
      const PrintResult whole = Print(model, {.threads = 1});
      ASSERT_TRUE(testing::Ok(whole.diagnostics));
      ASSERT_GT(whole.text.size(), kLong);
      EXPECT_EQ(Print(model, {.threads = 4}).text == whole.text, true);
      onnx::ModelProto back;
      ASSERT_TRUE(testing::Ok(Parse(whole.text, &back)));
      EXPECT_EQ(Bytes(back) == bytes, true);
      for (const unsigned threads : {1u, 4u}) {
        Joined sink;
        EXPECT_TRUE(testing::Ok(PrintFromBytes(bytes, &sink, {.threads = threads})));
        EXPECT_EQ(sink.text == whole.text, true);
        if (!is_inside && row.name != "words") {
          EXPECT_GT(sink.chunks, 30u);
        }
      }
    }
  }
}

/// Adds a node with this many bytes of data in an attribute.
void AddConstant(std::size_t size, onnx::GraphProto* graph) {
  onnx::NodeProto* const node = graph->add_node();
  node->set_op_type("Constant");
  onnx::AttributeProto* const attribute = node->add_attribute();
  attribute->set_name("value");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  attribute->mutable_t()->set_data_type(onnx::TensorProto::UINT8);
  attribute->mutable_t()->set_raw_data(std::string(size, '\7'));
}

// However long the text of attributes or of strings with line breaks is, it is passed to the sink in chunks; a chunk is
// at most as long as the longest node.
TEST(Chunks, OfManyLargeElementsAreSmall) {
  onnx::ModelProto constants;
  for (int i = 0; i < 600; ++i) AddConstant(20'000, constants.mutable_graph());
  onnx::ModelProto strings;
  onnx::TensorProto* const tensor = strings.mutable_graph()->add_initializer();
  tensor->set_data_type(onnx::TensorProto::STRING);
  for (int i = 0; i < 300'000; ++i)
    tensor->add_string_data("a string of\ntwo lines with a number " + std::to_string(i));
  for (const onnx::ModelProto* model : {&constants, &strings}) {
    for (const unsigned threads : {1u, 2u}) {
      Joined sink;
      EXPECT_TRUE(testing::Ok(PrintFromBytes(Bytes(*model), &sink, {.threads = threads})));
      EXPECT_GT(sink.text.size(), std::size_t{10} << 20);
      EXPECT_LT(sink.longest, std::size_t{1} << 20);
      EXPECT_TRUE(testing::AreSame(sink.text, Print(*model).text));
    }
  }
}

// Large nodes between small nodes are written in the right order.
TEST(Chunks, OfLargeNodesStandInOrder) {
  onnx::ModelProto model;
  for (int i = 0; i < 40'000; ++i) {
    model.mutable_graph()->add_node()->set_op_type("Operator" + std::to_string(i));
    if (i % 15'000 == 0) AddConstant(std::size_t{2} << 20, model.mutable_graph());
  }
  const std::string text = Print(model, {.threads = 1}).text;
  for (const unsigned threads : {1u, 2u}) {
    Joined sink;
    EXPECT_TRUE(testing::Ok(PrintFromBytes(Bytes(model), &sink, {.threads = threads})));
    EXPECT_TRUE(testing::AreSame(sink.text, text));
  }
}

// The text of a list of many numbers allocates only the memory that it needs.
TEST(Chunks, MemoryIsThatOfTheText) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::UINT8);
  tensor.set_raw_data(std::string(20'000'000, '\0'));
  const std::string text = Print(tensor).text;
  EXPECT_LT(text.capacity(), text.size() + text.size() / 2);
}

}  // namespace
}  // namespace onnxc::testing
