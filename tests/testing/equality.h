// What two messages have to have in common to mean the same.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc::testing {

/// Clears has-bits of defaults, and gives the elements of all tensors one form of storage, at every depth.
void ToMeaning(google::protobuf::Message* message);

}  // namespace onnxc::testing
