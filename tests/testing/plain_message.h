// Makes small messages that the base grammar can represent. Tests then set one more field in them, or nest them.
#pragma once

#include <onnxc/proto.h>

namespace onnxc::testing {

/// Sets the fields that a message needs in order to have a native syntax. `holder` is the field that the test will set
/// next, or null. The type of an attribute is chosen so that it fits `holder`.
void MakePlain(google::protobuf::Message* message, const google::protobuf::FieldDescriptor* holder = nullptr);

}  // namespace onnxc::testing
