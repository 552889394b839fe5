// The contents of small constants, for people.
#pragma once

#include <onnxc/infer.h>

#include <cstddef>
#include <string>

namespace onnxc::lsp {

/// `{1, N, 4}`: the first elements of a constant, at most that many.
[[nodiscard]] std::string ElementsOf(const ConstantValue& constant, std::size_t most);

}  // namespace onnxc::lsp
