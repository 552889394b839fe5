// Recognizes files that are not an ONNX model in any format, by a table of how they begin.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string_view>

namespace onnxc {

/// Returns a finding if the bytes begin like a file of another known kind. It names the kind and a tool that reads it.
/// Returns nothing if no row of the table matches.
[[nodiscard]] std::optional<Diagnostic> FindForeignFile(std::string_view bytes);

}  // namespace onnxc
