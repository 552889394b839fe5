// Draws graphs and returns the name of each node in the drawing.
#pragma once

#include <onnxc/graphviz.h>

#include <string>
#include <unordered_map>

namespace onnxc {

/// Maps each node of a model to its name in the drawing, such as `n12`.
using DrawnNodes = std::unordered_map<const onnx::NodeProto*, std::string>;

/// Like DrawDot() of onnxc/graphviz.h, but also adds the drawn nodes to `*nodes`.
[[nodiscard]] std::string DrawDot(const onnx::GraphProto& graph, DrawnNodes* nodes, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::FunctionProto& function, DrawnNodes* nodes,
                                  const DrawOptions& options = {});

}  // namespace onnxc
