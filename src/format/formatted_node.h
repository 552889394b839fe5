// Recognizes nodes that do not need formatting, which are most nodes of a text that was formatted or printed before.
#pragma once

#include <cstddef>
#include <string_view>

namespace onnxc::format {

/// Returns the bytes of the node at the beginning of `text` if the node is on one line, in the layout of the formatter:
/// `y, z = d.F <a = 1, b = [2, 3]> (x)`. It must have at least one output, no label, no overload, and no strings,
/// comments, annotations, tensors or graphs. Returns 0 for all other nodes, and for a line that is too long for
/// `columns`. `text` must have no errors.
[[nodiscard]] std::size_t FormattedNode(std::string_view text, std::size_t columns);

}  // namespace onnxc::format
