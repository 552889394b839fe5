// Folders of inputs.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace onnxc::fuzz {

/// Returns the files at or below each path, in order of their names.
[[nodiscard]] inline std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace onnxc::fuzz
