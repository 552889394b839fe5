// Models in which one message has a value in each of its fields, and everything that the message adds is used.
#pragma once

#include <onnxc/proto.h>

#include <functional>
#include <string>
#include <vector>

#include "testing/places.h"

namespace onnxc::testing {

/// Sets every field of the message at the place that has no value yet. Strings that name something get the name of a
/// value, function, dimension or domain of the models below: "x", "g", "N" and "local". Of a oneof, the member with
/// this number is set. Fields of a type that is not known here are reported.
void SetEveryField(const Place& place, int oneof_member, google::protobuf::Message* message);

/// Completes a model with the messages of a place. The main graph gets inputs "x" and "sized", whose dimension is "N",
/// and a node that reads all of its values and computes its output "out". There is a function "g" of the domain
/// "local". Functions that no node calls and domains that no node uses are used by additional nodes.
void Connect(onnx::ModelProto* model);

/// Calls `visit(name, model)` for each place and each member of a oneof there, with a model that has all fields of the
/// message at the place, and is connected. If the place is a value's declared type, the value is the input "x", which
/// has the same type.
void ForEachFullModel(const std::vector<Place>& places,
                      const std::function<void(const std::string&, const onnx::ModelProto&)>& visit);

}  // namespace onnxc::testing
