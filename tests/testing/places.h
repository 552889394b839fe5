// Where in a model a message can stand.
#pragma once

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <string>
#include <vector>

namespace onnxc::testing {

/// A way of message fields from ModelProto down to a message.
using Place = std::vector<const google::protobuf::FieldDescriptor*>;

/// All ways on which nothing comes twice, but for TypeProto near the top: types in types.
[[nodiscard]] std::vector<Place> AllPlaces();

/// `graph.node.attribute.t`
[[nodiscard]] std::string ToString(const Place& place);

/// The message at the end of the way, in a model where every message before it has a native form.
google::protobuf::Message* MakePlace(const Place& place, onnx::ModelProto* model);

}  // namespace onnxc::testing
