// Pictures of graphs, in the language of Graphviz.
#pragma once

#include <onnxc/proto.h>

#include <limits>
#include <string>

namespace onnxc {

struct DrawOptions {
  /// How many levels of graphs in attributes are drawn. Of a graph that is nested deeper, only the name is drawn.
  int depth = std::numeric_limits<int>::max();
};

/// A DOT text: nodes as boxes with their attributes and weights, values as lines with their types where those are
/// known, subgraphs and functions as frames. Any message is safe as input: names stand in labels only, escaped; equal
/// messages give equal texts.
[[nodiscard]] std::string DrawDot(const onnx::ModelProto& model, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::GraphProto& graph, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::FunctionProto& function, const DrawOptions& options = {});

}  // namespace onnxc
