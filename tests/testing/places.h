// The places in a model where a message can be.
#pragma once

#include <google/protobuf/descriptor.h>
#include <onnxc/proto.h>

#include <string>
#include <vector>

namespace onnxc::testing {

/// A path of message fields from ModelProto to a message.
using Place = std::vector<const google::protobuf::FieldDescriptor*>;

/// Returns all paths on which no message type occurs twice. Exception: TypeProto may occur twice near the top, because
/// types contain types. `graphs` is how often the types on the way from a graph to its subgraphs may occur: with 2, the
/// main graph has subgraphs, and so has a function.
[[nodiscard]] std::vector<Place> AllPlaces(int graphs = 1);

/// Returns, for example, `model.graph.node.attribute.t`.
[[nodiscard]] std::string ToString(const Place& place);

/// Adds the messages of the path to the model, and returns the last one. The messages before it get fields such that
/// they have a native syntax.
google::protobuf::Message* MakePlace(const Place& place, onnx::ModelProto* model);

}  // namespace onnxc::testing
