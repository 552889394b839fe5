// Inferred types in the text of a model, graph or function.
#pragma once

#include <onnxc/model_io.h>

#include <string>

namespace onnxc::cli {

/// Encode() as text, with a comment at the end of the last line of each node of a model, graph or function: the types
/// of the node's outputs. The comments change nothing that the text compiles to.
[[nodiscard]] Diagnostics PrintWithTypes(const google::protobuf::Message& message, const PrintOptions& options,
                                         std::string* text);

}  // namespace onnxc::cli
