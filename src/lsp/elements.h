// Shows the contents of small constants.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <string>

namespace onnxc::lsp {

/// Returns the first `most` elements of a constant as text, such as `{1, N, 4}`.
[[nodiscard]] std::string ElementsOf(const ConstantValue& constant, std::size_t most);

}  // namespace onnxc::lsp
