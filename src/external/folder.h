// Opening files that a model names, without leaving its folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "files/descriptor.h"

namespace onnxc {

enum class Links {
  kRefuse,
  kInside,  ///< symbolic ones that do not leave the folder are taken
  kAllow,
};

/// A regular file that is open for reading.
class DataFile {
 public:
  DataFile(Descriptor fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Fills the buffer from `offset`. Returns the error, or 0; EIO where the file ends before.
  [[nodiscard]] int Read(std::uint64_t offset, char* buffer, std::size_t size) const;

 private:
  Descriptor fd_;
  std::uint64_t size_;
};

struct OpenedFile {
  std::shared_ptr<const DataFile> file;  ///< null where `problem` says why
  std::string problem;                   ///< as it follows the file's name: "does not exist"
};

/// Opens `location`, a relative path without problems, in a folder ("" is the current one). What is judged is the file
/// that was opened, not the path, which might lead elsewhere the next moment.
[[nodiscard]] OpenedFile OpenInFolder(const std::string& folder, const std::string& location, Links links);

/// The two ways to open a path without following links: by the kernel, and step by step where it cannot, which takes no
/// links at all. They return the descriptor, or the error as a negative number. For tests; OpenInFolder chooses.
[[nodiscard]] int OpenByKernel(int folder, const std::string& location, Links links = Links::kRefuse);
[[nodiscard]] int OpenByStep(int folder, const std::string& location);

}  // namespace onnxc
