// Pictures of graphs, in the language of Graphviz.
#pragma once

#include <onnxc/proto.h>

#include <string>

namespace onnxc {

/// A DOT text: nodes as boxes with their attributes and weights, values as lines with their types where those are
/// known, subgraphs and functions as frames. Any message is safe as input: names stand in labels only, escaped; equal
/// messages give equal texts.
[[nodiscard]] std::string DrawDot(const onnx::ModelProto& model);
[[nodiscard]] std::string DrawDot(const onnx::GraphProto& graph);
[[nodiscard]] std::string DrawDot(const onnx::FunctionProto& function);

}  // namespace onnxc
