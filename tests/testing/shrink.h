// Finds the smallest message that still has an error.
#pragma once

#include <google/protobuf/message.h>

#include <functional>

namespace onnxc::testing {

/// Clears fields, members of lists, and parts of strings, one by one, as long as `fails` is true for the whole message.
void Shrink(google::protobuf::Message* message, const std::function<bool()>& fails);

}  // namespace onnxc::testing
