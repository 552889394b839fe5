// Small messages that the base grammar can say, to set a field in, or to nest in one another.
#pragma once

#include <onnxc/proto.h>

namespace onnxc::testing {

/// Sets what a message needs in order to have a native form. `holder` is the field that is about to be set, or null: an
/// attribute's type follows it.
void MakePlain(google::protobuf::Message* message, const google::protobuf::FieldDescriptor* holder = nullptr);

}  // namespace onnxc::testing
