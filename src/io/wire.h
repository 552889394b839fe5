// Protobuf's wire format, seen from outside.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstdint>
#include <string_view>

namespace onnxc {

/// The bytes are a sequence of complete fields. Says nothing about which, and does not look into them.
[[nodiscard]] bool IsWireFormat(std::string_view bytes);

/// The error about a message that no file can hold.
[[nodiscard]] Diagnostic TooLargeToWrite(std::uint64_t size);

}  // namespace onnxc
