// Finds fields that have their default value. Removing such a field does not change the meaning of a message.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc {

/// Returns whether the field has its default value when it is absent. This is so for scalars outside of a oneof.
[[nodiscard]] bool HasDefault(const google::protobuf::FieldDescriptor& field);

/// Returns whether the field has its default value. -0 is different from 0.
[[nodiscard]] bool IsDefault(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
