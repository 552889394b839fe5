// Extracts the part of a model between given values as a separate model.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <string>
#include <vector>

namespace onnxc {

struct ExtractOptions {
  /// The values of the main graph that become the inputs of the part. Empty: the inputs of the graph that the part
  /// needs.
  std::vector<std::string> from = {};
  /// The values that become the outputs of the part. Empty: the outputs of the graph.
  std::vector<std::string> to = {};
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
};

/// Reduces the model to the part that computes the values in `options.to` from the values in `options.from`: the nodes
/// in between, with the initializers, functions, operator sets and declared types that these nodes need. New inputs and
/// outputs have the types that InferTypes() returns. Weights are neither read nor copied. Time and memory are linear in
/// the model.
///
/// It is an error if a name is not a value of the main graph, or if the part needs an input of the graph that
/// `options.from` does not list. The model is then unchanged.
[[nodiscard]] Diagnostics ExtractPart(onnx::ModelProto* model, const ExtractOptions& options);

}  // namespace onnxc
