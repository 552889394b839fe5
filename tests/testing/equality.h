// Brings two messages into a normal form, in which messages with the same meaning are equal.
#pragma once

#include <google/protobuf/message.h>

namespace onnxc::testing {

/// Clears fields that have their default values, and stores the elements of all tensors in one form, at every depth.
void ToMeaning(google::protobuf::Message* message);

}  // namespace onnxc::testing
