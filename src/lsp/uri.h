// Converts between URIs and paths of files.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::lsp {

/// Returns the path of a `file:` URI, which begins with one slash. Other URIs, such as `untitled:Untitled-1`, are
/// returned unchanged.
[[nodiscard]] std::string PathOf(std::string_view uri);

/// Returns the URI of an absolute path.
[[nodiscard]] std::string UriOf(std::string_view path);

}  // namespace onnxc::lsp
