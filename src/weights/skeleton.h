// A message and the same one without the data of some of its tensors.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc::weights {

/// Whether `skeleton` is `whole` with the data of some tensors elided, and nothing else was changed. Then each tensor
/// is the one at the same path. Both may be nested no deeper than protobuf reads.
[[nodiscard]] bool IsSkeletonOf(const google::protobuf::Message& skeleton, const google::protobuf::Message& whole);

}  // namespace onnxc::weights
