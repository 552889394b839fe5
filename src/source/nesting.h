// How deep messages are inside one another.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

namespace onnxc {

/// What protobuf reads back: messages below the outermost one.
inline constexpr int kDeepestMessage = 100;

/// A finding where a message is nested deeper than that. A message that was built in memory may be, and each level
/// takes stack of the functions that walk it: they ask first.
[[nodiscard]] Diagnostics CheckNesting(const google::protobuf::Message& message);

}  // namespace onnxc
