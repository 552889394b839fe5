// Like WriteFile(), for callers that need the system's error number.
#pragma once

#include <onnxc/file.h>

#include <span>
#include <string>
#include <string_view>

namespace onnxc {

/// The result of writing a file.
struct [[nodiscard]] Written {
  Diagnostics found = {};  ///< the reason why the file was not written
  int error = 0;           ///< the system's error number (errno); 0 if there is none
};

/// Does what WriteFile() does for the same arguments.
Written TryToWriteFile(const std::string& path, std::span<const std::string_view> chunks, PendingFile* first = nullptr,
                       const WeightFiles* weights = nullptr);

}  // namespace onnxc
