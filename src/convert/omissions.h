// The attribute parameters of functions that calls leave out.
#pragma once

#include <onnxc/proto.h>

#include <string_view>
#include <unordered_map>

#include "source/names.h"

namespace onnxc::convert {

/// The parameters of a function that have no value in some call, and such a call.
using Omissions = NameMap<const onnx::NodeProto*>;

/// Returns the omissions of each function of the model: parameters without a default value that a call does not name,
/// or to which it passes a parameter of another function that has no value. Time and memory are linear in the model.
[[nodiscard]] std::unordered_map<const onnx::FunctionProto*, Omissions> FindOmissions(const onnx::ModelProto& model);

}  // namespace onnxc::convert
