// Compares a message with the same message without the data of some tensors.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc::weights {

/// Returns whether `skeleton` is `whole` with the data of some tensors elided and without other changes. If so, each
/// tensor of `skeleton` corresponds to the tensor at the same path of `whole`. Neither may be nested more deeply than
/// protobuf can read.
[[nodiscard]] bool IsSkeletonOf(const google::protobuf::Message& skeleton, const google::protobuf::Message& whole);

}  // namespace onnxc::weights
