// Small messages that the base grammar can represent, in which a field can be set, or which can be nested.
#pragma once

#include <onnxc/proto.h>

namespace onnxc::testing {

/// Sets the fields that a message needs in order to have a native syntax. `holder` is the field that will be set next,
/// or null; the type of an attribute depends on it.
void MakePlain(google::protobuf::Message* message, const google::protobuf::FieldDescriptor* holder = nullptr);

}  // namespace onnxc::testing
