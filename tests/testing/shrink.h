// Finds the smallest message that still causes an error.
#pragma once

#include <google/protobuf/message.h>

#include <functional>

namespace onnxc::testing {

/// Clears fields, list elements and parts of strings, one by one. A change is undone if `fails` returns false after it.
void Shrink(google::protobuf::Message* message, const std::function<bool()>& fails);

}  // namespace onnxc::testing
