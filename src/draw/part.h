// Extracts parts of models that are drawn separately.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <string_view>
#include <vector>

#include "source/nodes.h"

namespace onnxc {

/// Returns a graph of the nodes that are at most `steps` values away from a node. Values that connect these nodes with
/// other nodes become inputs and outputs of the graph. The node is the first one with this name, or with an output of
/// this name, in the main graph, its subgraphs, the training graphs or the functions. If the name is an input or
/// initializer of the main graph, all nodes that read it are used. Returns nothing if the name is not found.
[[nodiscard]] std::optional<onnx::GraphProto> PartAround(const onnx::ModelProto& model, std::string_view node,
                                                         int steps);

/// Return a graph of the nodes from `first` up to but not including `last` of a graph or function. Its inputs and
/// outputs are determined as in PartAround().
[[nodiscard]] onnx::GraphProto PartOf(const onnx::GraphProto& graph, int first, int last);
[[nodiscard]] onnx::GraphProto PartOf(const onnx::FunctionProto& function, int first, int last);

/// Divides a list of nodes into parts of at most `most` nodes, including the nodes of their subgraphs. If a node has
/// more than `most` nodes in its subgraphs, the node is a separate part. Returns the index of the first node of each
/// part. An empty list has one empty part.
[[nodiscard]] std::vector<int> DivideIntoParts(const Nodes& nodes, std::size_t most);

/// Returns the functions with this name. It has the form "domain.name:overload"; domain and overload may be omitted.
[[nodiscard]] std::vector<const onnx::FunctionProto*> FunctionsCalled(const onnx::ModelProto& model,
                                                                      std::string_view name);

}  // namespace onnxc
