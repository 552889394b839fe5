// PrintFromBytes() writes what Print() writes of the message in the bytes, and finds what Decode() and Print() find.
// Messages of all sorts go through it in tests/testing/roundtrip.cc; here stand the bytes that protobuf would not
// write.
#include <onnxc/model_io.h>
#include <onnxc/printer.h>

#include <numeric>

#include "io/wire.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using Model = onnx::ModelProto;

/// The text, or the findings.
std::string TextOf(const std::string& bytes, const PrintOptions& options = {}) {
  std::vector<std::string> pieces = {"of before"};
  const Diagnostics found = PrintFromBytes(bytes, &pieces, options);
  EXPECT_EQ(pieces.empty(), !found.ok());
  return found.ok() ? std::accumulate(pieces.begin(), pieces.end(), std::string())
                    : RenderText(found, SourceText("bytes", ""));
}

std::string ExpectedTextOf(const std::string& bytes, const PrintOptions& options = {}) {
  Model model;
  const Diagnostics found = Decode(bytes, Format::kBinary, &model);
  if (!found.ok()) return RenderText(found, SourceText("bytes", ""));
  const PrintResult result = Print(model, options);
  return result.diagnostics.ok() ? result.text : RenderText(result.diagnostics, SourceText("bytes", ""));
}

std::string Field(int number, const std::string& value) { return Tag(number, value.size()) + value; }

std::string NodeField(const std::string& op_type) {
  onnx::NodeProto node;
  node.set_op_type(op_type);
  return Field(onnx::GraphProto::kNodeFieldNumber, node.SerializeAsString());
}

std::string GraphField(const std::string& graph) { return Field(Model::kGraphFieldNumber, graph); }

const std::string kVersion = "\x08\x0a";  // ir_version: 10

TEST(PrintFromBytes, TakesFieldsInAnyOrder) {
  const std::string name = Field(onnx::GraphProto::kNameFieldNumber, "g");
  for (const std::string& bytes :
       {GraphField(NodeField("A") + name + NodeField("B")) + kVersion, GraphField(""), kVersion,
        // a graph in two parts is one
        GraphField(NodeField("A")) + kVersion + GraphField(NodeField("B") + name),
        // fields that nobody knows
        kVersion + GraphField(NodeField("A") + Field(1000, "what")) + Field(1000, "who")}) {
    EXPECT_EQ(TextOf(bytes), ExpectedTextOf(bytes));
    EXPECT_EQ(TextOf(bytes).find("error"), std::string::npos);
  }
}

TEST(PrintFromBytes, FindsWhatDecodeFinds) {
  const std::string number_for_node = "\x08\x01";  // field 1 as a number
  for (const std::string& bytes :
       {std::string(), std::string("\xff"), kVersion + GraphField("\xff"), GraphField(Field(1, "\xff")),
        GraphField(NodeField("A") + Field(1, std::string(1, '\x0a')) + NodeField("B")),
        GraphField(Field(onnx::GraphProto::kInitializerFieldNumber, "\xff")),
        GraphField(Field(onnx::GraphProto::kValueInfoFieldNumber, "\xff")), Field(1000, "foreign")}) {
    EXPECT_EQ(TextOf(bytes), ExpectedTextOf(bytes));
    EXPECT_NE(TextOf(bytes).find("error"), std::string::npos);
  }
  EXPECT_EQ(TextOf(GraphField(number_for_node)), ExpectedTextOf(GraphField(number_for_node)));
}

/// A node with graphs in graphs, `depth` of them.
onnx::NodeProto Nested(int depth) {
  onnx::NodeProto node;
  node.set_op_type("A");
  onnx::NodeProto* at = &node;
  for (int i = 0; i < depth; ++i) {
    onnx::AttributeProto* attribute = at->add_attribute();
    attribute->set_name("a");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    at = attribute->mutable_g()->add_node();
  }
  return node;
}

// A node's bytes alone are read as deep as they are inside the whole.
TEST(PrintFromBytes, IsAsDeepAsProtobufReads) {
  for (int depth = 30; depth < 36; ++depth) {
    Model model;
    *model.mutable_graph()->add_node() = Nested(depth);
    const std::string bytes = model.SerializeAsString();
    EXPECT_EQ(TextOf(bytes), ExpectedTextOf(bytes)) << depth;
    EXPECT_EQ(TextOf(bytes, {.allow_loss = true}), ExpectedTextOf(bytes, {.allow_loss = true})) << depth;
  }
}

// What most elements need stands at the top, also where the first ones need something else.
TEST(PrintFromBytes, ChoosesClausesForAllElements) {
  Model model;
  model.mutable_graph()->set_name("g");
  for (int i = 0; i < 1000; ++i) {
    onnx::NodeProto* node = model.mutable_graph()->add_node();
    node->set_op_type("A");
    if (i >= 100) node->set_domain("");
    onnx::TensorProto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    i == 0 ? tensor->add_float_data(0) : tensor->set_raw_data("\0\0\0\0", 4);
    model.mutable_graph()->add_value_info()->set_doc_string("");
  }
  const std::string bytes = model.SerializeAsString();
  const std::string text = TextOf(bytes);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "# onnxc: raw, set NodeProto.domain, unset TensorProto.name, unset ValueInfoProto.name, "
            "set ValueInfoProto.doc_string");
  EXPECT_EQ(text, ExpectedTextOf(bytes));
  for (const unsigned threads : {1u, 2u}) EXPECT_EQ(TextOf(bytes, {.threads = threads}), text);
}

TEST(PrintFromBytes, WritesTheReferenceDialectToo) {
  const std::string bytes = kVersion + GraphField(NodeField("A") + Field(onnx::GraphProto::kNameFieldNumber, "g"));
  const PrintOptions options{.dialect = Dialect::kReference};
  EXPECT_EQ(TextOf(bytes, options), ExpectedTextOf(bytes, options));
}

}  // namespace
}  // namespace onnxc::testing
