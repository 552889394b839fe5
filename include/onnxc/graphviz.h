// Draws graphs in the language of Graphviz.
#pragma once

#include <onnxc/proto.h>

#include <limits>
#include <string>

namespace onnxc {

struct DrawOptions {
  /// The number of levels of subgraphs that are drawn. Subgraphs at deeper levels are shown only by name.
  int depth = std::numeric_limits<int>::max();
};

/// Returns a text in the DOT language: nodes are boxes with their attributes and weights, values are lines with their
/// types if these are known, and subgraphs and functions are frames. Every message is safe as input: names appear only
/// in labels, escaped. Equal messages give equal texts.
[[nodiscard]] std::string DrawDot(const onnx::ModelProto& model, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::GraphProto& graph, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::FunctionProto& function, const DrawOptions& options = {});

}  // namespace onnxc
