// Whole messages in protobuf's wire format.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::wire {

/// Reads the fields of a message, which has none yet. False where the bytes are no such fields, or hold more than
/// `deepest` messages and groups inside one another.
[[nodiscard]] bool ReadFields(std::string_view bytes, google::protobuf::Message* message, int deepest);

/// Reads a message of any kind. Bytes that are another kind of message, by their fields, are an error that names it.
/// When the result is not ok(), the message holds nothing of use.
[[nodiscard]] Diagnostics FromWire(std::string_view bytes, google::protobuf::Message* message);

/// The bytes of a message; equal messages give equal bytes. At most 2 GiB - 1: the caller looks before.
[[nodiscard]] std::string ToWire(const google::protobuf::Message& message);
/// The same where the caller has just asked for the size, which a message notes in all of its parts.
[[nodiscard]] std::string ToWireOfSize(const google::protobuf::Message& message, std::size_t size);

/// The error about bytes that are more than protobuf can read.
[[nodiscard]] Diagnostics TooLargeToRead(std::size_t size);

}  // namespace onnxc::wire
