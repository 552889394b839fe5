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

/// Returns edits that replace a Constant node by an initializer of the same graph. The initializer gets the name of the
/// node's output. Returns no edits if the node is not a Constant; if it is in a function, because functions have no
/// initializers; if the value is sparse or refers to an attribute of a function; or if a label, an annotation or a
/// comment of the node would be lost.
[[nodiscard]] std::vector<FixIt> ConstantToInitializer(const Snapshot& snapshot, SymbolId node);

/// Returns edits that replace an initializer by a new Constant node. Returns no edits if the initializer is large, or
/// if it is the default value of an input, because a caller may override the default.
[[nodiscard]] std::vector<FixIt> InitializerToConstant(const Snapshot& snapshot, const InitializerAt& initializer);

}  // namespace onnxc::lsp
