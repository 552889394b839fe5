// Inferred types in the text of a model.
#pragma once

#include <string>

namespace onnxc::cli {

/// The text of a model with a comment at the end of each node's last line: the types of the node's outputs. The comment
/// changes nothing that the text compiles to. A text that cannot be parsed is returned as it is.
[[nodiscard]] std::string WithTypeComments(const std::string& text);

}  // namespace onnxc::cli
