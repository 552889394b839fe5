#include "verdict/judge.h"

#include <filesystem>

namespace onnxc::verdict {

std::string FolderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace onnxc::verdict
