// Runs the program `dot` of Graphviz.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>

namespace onnxc::cli {

/// Replaces the DOT text in `*picture` by a drawing in a format such as "svg".
[[nodiscard]] Diagnostics RunGraphviz(const std::string& format, std::string* picture);

}  // namespace onnxc::cli
