// A text may be nested as deeply as protobuf reads messages, whatever the innermost message is, and no deeper.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnxc/kind.h>
#include <onnxc/model_io.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <string>

#include "tables/limits.h"
#include "testing/places.h"
#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using google::protobuf::Message;

/// Returns the number of messages inside of each other.
int LevelsOf(const Message& message) {
  const auto* const reflection = message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  int inner = 0;
  for (const auto* const field : fields) {
    if (field->message_type() == nullptr) continue;
    if (!field->is_repeated()) inner = std::max(inner, LevelsOf(reflection->GetMessage(message, field)));
    for (int i = 0; field->is_repeated() && i < reflection->FieldSize(message, field); ++i) {
      inner = std::max(inner, LevelsOf(reflection->GetRepeatedMessage(message, field, i)));
    }
  }
  return inner + 1;
}

/// Expects that a text of a message with so many levels is read, or refused if there are too many.
template <typename Proto>
void Expect(const std::string& text, int levels) {
  Proto message;
  const Diagnostics found = Parse(text, &message);
  if (levels > kMaxDepth + 1) {  // protobuf does not count the outermost message
    EXPECT_EQ(found.ok() ? "" : Name(found.items().front().kind), "nesting-too-deep") << levels << " levels";
    return;
  }
  ASSERT_TRUE(found.ok()) << levels << " levels: " << found.items().front().message;
  EXPECT_EQ(LevelsOf(message), levels);
}

// A graph with a message of each place is put into graphs, until one more graph is too many. The outermost message is a
// graph, an attribute or a node, so that each number of levels occurs.
TEST(Depth, IsThatOfProtobufForEachInnermostMessage) {
  constexpr int kLevelsOfGraph = 3;  // a graph, a node and an attribute
  for (const Place& place : AllPlaces()) {
    if (place.empty() || place.front()->name() != "graph") continue;
    SCOPED_TRACE(ToString(place));
    onnx::ModelProto model;
    MakePlace(place, &model);
    std::string graph;
    if (!Encode(model.graph(), Format::kText, &graph).ok() || graph.starts_with("# onnxc:")) continue;  // not native
    int levels = LevelsOf(model.graph());
    for (; levels <= kMaxDepth + 1 + kLevelsOfGraph; levels += kLevelsOfGraph) {
      if (levels > kMaxDepth - 2 * kLevelsOfGraph) {
        Expect<onnx::GraphProto>(graph, levels);
        Expect<onnx::AttributeProto>("a = " + graph, levels + 1);
        Expect<onnx::NodeProto>("y = Op <a = " + graph + "> ()", levels + 2);
      }
      graph = "g () => () { y = Op <a = " + graph + "> () }";
    }
  }
}

// A text of exactly as many bytes as are allowed is read, whatever it contains.
TEST(MaxBytes, IsTheSizeOfTheText) {
  ForEachKind([](const auto& row) {
    using Proto = typename std::decay_t<decltype(row)>::Message;
    for (const std::string_view text :
         {"g () => () { y = Op () }", "y = Op <a = 1> (x)", "a = 1", "float[2]", "float[2] {1, 2}", "[2]"}) {
      SCOPED_TRACE(fmt::format("{} as {}", text, row.word));
      Proto message;
      if (!Parse(text, &message).ok()) continue;
      EXPECT_TRUE(Parse(text, &message, {.max_bytes = text.size()}).ok());
      const Diagnostics found = Parse(text, &message, {.max_bytes = text.size() - 1});
      EXPECT_EQ(found.ok() ? "" : Name(found.items().front().kind), "input-too-large");
    }
  });
}

}  // namespace
}  // namespace onnxc::testing
