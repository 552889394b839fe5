// Finds the parts of a text that refactorings inspect, and adds entries to lists in the text.
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

/// Returns whether the range contains a comment or a pragma, so that removing the range would lose it.
[[nodiscard]] bool HasComment(const Snapshot& snapshot, SourceRange range);

/// Returns whether the range contains a pragma.
[[nodiscard]] bool HasPragma(const Snapshot& snapshot, SourceRange range);

/// Returns whether the range contains a record or an annotation. The symbol index does not contain the names in records
/// and annotations.
[[nodiscard]] bool HasRecord(const Snapshot& snapshot, SourceRange range);

/// Returns whether the node has a label, an annotation or a comment, so that replacing the node would lose it.
[[nodiscard]] bool HasOwnWords(const Snapshot& snapshot, const TextNode& node);

/// Returns the white space before the offset if the line begins with only white space, otherwise "".
[[nodiscard]] std::string IndentationAt(const Snapshot& snapshot, std::size_t offset);

/// The place in the list `<...>` before the body of a graph or function where entries can be added, and the text that
/// must be written before and after the new entries.
struct ListPlace {
  std::size_t offset = 0;
  std::string before;
  std::string behind;
};
/// Returns the place in the list before the body of this graph or function, or nothing if the text has no place for a
/// list.
[[nodiscard]] std::optional<ListPlace> PlaceInList(const Snapshot& snapshot, const TextScope& scope);

/// Returns edits that add entries to the list `<...>` before the body of a graph or function, or that create this list.
/// Returns no edits if the text has no place for a list.
[[nodiscard]] std::vector<FixIt> AddToList(const Snapshot& snapshot, const TextScope& scope,
                                           const std::vector<std::string>& entries);

/// Returns the range of a list entry, extended to the comma before or after the entry if there is one. `around` must
/// contain the list. Returns an empty range if removing the range would lose a comment.
[[nodiscard]] SourceRange EntryWithComma(const Snapshot& snapshot, SourceRange around, SourceRange entry);

/// Returns the range of an element, extended to complete lines if these lines contain nothing else.
[[nodiscard]] SourceRange WithLines(const Snapshot& snapshot, SourceRange element);

/// Returns the range of an entry of the list before the body, extended to the comma before or after the entry. If the
/// list has no other entry, returns the range of the whole list. Returns an empty range if removing the range would
/// lose a comment.
[[nodiscard]] SourceRange EntryOfList(const Snapshot& snapshot, const TextScope& scope, SourceRange entry);

}  // namespace onnxc::lsp
