// Detects bytes that are exactly what protobuf would write.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string_view>

namespace onnxc::wire {

/// Returns whether protobuf would write exactly these bytes for the message that it reads from them, and all fields are
/// known fields of the type. The bytes must be those of a message that was read successfully. Returns false if this is
/// not certain.
[[nodiscard]] bool IsCanonical(std::string_view bytes, const google::protobuf::Descriptor& type);

}  // namespace onnxc::wire
