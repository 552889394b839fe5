// The comment that allows warnings at one place: `# onnxc-allow: KIND, KIND`. At the end of a line it holds for that
// line. In a line of its own it holds for what begins in the next line, up to where its brackets are closed.
#pragma once

#include <onnxc/diagnostic.h>

namespace onnxc {

/// The findings without the warnings that comments of the text allow.
[[nodiscard]] Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source);

/// Findings about kinds in such comments that do not exist.
[[nodiscard]] Diagnostics FindUnknownAllowed(std::string_view text);

}  // namespace onnxc
