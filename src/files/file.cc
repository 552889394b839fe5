// Reads files.
#include <fcntl.h>
#include <onnxc/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "files/descriptor.h"
#include "files/errors.h"
#include "source/report.h"

namespace onnxc {
namespace {

/// Reads the rest of a stream. Returns an error number, or 0. Stops soon after `most` bytes.
int ReadAll(int fd, std::size_t most, std::string* bytes) {
  constexpr std::size_t kStep = 1 << 16;
  std::size_t size = 0;
  for (;;) {
    if (bytes->size() - size < kStep) bytes->resize(std::max(2 * bytes->size(), 2 * kStep));
    const ssize_t count = ::read(fd, bytes->data() + size, bytes->size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      bytes->resize(size);
      return count == 0 ? 0 : errno;
    }
    size += static_cast<std::size_t>(count);
    if (size > most) {
      bytes->resize(size);
      return 0;
    }
  }
}

/// Returns null if the file cannot be mapped.
std::shared_ptr<const void> Map(int fd, std::size_t size) {
  void* address = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) return nullptr;
  return {static_cast<const void*>(address), [size](const void* at) { (void)::munmap(const_cast<void*>(at), size); }};
}

}  // namespace

Diagnostics ReadFile(const std::string& path, SourceText* text, std::size_t max_bytes) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "<stdin>" : path;
  *text = SourceText(name, std::string());
  if (path.find('\0') != std::string::npos) return CannotRead(Reason(EINVAL));
  const Descriptor file(is_stdin ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return CannotRead(Reason(errno));
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return CannotRead(Reason(errno));
  if (S_ISDIR(info.st_mode)) return CannotRead(Reason(EISDIR));

  const auto size = static_cast<std::size_t>(info.st_size);
  if (S_ISREG(info.st_mode) && !is_stdin && size > max_bytes) return InputTooLarge(max_bytes);
  if (S_ISREG(info.st_mode) && !is_stdin) {
    if (std::shared_ptr<const void> bytes = Map(file.get(), size)) {
      const std::string_view view(static_cast<const char*>(bytes.get()), size);
      *text = SourceText(name, view, std::move(bytes));
      return {};
    }
  }
  std::string bytes;
  if (const int error = ReadAll(file.get(), max_bytes, &bytes); error != 0) return CannotRead(Reason(error));
  if (bytes.size() > max_bytes) return InputTooLarge(max_bytes);
  *text = SourceText(name, std::move(bytes));
  return {};
}

}  // namespace onnxc
