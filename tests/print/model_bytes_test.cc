// PrintFromBytes() writes the same text as Print() writes for the message in the bytes, and has the same findings as
// Decode() and Print(). tests/testing/roundtrip.cc tests it with random messages; this file contains bytes that
// protobuf would not write.
#include <gmock/gmock.h>
#include <onnxc/model_io.h>
#include <onnxc/printer.h>

#include "testing/proto.h"
#include "testing/sink.h"
#include "wire/wire.h"

namespace onnxc::testing {

using wire::Tag;

namespace {

using Model = onnx::ModelProto;

/// The text; if there are findings, the findings.
std::string TextOf(const std::string& bytes, const PrintOptions& options = {}) {
  Joined sink;
  const Diagnostics found = PrintFromBytes(bytes, &sink, options);
  EXPECT_EQ(sink.text.empty(), !found.ok());
  return found.ok() ? sink.text : RenderText(found, SourceText("bytes", ""));
}

std::string ExpectedTextOf(const std::string& bytes, const PrintOptions& options = {}) {
  Model model;
  const Diagnostics found = Decode(bytes, Format::kBinary, &model);
  if (!found.ok()) return RenderText(found, SourceText("bytes", ""));
  const PrintResult result = Print(model, options);
  return result.diagnostics.ok() ? result.text : RenderText(result.diagnostics, SourceText("bytes", ""));
}

/// In each dialect, the text and the findings for the bytes are the same as for the message.
void ExpectSameBytes(const std::string& bytes) {
  for (const Dialect dialect : {Dialect::kOnnxc, Dialect::kReference}) {
    for (const bool allow_loss : {false, true}) {
      const PrintOptions options{.dialect = dialect, .allow_loss = allow_loss};
      EXPECT_EQ(TextOf(bytes, options), ExpectedTextOf(bytes, options)) << int{allow_loss};
    }
  }
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
        // two parts of a graph are merged
        GraphField(NodeField("A")) + kVersion + GraphField(NodeField("B") + name),
        // unknown fields
        kVersion + GraphField(NodeField("A") + Field(1000, "what")) + Field(1000, "who")}) {
    ExpectSameBytes(bytes);
    EXPECT_THAT(TextOf(bytes), ::testing::Not(::testing::HasSubstr("error")));
  }
}

TEST(PrintFromBytes, FindsWhatDecodeFinds) {
  const std::string number_for_node = "\x08\x01";  // field 1 with the wire type of a number
  for (const std::string& bytes :
       {std::string("\xff"), kVersion + GraphField("\xff"), GraphField(Field(1, "\xff")),
        GraphField(NodeField("A") + Field(1, std::string(1, '\x0a')) + NodeField("B")),
        GraphField(Field(onnx::GraphProto::kInitializerFieldNumber, "\xff")),
        GraphField(Field(onnx::GraphProto::kValueInfoFieldNumber, "\xff")), Field(1000, "foreign")}) {
    ExpectSameBytes(bytes);
    EXPECT_THAT(TextOf(bytes), ::testing::HasSubstr("error"));
  }
  ExpectSameBytes(GraphField(number_for_node));
}

/// Returns a node with `depth` nested graphs.
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

// The limit of depth is the same whether the bytes of a node are read alone or inside of the whole model.
TEST(PrintFromBytes, IsAsDeepAsProtobufReads) {
  for (int depth = 30; depth < 36; ++depth) {
    Model model;
    *model.mutable_graph()->add_node() = Nested(depth);
    const std::string bytes = model.SerializeAsString();
    SCOPED_TRACE(depth);
    ExpectSameBytes(bytes);
  }
}

// A pragma that most elements need is at the top, even if the first elements need another one.
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

/// Returns the bytes of an initializer with 1,000 elements in one field, and of the fields after it.
std::string Initializer(int data_type, int field, const std::string& data, const std::string& behind = {}) {
  const std::string type = std::string("\x10") + static_cast<char>(data_type);
  return GraphField(Field(onnx::GraphProto::kInitializerFieldNumber,
                          "\x08\xe8\x07" + type + Field(field, data) + Field(8, "w") + behind));
}

struct DataPlace {
  int type;
  int field;
};

std::string Repeat(const std::string& bytes) {
  std::string all;
  for (int i = 0; i < 1000; ++i) all += bytes;
  return all;
}

