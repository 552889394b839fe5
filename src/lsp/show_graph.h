// Draws graphs, and returns where the drawn nodes are in the text.
#pragma once

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Executes the command with the argument `{"uri": ..., "position": ...}` and these optional members:
/// - "most": a graph with more nodes than this number is drawn in parts of at most this many nodes. The result is the
///   part at the position, or the part with the number "part", or, with "find", the next part with a node that contains
///   this word;
/// - "before": another version of the text, with which the drawn nodes are compared.
///
/// The result is `{"title": ..., "range": the range of the graph, "dot": a text for Graphviz, "nodes": {"n12": the
/// range of a node}, "words": {"n12": the text in which a search looks for the node}}`. Depending on the argument, it
/// also has "part", "parts", "found": "n12", and "changed": {"n12": "added" or "changed"}. The result is null if the
/// graph, function or subgraph at the position could not be read.
[[nodiscard]] Json ShowGraph(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
