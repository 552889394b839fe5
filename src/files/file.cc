// Reads files.
#include <fcntl.h>
#include <onnxc/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "files/errors.h"
#include "platform/descriptor.h"
#include "platform/mapped_file.h"
#include "source/large_pages.h"
#include "source/report.h"

namespace onnxc {
namespace {

struct Free {
  void operator()(char* block) const { std::free(block); }
};

/// A growing block of memory. It uses realloc(), which grows a large block without copying its bytes.
struct Block {
  std::unique_ptr<char, Free> bytes = {};
  std::size_t size = 0;
  std::size_t capacity = 0;

  void Grow(std::size_t wanted) {
    auto* const larger = static_cast<char*>(std::realloc(bytes.get(), wanted));
    if (larger == nullptr) throw std::bad_alloc();
    (void)bytes.release();
    bytes.reset(larger);
    AdviseLargePages(larger + size, wanted - size);
    capacity = wanted;
  }
};

/// Returns how many bytes of a regular file follow the current read position. The position need not be 0: standard
/// input may be in the middle of a large file.
std::uint64_t RestOf(int fd, const struct stat& info) {
  const off_t at = ::lseek(fd, 0, SEEK_CUR);
  return static_cast<std::uint64_t>(std::max<off_t>(0, info.st_size - std::max<off_t>(0, at)));
}

/// Reads the rest of a stream into `block`. The rest probably has `expected` bytes. Stops when it has read more than
/// `most` bytes. Returns an error number, or 0.
int ReadAll(int fd, std::size_t most, std::size_t expected, Block* block) {
  constexpr std::size_t kStep = 1 << 16;
  block->Grow(std::min(expected, most) + kStep);
  for (;;) {
    if (block->size == block->capacity) {
      if (block->capacity > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
      block->Grow(2 * block->capacity);
    }
    const ssize_t count = ::read(fd, block->bytes.get() + block->size, block->capacity - block->size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? 0 : errno;
    block->size += static_cast<std::size_t>(count);
    if (block->size > most) return 0;
  }
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

  // If std::size_t has 32 bits, it may be too small for the size of a file.
  const std::uint64_t rest = S_ISREG(info.st_mode) ? RestOf(file.get(), info) : 0;
  if (rest > max_bytes) return InputTooLarge(max_bytes);
  const auto size = static_cast<std::size_t>(rest);
  if (S_ISREG(info.st_mode) && !is_stdin) {
    if (std::shared_ptr<const void> bytes = MapFile(file.get(), size)) {
      const std::string_view view(static_cast<const char*>(bytes.get()), size);
      *text = SourceText(name, view, std::move(bytes));
      return {};
    }
  }
  Block block;
  const int error = ReadAll(file.get(), max_bytes, size, &block);
  if (error != 0) return CannotRead(Reason(error));
  if (block.size > max_bytes) return InputTooLarge(max_bytes);
  const std::string_view view(block.bytes.get(), block.size);
  *text = SourceText(name, view, std::shared_ptr<const void>(block.bytes.release(), Free()));
  return {};
}

}  // namespace onnxc
