// Removes nodes from a model; what reads their outputs reads their inputs instead.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <cstdint>
#include <string>
#include <vector>

namespace onnxc {

struct RemoveOptions {
  /// Names of nodes, in any graph or function. A node that has no name is named by one of its outputs; if several nodes
  /// have such an output, the one in the main graph is meant.
  std::vector<std::string> nodes = {};
  /// Operators, all of whose nodes are removed, such as "Dropout" or "com.microsoft.Gelu".
  std::vector<std::string> operators = {};
  /// The value that the readers get. Empty: the node's input.
  std::string with = {};
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
};

/// How many nodes RemoveNodes() removed, and how many became an Identity, or stayed one, because a graph's output needs
/// a node that computes it.
struct RemovedNodes {
  std::int64_t removed = 0;
  std::int64_t kept = 0;
};

/// Removes the nodes. Whatever reads the output of a node reads its input instead: other nodes, subgraphs, outputs and
/// training information. If the node has several inputs, it is the one that, by the operator's signature and the
/// inferred types, has the type of the output. If types are unknown, the signature must allow the type for a single
/// input, too. An output of a graph or function keeps its name, its declared type and its quantization annotation: the
/// node that computes the input gets an output of this name. If that is impossible, for example because the input is an
/// input of the graph, an Identity node stays, with the name, documentation, metadata and devices of the node. Declared
/// types and annotations of values that exist no more are removed; inputs that nothing reads any more stay, with what
/// computes them (Strip() removes these). The order of the options does not matter.
///
/// It is an error if a name means no node or several nodes; if several inputs or several outputs that are read come
/// into question; if the types of input and output certainly differ; or if the result breaks a rule that the model
/// followed. All such errors are reported. The model must not be used after an error. Time and memory are linear in the
/// model; weights are neither read nor copied. `removed` may be null.
[[nodiscard]] Diagnostics RemoveNodes(onnx::ModelProto* model, const RemoveOptions& options,
                                      RemovedNodes* removed = nullptr);

}  // namespace onnxc
