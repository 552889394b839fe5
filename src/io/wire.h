// Protobuf's wire format, seen from outside.
#pragma once

#include <string_view>

namespace onnxc {

/// The bytes are a sequence of complete fields. Says nothing about which, and does not look into them.
[[nodiscard]] bool IsWireFormat(std::string_view bytes);

}  // namespace onnxc
