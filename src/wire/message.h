// Converts complete messages to and from protobuf's wire format.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::wire {

/// Reads the fields of a message, which must be empty. Returns false if the bytes are malformed, or contain messages
/// and groups nested more than `deepest` levels.
[[nodiscard]] bool ReadFields(std::string_view bytes, google::protobuf::Message* message, int deepest);

/// Reads a message of any kind. If the fields show that the bytes are another kind of message, this is an error, which
/// names that kind. If the result is not ok(), the contents of the message are undefined.
[[nodiscard]] Diagnostics FromWire(std::string_view bytes, google::protobuf::Message* message);

/// Returns the bytes of a message. Equal messages give equal bytes. The caller must ensure that the size is at most 2
/// GiB - 1.
[[nodiscard]] std::string ToWire(const google::protobuf::Message& message);
/// Like ToWire(), for a caller that has just computed `size` by ByteSizeLong(). Protobuf has then stored the sizes of
/// all submessages.
[[nodiscard]] std::string ToWireOfSize(const google::protobuf::Message& message, std::size_t size);

/// Writes the bytes of a message to `*bytes`. Returns an error if they are more than protobuf can read. The message
/// must not be nested more deeply than kMaxDepth.
[[nodiscard]] Diagnostics ToWire(const google::protobuf::Message& message, std::string* bytes);

/// Returns the error about more bytes than protobuf can read.
[[nodiscard]] Diagnostics TooLargeToRead(std::size_t size);

}  // namespace onnxc::wire
