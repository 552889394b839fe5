// Fields that hold their default value: a message means the same with and without them.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc {

/// Whether the absence of the field means a value: it is a scalar of no oneof.
[[nodiscard]] bool HasDefault(const google::protobuf::FieldDescriptor& field);

/// Whether the field holds the value that its absence means. -0 is not 0.
[[nodiscard]] bool IsDefault(const google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field);

}  // namespace onnxc
