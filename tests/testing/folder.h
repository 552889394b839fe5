// A temporary folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>

namespace onnxc::testing {

/// The contents of a file; "" if it does not exist.
[[nodiscard]] inline std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A temporary folder, which is removed together with this object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "onnxc-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data()) == nullptr ? throw std::runtime_error("no temporary folder") : name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string Path(const std::string& name) const { return (path_ / name).string(); }

  [[nodiscard]] std::string Read(const std::string& name) const { return ReadWhole(path_ / name); }
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  void Remove(const std::string& name) const { std::filesystem::remove(path_ / name); }
  [[nodiscard]] bool Exists(const std::string& name) const { return std::filesystem::exists(path_ / name); }

  /// Returns the names of all files in the folder.
  [[nodiscard]] std::set<std::string> List() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace onnxc::testing
