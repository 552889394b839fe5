// What a path to write to stands for.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace onnxc {

/// What a path stands for.
struct Target {
  int error = 0;               ///< why nothing can be written there
  std::optional<int> fd = {};  ///< what is open already
  bool exists = false;
  bool is_replaced = false;  ///< a file that is to get its bytes and then its name; else a device or a pipe
  struct stat old = {};      ///< what exists
};

[[nodiscard]] Target TargetOf(const std::string& path);

/// What a chain of symbolic links ends in, which need not exist.
[[nodiscard]] std::filesystem::path FollowLinks(std::filesystem::path path);

/// Whether what is written to the one would replace the other: however they are spelled and linked, and whether or not
/// they exist yet.
[[nodiscard]] bool IsSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace onnxc
