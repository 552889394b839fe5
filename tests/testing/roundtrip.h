// Whether a message comes back from its text.
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
  std::string what;       ///< in one line
  std::string text = {};  ///< the printed text
};

/// In the default dialect the message comes back with the same bytes, however small floating-point numbers are written.
[[nodiscard]] std::optional<Fault> FindLoss(const google::protobuf::Message& message);

/// In the reference dialect every text is read, and where no loss is reported the message comes back with the same
/// meaning: but for has-bits, and for how tensors store their data.
[[nodiscard]] std::optional<Fault> FindSilentLoss(const google::protobuf::Message& message);

/// In the default dialect the printed text is laid out as the formatter does it.
[[nodiscard]] std::optional<Fault> FindOtherLayout(const google::protobuf::Message& message);

/// A model's bytes have the text of the message that they are read as, or neither.
[[nodiscard]] std::optional<Fault> FindOtherTextOfBytes(std::string_view bytes);

using Property = std::optional<Fault> (*)(const google::protobuf::Message&);

/// The whole account of a fault: `heading`, the message made as small as it still fails, its text, what is wrong.
[[nodiscard]] std::string Describe(const std::string& heading, const google::protobuf::Message& message,
                                   Property property);

/// An empty message of that kind.
[[nodiscard]] std::unique_ptr<google::protobuf::Message> NewMessage(Kind kind);

}  // namespace onnxc::testing
