// WriteFile() for callers that want to know what the system has said.
#pragma once

#include <onnxc/file.h>

#include <span>
#include <string>
#include <string_view>

namespace onnxc {

/// What came of writing a file.
struct [[nodiscard]] Written {
  Diagnostics found = {};  ///< why the file was not written
  int error = 0;           ///< the number of the system's error (errno) behind it; 0 where there is none
};

/// What WriteFile() does.
Written TryToWriteFile(const std::string& path, std::span<const std::string_view> chunks, PendingFile* first = nullptr);

}  // namespace onnxc
