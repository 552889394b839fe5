// The program `dot` of Graphviz.
#pragma once

#include <onnxc/diagnostic.h>

#include <string>

namespace onnxc::cli {

/// Turns a DOT text into a picture in that format, such as "svg".
[[nodiscard]] Diagnostics RunGraphviz(const std::string& format, std::string* picture);

}  // namespace onnxc::cli
