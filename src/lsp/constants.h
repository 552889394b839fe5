// Moves the values of constants between Constant nodes and initializers.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// An initializer, and its place in the text.
struct InitializerAt {
  SymbolId scope = kNoSymbol;
  const onnx::GraphProto* graph = nullptr;
  const onnx::TensorProto* tensor = nullptr;
  SourceRange range;  ///< from the type to the end of the data
};

/// Returns the initializer at an offset of the text, or nothing if there is none.
[[nodiscard]] std::optional<InitializerAt> FindInitializer(const Snapshot& snapshot, std::size_t offset);

/// Returns a list entry that defines the tensor, such as `float[2] w = {1, 2}`, or "" if such an entry cannot express
/// all fields of the tensor.
[[nodiscard]] std::string InitializerText(const onnx::TensorProto& tensor);

/// Moves the value of a Constant node to the initializers of its graph, under the name of the node's output. Returns no
/// edits if the node is not a Constant or is in a function, which cannot have initializers; if the value is sparse or
/// refers to an attribute of a function; or if the node has a label, an annotation or a comment, which would be lost.
[[nodiscard]] std::vector<FixIt> ConstantToInitializer(const Snapshot& snapshot, SymbolId node);

/// Moves the value of an initializer to a new Constant node. Returns no edits if the initializer is large, or if it is
/// the default of an input, which a caller may override.
[[nodiscard]] std::vector<FixIt> InitializerToConstant(const Snapshot& snapshot, const InitializerAt& initializer);

}  // namespace onnxc::lsp
