// How deep messages are inside one another.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

#include "tables/limits.h"

namespace onnxc::wire {

/// A finding where a message is nested deeper than kMaxDepth. A message that was built in memory may be, and each
/// level takes stack of the functions that walk it: they ask first. `around`: how many messages are around it.
[[nodiscard]] Diagnostics CheckNesting(const google::protobuf::Message& message, int around = 0);

}  // namespace onnxc::wire
