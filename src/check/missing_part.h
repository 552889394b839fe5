// Says what a type needs so that an input or output of a model may have it.
#pragma once

#include <onnxc/proto.h>

#include <string_view>

namespace onnxc::check {

/// Returns a description of what the type lacks, or "" if the type is complete. The reference requires complete types
/// for the inputs and outputs of the main graph.
[[nodiscard]] std::string_view MissingPart(const onnx::TypeProto& type);

}  // namespace onnxc::check
