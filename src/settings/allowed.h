// The comment `# onnxc-allow: KIND, KIND`, which allows warnings at one place. At the end of a line it applies to that
// line. On its own line it applies to the construct that begins on the next line, up to its closing brackets.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <functional>

namespace onnxc {

/// Returns whether comments of a text allow warnings of a kind at a byte.
using Allows = std::function<bool(DiagnosticKind kind, std::size_t offset)>;

/// Reads the comments of the text. Returns an empty function if there are none that allow warnings.
[[nodiscard]] Allows AllowedIn(const SourceText& source);

/// Returns the findings without the warnings that comments of the text allow.
[[nodiscard]] Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source);

/// Returns a finding for each word in such a comment that is not the name of a kind.
[[nodiscard]] Diagnostics FindUnknownAllowed(std::string_view text);

}  // namespace onnxc
