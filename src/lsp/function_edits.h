// Replaces a call by the nodes of its function, and nodes by a call of a new function.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns whether the occurrence is a reference, `@name`, to an attribute of the function whose scope is `item`.
[[nodiscard]] bool IsReference(const SymbolIndex& symbols, const Occurrence& occurrence, SymbolId item);

/// Returns edits that replace a node by the body of the function that the node calls. Returns no edits if the text does
/// not define the function, or if the nodes of the body would get another meaning: the call omits inputs or attributes,
/// or the function imports other operator sets.
[[nodiscard]] std::vector<FixIt> InlineCall(const Snapshot& snapshot, SymbolId node);

/// Returns edits that move the nodes in the range to a new function, and that put a call of this function in their
/// place. The function is added at the end of the text, or before the enclosing function. Returns no edits if the range
/// is not a sequence of complete nodes of one graph or function, or if a function cannot contain the nodes: they refer
/// to attributes of the enclosing function, or the header of their graph or function has no imports.
[[nodiscard]] std::vector<FixIt> ExtractFunction(const Snapshot& snapshot, SourceRange range);

}  // namespace onnxc::lsp
