// Addresses of files.
#pragma once

#include <string>
#include <string_view>

namespace onnxc::lsp {

/// The path of a `file:` address; the address itself where it is another one, such as `untitled:Untitled-1`.
[[nodiscard]] std::string PathOf(std::string_view uri);

/// The address of an absolute path.
[[nodiscard]] std::string UriOf(std::string_view path);

}  // namespace onnxc::lsp
