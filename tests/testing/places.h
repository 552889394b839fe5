// The places in a model where a message can be.
#pragma once

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <string>
#include <vector>

namespace onnxc::testing {

/// A path of message fields from ModelProto to a message.
using Place = std::vector<const google::protobuf::FieldDescriptor*>;

/// All paths on which no message type occurs twice, except for TypeProto near the top, because types contain types.
[[nodiscard]] std::vector<Place> AllPlaces();

/// `graph.node.attribute.t`
[[nodiscard]] std::string ToString(const Place& place);

/// The message at the end of the path, in a model in which every message before it has a native syntax.
google::protobuf::Message* MakePlace(const Place& place, onnx::ModelProto* model);

}  // namespace onnxc::testing
