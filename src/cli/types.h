// Adds inferred types to the text of a model, graph or function.
#pragma once

#include <onnxc/model_io.h>

#include <string>

namespace onnxc::cli {

/// Like Encode() for text, but adds a comment with the types of the node's outputs at the end of the last line of each
/// node. The comments do not change the meaning of the text.
[[nodiscard]] Diagnostics PrintWithTypes(const google::protobuf::Message& message, const PrintOptions& options,
                                         std::string* text);

}  // namespace onnxc::cli
