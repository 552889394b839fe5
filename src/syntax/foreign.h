// Texts that are something else than ONNX text.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>
#include <string_view>

namespace onnxc::syntax {

/// The finding about a whole text that is something else: a conflict of git, an HTML page, UTF-16, an archive.
[[nodiscard]] std::optional<Diagnostic> FindForeignText(std::string_view text);

}  // namespace onnxc::syntax
