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

struct WireField {
  int number = 0;          ///< 0: the bytes are no complete field
  std::string_view value;  ///< of a length-delimited field: what is inside
};

/// Takes the first field off the bytes.
WireField TakeField(std::string_view* bytes);

}  // namespace onnxc
