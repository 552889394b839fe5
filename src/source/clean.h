// Tests the most frequent message types without reflection.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/proto.h>

namespace onnxc {

/// Returns true only if CheckFields() would find nothing in the message and its submessages: no unknown field, and no
/// text that is not UTF-8. Returns false if a submessage has a type that is not tested here.
using IsClean = bool (*)(const google::protobuf::Message&);

/// Returns the test for messages of this type, or null if there is none. Reflection takes five times as long.
[[nodiscard]] IsClean IsCleanOf(const google::protobuf::Descriptor& type);

/// Like IsClean, but for a model or a graph, without the nodes of the graph.
[[nodiscard]] bool IsCleanBesideNodes(const onnx::ModelProto& model);
[[nodiscard]] bool IsCleanBesideNodes(const onnx::GraphProto& graph);

}  // namespace onnxc
