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

struct Fault {
  std::string what;       ///< the error, on one line
  std::string text = {};  ///< the printed text
};

/// In the default dialect, printing and parsing gives the same bytes, however small floating-point numbers are written.
[[nodiscard]] std::optional<Fault> FindLoss(const google::protobuf::Message& message);

/// In the reference dialect, every text can be parsed. If no loss is reported, the parsed message has the same meaning;
/// it may differ in present default values, and in how tensors store their data.
[[nodiscard]] std::optional<Fault> FindSilentLoss(const google::protobuf::Message& message);

/// In the default dialect, formatting the printed text does not change it.
[[nodiscard]] std::optional<Fault> FindOtherLayout(const google::protobuf::Message& message);

/// The text that is printed from the bytes of a model is the same as the text of the message in these bytes; if one has
/// an error, so does the other.
[[nodiscard]] std::optional<Fault> FindOtherTextOfBytes(std::string_view bytes);

using Property = std::optional<Fault> (*)(const google::protobuf::Message&);

/// The complete description of an error: `heading`, the smallest message that still has the error, its text, and the
/// error.
[[nodiscard]] std::string Describe(const std::string& heading, const google::protobuf::Message& message,
                                   Property property);

/// Returns an empty message of that kind.
[[nodiscard]] std::unique_ptr<google::protobuf::Message> NewMessage(Kind kind);

}  // namespace onnxc::testing
