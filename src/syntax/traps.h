// Constructs that are valid, but probably do not mean what their author intended.
#pragma once

#include <onnxc/diagnostic.h>

#include <string_view>

namespace onnxc::syntax {

/// Returns warnings about plain strings such as "a\nb", whose backslashes are dropped, because \\ and \" are the only
/// escapes. Fast for texts without backslashes.
[[nodiscard]] Diagnostics FindDroppedBackslashes(std::string_view text);

}  // namespace onnxc::syntax
