// A module has no pages to map, so the file is copied into its memory.
#include "platform/mapped_file.h"

#include <unistd.h>

#include <cstdlib>

namespace onnxc {

std::shared_ptr<const void> MapFile(int fd, std::size_t size) {
  std::shared_ptr<void> bytes(size == 0 ? nullptr : std::malloc(size), &std::free);
  if (bytes == nullptr) return nullptr;
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pread(fd, static_cast<char*>(bytes.get()) + done, size - done, static_cast<off_t>(done));
    if (count <= 0) return nullptr;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

bool IsMappedFile(std::string_view /*bytes*/) { return false; }

void FreePages(std::string_view /*bytes*/) {}

}  // namespace onnxc
