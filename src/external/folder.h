// Opens files that a model names, without leaving the model's folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "platform/descriptor.h"
#include "platform/open_beneath.h"

namespace onnxc {

/// A regular file that is open for reading.
class DataFile {
 public:
  DataFile(Descriptor fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Fills the buffer with the bytes from `offset` on. Returns an error number, or 0. Returns EIO if the file ends too
  /// early.
  [[nodiscard]] int Read(std::uint64_t offset, char* buffer, std::size_t size) const;

 private:
  Descriptor fd_;
  std::uint64_t size_;
};

struct OpenedFile {
  std::shared_ptr<const DataFile> file;  ///< null if there is a `problem`
  std::string problem;                   ///< in words that follow the file's name: "does not exist"
};

/// Opens the file at `location` in a folder ("" is the current one). LocationProblem() must have accepted `location`.
/// The opened file is checked, and not the path, which may lead to another file a moment later.
[[nodiscard]] OpenedFile OpenInFolder(const std::string& folder, const std::string& location, Links links);

}  // namespace onnxc
