// Compares messages. Two messages are equal if they differ only in the presence of fields that have their default
// value.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace onnxc::diff {

/// Returns whether the field is equal in two messages of the same type.
[[nodiscard]] bool SameField(const google::protobuf::Message& before, const google::protobuf::Message& after,
                             const google::protobuf::FieldDescriptor& field);

/// Returns whether all fields are equal, including unknown ones.
[[nodiscard]] bool SameMessage(const google::protobuf::Message& before, const google::protobuf::Message& after);

/// Returns the unknown fields of the message itself as bytes.
[[nodiscard]] std::string UnknownFields(const google::protobuf::Message& message);

}  // namespace onnxc::diff
