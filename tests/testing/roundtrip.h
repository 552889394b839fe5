// Checks that printing and parsing a message gives the same message.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/kind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace onnxc::testing {

/// Returns the text without the white space at the ends of its lines. Many editors write texts in this way.
[[nodiscard]] std::string TrimLines(std::string_view text);

struct Fault {
  std::string what;       ///< the error, on one line
  std::string text = {};  ///< the printed text
};

/// Checks the default dialect: printing and parsing must give the same bytes, for both ways of writing small
/// floating-point numbers, and also if the lines of the text are trimmed.
[[nodiscard]] std::optional<Fault> FindLoss(const google::protobuf::Message& message);

/// Checks the reference dialect: the parser must accept each printed text. If no loss is reported, the parsed message
/// must have the same meaning. It may differ in fields that are present with their default values, and in the fields in
/// which tensors store their data.
[[nodiscard]] std::optional<Fault> FindSilentLoss(const google::protobuf::Message& message);

/// Checks that formatting a text that was printed in the default dialect does not change it.
[[nodiscard]] std::optional<Fault> FindOtherLayout(const google::protobuf::Message& message);

/// Checks that printing the bytes of a model gives the same text, or an error in the same cases, as printing the parsed
/// message.
[[nodiscard]] std::optional<Fault> FindOtherTextOfBytes(std::string_view bytes);

using Property = std::optional<Fault> (*)(const google::protobuf::Message&);

/// Returns the complete description of an error: `heading`, the smallest message that still causes the error, the text
/// of this message, and the error itself.
[[nodiscard]] std::string Describe(const std::string& heading, const google::protobuf::Message& message,
                                   Property property);

/// Returns an empty message of that kind.
[[nodiscard]] std::unique_ptr<google::protobuf::Message> NewMessage(Kind kind);

}  // namespace onnxc::testing
