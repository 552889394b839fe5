// The error about a JSON text that cannot be read as a message.
#pragma once

#include <google/protobuf/descriptor.h>
#include <onnxc/diagnostic.h>

#include <string_view>

namespace onnxc::codec {

/// Converts protobuf's error message about `text`, which is valid JSON but not a message of this type. The forms of
/// these messages differ between versions of protobuf up to 21 and from 22 on. The result is the same for both if the
/// error is about an unknown field or about a value of the wrong type.
[[nodiscard]] Diagnostic JsonError(std::string_view protobuf_message, std::string_view text,
                                   const google::protobuf::Descriptor& type);

}  // namespace onnxc::codec
