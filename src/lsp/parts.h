// Finds the parts of a text that refactorings inspect, and adds entries to its lists.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns the message of a node of the text, or null.
[[nodiscard]] const onnx::NodeProto* MessageOf(const Snapshot& snapshot, SymbolId node);

/// Returns whether the range contains a comment or a pragma, which would be lost if the range is removed.
[[nodiscard]] bool HasComment(const Snapshot& snapshot, SourceRange range);

/// Returns whether the range contains a pragma.
[[nodiscard]] bool HasPragma(const Snapshot& snapshot, SourceRange range);

/// Returns whether the range contains a record or an annotation, whose names are not in the symbol index.
[[nodiscard]] bool HasRecord(const Snapshot& snapshot, SourceRange range);

/// Returns whether the node has a label, an annotation or a comment, which would be lost if the node is replaced.
[[nodiscard]] bool HasOwnWords(const Snapshot& snapshot, const TextNode& node);

/// Returns the white space before the offset if the line begins with only white space, otherwise "".
[[nodiscard]] std::string IndentationAt(const Snapshot& snapshot, std::size_t offset);

/// Where entries can be added to the list `<...>` before the body of a graph or function, and the text to write around
/// them.
struct ListPlace {
  std::size_t offset = 0;
  std::string before;
  std::string behind;
};
/// Returns nothing if the text has no place for a list.
[[nodiscard]] std::optional<ListPlace> PlaceInList(const Snapshot& snapshot, const TextScope& scope);

/// Adds entries to the list `<...>` before the body of a graph or function; creates the list if there is none. Returns
/// no edits if the text has no place for a list.
[[nodiscard]] std::vector<FixIt> AddToList(const Snapshot& snapshot, const TextScope& scope,
                                           const std::vector<std::string>& entries);

/// Returns the range of an entry with the comma before or after it, if there is one. The list must be in `around`.
/// Returns an empty range if a comment would be lost.
[[nodiscard]] SourceRange EntryWithComma(const Snapshot& snapshot, SourceRange around, SourceRange entry);

/// Extends the range of an element to its complete lines if they contain nothing else.
[[nodiscard]] SourceRange WithLines(const Snapshot& snapshot, SourceRange element);

/// Returns the range of an entry of the list before the body, with the comma before or after it. If it is the only
/// entry, returns the range of the whole list. Returns an empty range if something else would be lost.
[[nodiscard]] SourceRange EntryOfList(const Snapshot& snapshot, const TextScope& scope, SourceRange entry);

}  // namespace onnxc::lsp
