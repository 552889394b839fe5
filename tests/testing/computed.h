// What a model computes, without the names of its values and functions.
#pragma once

#include <onnxc/proto.h>

#include <string>

namespace onnxc::testing {

/// Returns a text that says which operators compute the outputs of the model, from which inputs and with which
/// attributes. Two models that compute the same in the same way have the same text, also if one of them calls functions
/// instead of having their nodes. A node Identity is the same as its input. Recursive functions are not allowed.
[[nodiscard]] std::string ComputedBy(const onnx::ModelProto& model);

}  // namespace onnxc::testing
