// Corrects the order of nodes.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>

namespace onnxc::verdict {

/// If nodes are not in topological order, adds the correction to the first finding that says so: it sorts the nodes of
/// all graphs and functions that the text describes. There is no correction if nodes form a cycle, or if
/// the text is too long for an editor: `onnxc sort` sorts such models, too.
[[nodiscard]] Diagnostics CorrectOrder(std::string_view text, const Diagnostics& found);

}  // namespace onnxc::verdict
