// Calls that become the nodes of their function, and nodes that become a function.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns whether the occurrence is a reference, `@name`, to an attribute of the function whose scope is `item`.
[[nodiscard]] bool IsReference(const SymbolIndex& symbols, const Occurrence& occurrence, SymbolId item);

/// Replaces a node by the body of the function that it calls. Empty where it calls none of the text, and where the
/// nodes would not mean the same: inputs or attributes are missing, or the imports differ.
[[nodiscard]] std::vector<FixIt> InlineCall(const Snapshot& snapshot, SymbolId node);

/// Moves the nodes in the range to a function, at the end of the text or before the function around them, and calls it.
/// Empty where the range is no whole nodes of one graph or function, and where a function cannot hold them: they refer
/// to attributes of the function around them, or the header has no imports.
[[nodiscard]] std::vector<FixIt> ExtractFunction(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
