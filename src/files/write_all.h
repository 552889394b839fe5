// Writes bytes to an open file.
#pragma once

#include <string_view>

namespace onnxc {

/// Writes all bytes, even if the file accepts only some of them at a time. Returns an error number, or 0.
[[nodiscard]] int WriteAll(int fd, std::string_view bytes);

}  // namespace onnxc
