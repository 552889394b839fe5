// Files that are no ONNX model in any format: the table of how they begin.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string_view>

namespace onnxc {

/// The finding about bytes that are a file of another kind, by how they begin. It says what the file is, and what reads
/// it. Nothing where the table does not know the bytes.
[[nodiscard]] std::optional<Diagnostic> FindForeignFile(std::string_view bytes);

}  // namespace onnxc
