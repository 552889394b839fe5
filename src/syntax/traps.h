// Constructs that are valid, but probably do not mean what their author intended.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>

namespace onnxc::syntax {

/// Warnings about plain strings such as "a\nb", whose backslashes are dropped: there are no escapes but \\ and \".
/// Looks at a text without backslashes no further.
[[nodiscard]] Diagnostics FindDroppedBackslashes(std::string_view text);

}  // namespace onnxc::syntax
