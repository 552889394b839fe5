// Pictures of graphs, with the places of what they show.
#pragma once

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// The command: `{"uri": ..., "position": ...}`, and, as is wanted,
/// - "most": a graph of more nodes is drawn by parts of so many; the part is the one at the position, or
///   "part": its number from 0, or with "find" the next part with a node that is found by this word;
/// - "before": another version of the text; what differs from it is told.
/// The result is `{"title": ..., "range": of all that could be drawn, "dot": a text for Graphviz, "nodes": {"n12": the
/// range of a node}, "words": {"n12": what it is found by}}`, and, as was wanted, "part", "parts", "found": "n12", and
/// "changed": {"n12": "added" or "changed"}. It is null where nothing can be read of the graph, function or subgraph.
[[nodiscard]] Json ShowGraph(const Workspace& workspace, const Json& place);

}  // namespace onnxc::lsp
