// Printed texts can be parsed again, and look like what they contain.
#include <onnxc/printer.h>

#include <string>
#include <utility>

#include "testing/proto.h"
#include "testing/sink.h"

namespace onnxc::testing {
namespace {

TEST(PrintEscapes, GroupsCountAsMessages) {
  const auto node_with_groups = [](int levels) {
    onnx::NodeProto node;
    auto* fields = node.GetReflection()->MutableUnknownFields(&node);
    for (int i = 0; i < levels; ++i) fields = fields->AddGroup(500);
    return node;
  };
  for (const auto& [levels, is_fine] : {std::pair(98, true), std::pair(99, false)}) {
    onnx::ModelProto model;
    *model.mutable_graph()->add_node() = node_with_groups(levels);
    const PrintResult printed = Print(model);
    EXPECT_EQ(printed.diagnostics.ok(), is_fine) << levels;
    EXPECT_EQ(onnx::ModelProto().ParseFromString(Bytes(model)), is_fine) << levels;
    Joined sink;
    EXPECT_EQ(PrintFromBytes(Bytes(model), &sink).ok(), is_fine) << levels;
  }
}

// Names and texts with misleading characters: control characters, and characters that reorder or hide their neighbours.
TEST(PrintEscapes, DeceptiveCharactersAreEscaped) {
  for (const char* character : {"\u009b", "\u202e", "\u2066", "\u200f", "\u061c", "\u00ad", "\u2028", "\ufeff"}) {
    onnx::NodeProto node;
    node.set_op_type("A");
    node.add_input(std::string("a") + character);
    node.set_doc_string(std::string("d") + character);
    const std::string text = Print(node).text;
    EXPECT_EQ(text.find(character), std::string::npos) << text;
    EXPECT_EQ(Bytes(ParseText<onnx::NodeProto>(text)), Bytes(node)) << text;
  }
}

}  // namespace
}  // namespace onnxc::testing
