// What the `onnx` package says about its operators, for people: operator_docs.inc, which is generated. The texts are
// Markdown, without a line break at the end; empty where there is none.
#pragma once

#include <cstddef>
#include <string_view>

#include "tables/operators.h"

namespace onnxc {

[[nodiscard]] std::string_view DocOf(const Operator& op);

struct AttributeDoc {
  std::string_view text;
  std::string_view
      otherwise;  ///< the value where the attribute is left out, as the text syntax writes it; may be empty
};

/// The attribute at position `index` of Attributes(op).
[[nodiscard]] AttributeDoc DocOfAttribute(const Operator& op, std::size_t index);

/// The formal input at position `index` of Inputs(op).
[[nodiscard]] std::string_view DocOfInput(const Operator& op, std::size_t index);

/// The formal output at position `index` of Outputs(op).
[[nodiscard]] std::string_view DocOfOutput(const Operator& op, std::size_t index);

/// Whether these letters, in any case, are a word of the texts: one that people write, not a slip of it.
[[nodiscard]] bool IsDocumentedWord(std::string_view letters);

}  // namespace onnxc
