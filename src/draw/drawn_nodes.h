// Pictures whose nodes are known by their messages.
#pragma once

#include <onnxc/graphviz.h>

#include <string>
#include <unordered_map>

namespace onnxc {

/// What draws each node of a model: the name of a node of the picture, as `n12`.
using DrawnNodes = std::unordered_map<const onnx::NodeProto*, std::string>;

/// As DrawDot() of onnxc/graphviz.h.
[[nodiscard]] std::string DrawDot(const onnx::GraphProto& graph, DrawnNodes* nodes, const DrawOptions& options = {});
[[nodiscard]] std::string DrawDot(const onnx::FunctionProto& function, DrawnNodes* nodes,
                                  const DrawOptions& options = {});

}  // namespace onnxc
