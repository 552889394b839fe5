// Parts of a text that changes look at, and put in.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// The message of a node of the text, or null.
[[nodiscard]] const onnx::NodeProto* MessageOf(const Snapshot& snapshot, SymbolId node);

/// There is a comment or a pragma in the range, which would be lost with it.
[[nodiscard]] bool HasComment(const Snapshot& snapshot, SourceRange range);

/// There is a pragma in the range.
[[nodiscard]] bool HasPragma(const Snapshot& snapshot, SourceRange range);

/// There is a record or an annotation in the range: what they name is not known.
[[nodiscard]] bool HasRecord(const Snapshot& snapshot, SourceRange range);

/// Returns whether the node has a label, an annotation or a comment, which is lost if the node is replaced.
[[nodiscard]] bool HasOwnWords(const Snapshot& snapshot, const TextNode& node);

/// The white space that the line of an offset begins with; empty where the line begins with something else.
[[nodiscard]] std::string IndentationAt(const Snapshot& snapshot, std::size_t offset);

/// Where entries are added to the list `<...>` before the body of a graph or function, and what stands around them
/// there.
struct ListPlace {
  std::size_t offset = 0;
  std::string before;
  std::string behind;
};
/// Nothing where the text has no place for a list.
[[nodiscard]] std::optional<ListPlace> PlaceInList(const Snapshot& snapshot, const TextScope& scope);

/// Adds entries to the list `<...>` before the body of a graph or function: to the one that is there, or to a new one.
/// Empty where the text has no place for it.
[[nodiscard]] std::vector<FixIt> AddToList(const Snapshot& snapshot, const TextScope& scope,
                                           const std::vector<std::string>& entries);

/// The range of an entry of a list in `around` with the comma at one of its ends, if there is one. Empty where a
/// comment would be lost.
[[nodiscard]] SourceRange EntryWithComma(const Snapshot& snapshot, SourceRange around, SourceRange entry);

/// The element with its lines, if there is nothing else on them.
[[nodiscard]] SourceRange WithLines(const Snapshot& snapshot, SourceRange element);

/// The range of an entry of that list with the comma at one of its ends; of the whole list where there is no other
/// entry. Empty where something would be lost.
[[nodiscard]] SourceRange EntryOfList(const Snapshot& snapshot, const TextScope& scope, SourceRange entry);

}  // namespace onnxc::lsp
