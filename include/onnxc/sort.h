// Puts the nodes of a model in topological order.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

namespace onnxc {

struct SortOptions {
  /// The source map that Parse() filled for this very model; may be null. With it, findings have ranges instead of
  /// paths.
  const SourceMap* source_map = nullptr;
};

/// Sorts the nodes of all graphs and functions, so that each node comes after the nodes whose outputs it, or a subgraph
/// of it, reads. Of the nodes whose inputs are all computed, the one that was first comes next. So a sorted list does
/// not change.
///
/// It is an error if nodes form a cycle; the message lists them. The nodes of the other graphs and functions are sorted
/// then, too. Time is n log n in the number of nodes; nodes are not copied.
[[nodiscard]] Diagnostics SortNodes(onnx::ModelProto* model, const SortOptions& options = {});

}  // namespace onnxc
