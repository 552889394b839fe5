// Parts of models, to be drawn alone.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <string_view>
#include <vector>

#include "source/nodes.h"

namespace onnxc {

/// The nodes that are at most `steps` values away from a node, as a graph of their own: values that come from the nodes
/// that are left out, and go to them, are its inputs and outputs. The node is the first one, in the main graph, the
/// graphs inside of it, the graphs of training or the functions, that has this name or gives a value of this name;
/// of an input or an initializer of the main graph all nodes that read it. Nothing where there is none.
[[nodiscard]] std::optional<onnx::GraphProto> PartAround(const onnx::ModelProto& model, std::string_view node,
                                                         int steps);

/// The nodes from `first` to before `last` of a graph or function, as a graph of their own, as above.
[[nodiscard]] onnx::GraphProto PartOf(const onnx::GraphProto& graph, int first, int last);
[[nodiscard]] onnx::GraphProto PartOf(const onnx::FunctionProto& function, int first, int last);

/// Divides a list of nodes into parts of at most `most` nodes, where nodes of the graphs inside count, too, or of one
/// node that has more. The first node of each part; the first part is there for an empty list, too.
[[nodiscard]] std::vector<int> DivideIntoParts(const Nodes& nodes, std::size_t most);

/// The functions of that name: "domain.name:overload", where domain and overload may be left out.
[[nodiscard]] std::vector<const onnx::FunctionProto*> FunctionsCalled(const onnx::ModelProto& model,
                                                                      std::string_view name);

}  // namespace onnxc
