// Determines what kind of file an output path refers to.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace onnxc {

/// What a path refers to.
struct Target {
  int error = 0;               ///< the error number if the path cannot be written
  std::optional<int> fd = {};  ///< a descriptor that is already open
  bool exists = false;
  bool is_replaced = false;  ///< the path is a regular file or does not exist; if false, a device or a pipe
  struct stat old = {};      ///< the status of the existing file
};

[[nodiscard]] Target TargetOf(const std::string& path);

/// Follows a chain of symbolic links and returns the path at its end. A file need not exist at that path.
[[nodiscard]] std::filesystem::path FollowLinks(std::filesystem::path path);

/// Returns whether both paths lead to the same file, however they are spelled and linked, and even if the file does not
/// exist yet.
[[nodiscard]] bool IsSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace onnxc
