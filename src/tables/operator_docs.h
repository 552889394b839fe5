// The documentation of operators in the `onnx` package, from operators/docs/, which is generated. The texts are
// Markdown without a line break at the end. A missing text is empty.
#pragma once

#include <cstddef>
#include <string_view>

#include "tables/operators.h"

namespace onnxc {

[[nodiscard]] std::string_view DocOf(const Operator& op);

struct AttributeDoc {
  std::string_view text;
  std::string_view otherwise;  ///< the default value as the text syntax writes it; may be empty
};

/// Returns the documentation of the attribute at `index` in Attributes(op).
[[nodiscard]] AttributeDoc DocOfAttribute(const Operator& op, std::size_t index);

/// Returns the documentation of the input at `index` in Inputs(op).
[[nodiscard]] std::string_view DocOfInput(const Operator& op, std::size_t index);

/// Returns the documentation of the output at `index` in Outputs(op).
[[nodiscard]] std::string_view DocOfOutput(const Operator& op, std::size_t index);

/// Returns whether these letters, in upper or lower case, are a word of the documentation, and so probably not a typing
/// mistake.
[[nodiscard]] bool IsDocumentedWord(std::string_view letters);

}  // namespace onnxc
