// Inferred types, written as declarations of the text.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lsp/snapshot.h"
#include "source/names.h"

namespace onnxc::lsp {

/// How much an answer may write of types. Values share a shape, but where it is written, each repeats it: a short text
/// can ask for texts without end.
class RoomForTypes {
 public:
  explicit RoomForTypes(const Snapshot& snapshot) : left_((std::size_t{1} << 20) + 16 * snapshot.text().size()) {}

  /// Takes the room that the text of a type needs. False where there is less; then there is none for any other.
  [[nodiscard]] bool Take(const ValueType& type);

 private:
  std::size_t left_;  // bytes
};

/// `float[N, 4] x`, or empty if the syntax has no words for the type.
[[nodiscard]] std::string DeclarationOf(const InferredValue& value);

/// The names of a graph or function that have declared types, or cannot have any.
[[nodiscard]] NameSet DeclaredIn(const Snapshot& snapshot, SymbolId scope);

/// The inferred types of a graph or function, in the list before its body: in the one that is there, or in a new one.
/// Empty where that is more than an answer may write.
[[nodiscard]] std::vector<FixIt> DeclareTypes(const Snapshot& snapshot, SymbolId scope);

}  // namespace onnxc::lsp
