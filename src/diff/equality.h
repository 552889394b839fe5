// Compares messages.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace onnxc::diff {

/// Whether a field that is absent differs from one that is present with its default value.
enum class Presence : bool { kIgnored, kCounts };

/// Returns whether the field is equal in two messages of the same type.
[[nodiscard]] bool SameField(const google::protobuf::Message& before, const google::protobuf::Message& after,
                             const google::protobuf::FieldDescriptor& field, Presence presence = Presence::kIgnored);

/// Returns whether all fields are equal, including unknown ones.
[[nodiscard]] bool SameMessage(const google::protobuf::Message& before, const google::protobuf::Message& after,
                               Presence presence = Presence::kIgnored);

/// Returns the unknown fields of the message itself as bytes.
[[nodiscard]] std::string UnknownFields(const google::protobuf::Message& message);

}  // namespace onnxc::diff
