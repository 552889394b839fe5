// The comment `# onnxc-allow: KIND, KIND`, which allows warnings at one place. At the end of a line it applies to that
// line. On its own line it applies to the construct that begins on the next line, up to its closing brackets.
#pragma once

#include <onnxc/diagnostic.h>

namespace onnxc {

/// Returns the findings without the warnings that comments of the text allow.
[[nodiscard]] Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source);

/// Returns a finding for each word in such a comment that is not the name of a kind.
[[nodiscard]] Diagnostics FindUnknownAllowed(std::string_view text);

}  // namespace onnxc
