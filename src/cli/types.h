// Inferred types in the text of a model, graph or function.
#pragma once

#include <onnxc/model_io.h>

#include <string>

namespace onnxc::cli {

/// The text with a comment at the end of each node's last line: the types of the node's outputs. The comment changes
/// nothing that the text compiles to. A text that cannot be parsed, or is of another kind, is returned as it is.
[[nodiscard]] std::string WithTypeComments(const std::string& text, Kind kind);

}  // namespace onnxc::cli