// Long data are never stored in a message: data of each field, in the types that use the field, and varints of all
// sizes.
TEST(PrintFromBytes, ReadsDataInPlace) {
  using T = onnx::TensorProto;
  const std::string longest = std::string(9, '\xff') + '\x01';  // -1, and a number with more bytes than needed
  const std::string lazy = std::string("\x81\x80\x80\x00", 4);
  for (const auto& [type, field] : std::initializer_list<DataPlace>{{T::INT32, T::kInt32DataFieldNumber},
                                                                    {T::FLOAT16, 5},
                                                                    {T::UINT4, 5},
                                                                    {T::INT64, T::kInt64DataFieldNumber},
                                                                    {T::UINT64, T::kUint64DataFieldNumber}}) {
    for (const std::string& varint : {std::string("\x07"), std::string("\xac\x02"), longest, lazy}) {
      ExpectSameBytes(Initializer(type, field, Repeat(varint)));
    }
  }
  for (const auto& [type, field] : std::initializer_list<DataPlace>{{T::FLOAT, T::kFloatDataFieldNumber},
                                                                    {T::COMPLEX64, 4},
                                                                    {T::DOUBLE, T::kDoubleDataFieldNumber},
                                                                    {T::COMPLEX128, 10},
                                                                    {T::FLOAT, T::kRawDataFieldNumber},
                                                                    {T::INT64, 9},
                                                                    {T::BFLOAT16, 9},
                                                                    {T::INT4, 9},
                                                                    {T::COMPLEX128, 9}}) {
    const std::string bytes = Initializer(type, field, Repeat("12345678"));
    ExpectSameBytes(bytes);
    EXPECT_THAT(TextOf(bytes), ::testing::Not(::testing::HasSubstr("error")));
  }
}

// Data that a literal cannot represent, that are in two fields, or that are not a whole number of elements.
TEST(PrintFromBytes, ReadsStrangeDataAsDecodeDoes) {
  using T = onnx::TensorProto;
  const std::string floats = Repeat("1234");
  for (const std::string& bytes : {
           Initializer(T::INT64, T::kFloatDataFieldNumber, floats),
           Initializer(T::STRING, 9, floats),
           Initializer(T::FLOAT, 4, floats, Field(9, floats)),
           Initializer(T::FLOAT, 4, floats, Field(4, floats)),
           Initializer(T::FLOAT, 4, floats, Field(4, "")),
           Initializer(T::FLOAT, 4, floats, "\x25" + std::string("1234")),
           Initializer(T::FLOAT, 4, floats + "1"),
           Initializer(T::FLOAT, 9, floats + "1"),
           Initializer(T::DOUBLE, 10, floats + "1234"),
           Initializer(T::COMPLEX64, 9, floats + "1234"),
           Initializer(T::COMPLEX64, 4, floats + "1234"),
           Initializer(T::INT64, 7, floats + "\x80"),
           Initializer(T::INT64, 7, floats + std::string(10, '\xff') + "\x01" + floats),
           Initializer(T::INT64, 7, std::string(1000, '\xff')),
           Initializer(99, 4, floats),
           Initializer(T::FLOAT, 9, floats, Field(13, "\x0a\x01k") + "\x70\x01"),
       }) {
    ExpectSameBytes(bytes);
  }
}

// Tags and lengths with more bytes than protobuf accepts.
TEST(PrintFromBytes, TakesTheTagsThatProtobufTakes) {
  for (std::size_t more = 0; more <= 9; ++more) {
    const std::string zeros = more == 0 ? "" : std::string(more - 1, '\x80') + std::string(1, '\0');
    const std::string tag = more == 0 ? "\x4a" : "\xca" + zeros;
    const std::string length = more == 0 ? "\x64" : "\xe4" + zeros;
    for (const std::string& data : {tag + "\x64", "\x4a" + length}) {
      const std::string bytes = GraphField(
          Field(onnx::GraphProto::kInitializerFieldNumber, "\x08\x64\x10\x02" + data + std::string(100, '\1')));
      SCOPED_TRACE(more);
      ExpectSameBytes(bytes);
    }
  }
}

// Each element of the lists of the graph has a field that the reference dialect cannot represent.
TEST(PrintFromBytes, FindsEachLoss) {
  using Graph = onnx::GraphProto;
  const std::string name_and_doc = Field(8, "w") + Field(12, "what");
  const std::string bytes = kVersion + GraphField(Field(Graph::kNameFieldNumber, "g") + NodeField("no identifier") +
                                                  Field(Graph::kInitializerFieldNumber, "\x10\x01" + name_and_doc) +
                                                  Field(Graph::kValueInfoFieldNumber, Field(3, "what")));
  ExpectSameBytes(bytes);
  const std::string found = TextOf(bytes, {.dialect = Dialect::kReference});
  for (const std::string path : {"graph.node[0].op_type", "graph.initializer[0]", "graph.value_info[0]"}) {
    EXPECT_NE(found.find(path), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace onnxc::testing
