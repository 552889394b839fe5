// Checks how deeply messages are nested.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>

#include "tables/limits.h"

namespace onnxc::wire {

/// Returns an error if messages are nested more deeply than kMaxDepth. A message that was read from a file is not, but
/// a program may have built such a message. Functions that walk messages need stack for each level, so they call this
/// function first. `around` is the number of enclosing messages.
[[nodiscard]] Diagnostics CheckNesting(const google::protobuf::Message& message, int around = 0);

}  // namespace onnxc::wire
