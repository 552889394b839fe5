// When two messages are the same but for the presence of fields that hold their default.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace onnxc::diff {

/// One field of two messages of one type.
[[nodiscard]] bool SameField(const google::protobuf::Message& before, const google::protobuf::Message& after,
                             const google::protobuf::FieldDescriptor& field);

/// All fields, unknown ones too.
[[nodiscard]] bool SameMessage(const google::protobuf::Message& before, const google::protobuf::Message& after);

/// The unknown fields of a message itself, as bytes.
[[nodiscard]] std::string UnknownFields(const google::protobuf::Message& message);

}  // namespace onnxc::diff
