// The comment that allows a warning at one place: `# onnxc-allow: KIND, KIND`, at the end of the line that the warning
// is about, or in lines of comments above it.
#pragma once

#include <onnxc/diagnostic.h>

namespace onnxc {

/// The findings without the warnings that comments of the text allow.
[[nodiscard]] Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source);

}  // namespace onnxc
