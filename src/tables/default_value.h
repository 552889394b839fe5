// Fields that have their default value. A message has the same meaning with and without them.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc {

/// Returns whether the absence of the field means a default value, which is true for scalars outside of a oneof.
[[nodiscard]] bool HasDefault(const google::protobuf::FieldDescriptor& field);

/// Returns whether the field has the value that its absence would mean. -0 is different from 0.
[[nodiscard]] bool IsDefault(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
