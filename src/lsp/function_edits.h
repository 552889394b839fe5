// Replaces a call by the nodes of its function, and nodes by a call of a new function.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns whether the occurrence is a reference `@name` to an attribute of the function whose scope is `item`.
[[nodiscard]] bool IsReference(const SymbolIndex& symbols, const Occurrence& occurrence, SymbolId item);

/// Replaces a node by the body of the function that it calls. Returns no edits if the text does not define the
/// function, or if the nodes would have another meaning: inputs or attributes are missing, or the imports differ.
[[nodiscard]] std::vector<FixIt> InlineCall(const Snapshot& snapshot, SymbolId node);

/// Moves the nodes in the range to a new function and calls it. The function is added at the end of the text, or before
/// the enclosing function. Returns no edits if the range is not a sequence of complete nodes of one graph or function,
/// or if a function cannot contain the nodes: they refer to attributes of the enclosing function, or the header has no
/// imports.
[[nodiscard]] std::vector<FixIt> ExtractFunction(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
