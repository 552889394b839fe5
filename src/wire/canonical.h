// Bytes that protobuf would write just so.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string_view>

namespace onnxc::wire {

/// Whether protobuf writes exactly these bytes for the message of that type that it reads in them, and the type knows
/// all of their fields. The bytes are those of a message that was read. Where the answer is not certain, it is no.
[[nodiscard]] bool IsCanonical(std::string_view bytes, const google::protobuf::Descriptor& type);

}  // namespace onnxc::wire
