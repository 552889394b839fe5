// Recognizes texts that are not ONNX text.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string_view>

namespace onnxc::syntax {

/// Returns the finding about a text that is not ONNX text, for example a merge conflict of git, an HTML page, UTF-16 or
/// an archive.
[[nodiscard]] std::optional<Diagnostic> FindForeignText(std::string_view text);

}  // namespace onnxc::syntax
