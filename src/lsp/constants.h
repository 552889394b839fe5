// Values of constants: in nodes, and in the lists of graphs.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// An initializer of the text, and where it stands.
struct InitializerAt {
  SymbolId scope = kNoSymbol;
  const onnx::GraphProto* graph = nullptr;
  const onnx::TensorProto* tensor = nullptr;
  SourceRange range;  ///< from its type to its data
};

/// The initializer at an offset of the text.
[[nodiscard]] std::optional<InitializerAt> FindInitializer(const Snapshot& snapshot, std::size_t offset);

/// The entry of a list for a tensor: `float[2] w = {1, 2}`. Empty where the tensor has more than that.
[[nodiscard]] std::string InitializerText(const onnx::TensorProto& tensor);

/// Moves the value of a node Constant to the list of its graph, under the name of the node's output. Empty if the
/// node is no Constant or is in a function, which has no initializers; if the value is sparse or refers to an attribute
/// of a function; and if the node has a label, an annotation or a comment, which would be lost.
[[nodiscard]] std::vector<FixIt> ConstantToInitializer(const Snapshot& snapshot, SymbolId node);

/// The inverse. Empty where the initializer is the default of an input, which a caller may replace, or a large one.
[[nodiscard]] std::vector<FixIt> InitializerToConstant(const Snapshot& snapshot, const InitializerAt& initializer);

}  // namespace onnxc::lsp
