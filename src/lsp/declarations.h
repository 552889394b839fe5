// Writes inferred types as declarations in the text syntax.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lsp/snapshot.h"
#include "source/names.h"

namespace onnxc::lsp {

/// Limits the text of types in one answer. Values can share a shape in memory, but each declaration repeats the text of
/// the shape. Without a limit, a short document could produce an unbounded answer.
class RoomForTypes {
 public:
  explicit RoomForTypes(const Snapshot& snapshot) : left_((std::size_t{1} << 20) + 16 * snapshot.text().size()) {}

  /// Reserves room for the text of a type. Returns false if the room that is left is not sufficient. After that, all
  /// further calls return false.
  [[nodiscard]] bool Take(const ValueType& type);

 private:
  std::size_t left_;  // bytes
};

/// Returns a declaration such as `float[N, 4] x`, or "" if the type cannot be written as text.
[[nodiscard]] std::string DeclarationOf(const InferredValue& value);

/// Returns the names of all values in a graph or function that have a declared type or cannot have one.
[[nodiscard]] NameSet DeclaredIn(const Snapshot& snapshot, SymbolId scope);

/// Returns edits that add the inferred types of the values in a graph or function to the list before its body, or that
/// create this list. Returns no edits if the text of the types would exceed the limit for an answer.
[[nodiscard]] std::vector<FixIt> DeclareTypes(const Snapshot& snapshot, SymbolId scope);

}  // namespace onnxc::lsp
