// Reading and writing files.
#include <fcntl.h>
#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>

#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) (void)::close(fd_);
  }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool ok() const { return fd_ >= 0; }

  /// Closes it now, for the errors that only show then.
  [[nodiscard]] bool Close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::string Reason(int error) { return std::generic_category().message(error); }

Diagnostics CannotRead(std::string_view reason) {
  Diagnostics found;
  found.Add(MakeDiagnostic(DiagnosticKind::kCannotRead, kNowhere, reason));
  return found;
}

Diagnostics CannotWrite(std::string_view reason) {
  Diagnostics found;
  found.Add(MakeDiagnostic(DiagnosticKind::kCannotWrite, kNowhere, reason));
  return found;
}

/// The bytes that are left in a stream, or the error.
int ReadAll(int fd, std::string* bytes) {
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
  }
}

/// Null where the file cannot be mapped.
std::shared_ptr<const void> Map(int fd, std::size_t size) {
  void* address = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) return nullptr;
  return {static_cast<const void*>(address), [size](const void* at) { (void)::munmap(const_cast<void*>(at), size); }};
}

/// Bytes to be written one behind the other.
using Pieces = std::span<const std::string_view>;

int WriteAll(int fd, Pieces pieces) {
  for (std::string_view bytes : pieces) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  return 0;
}

Diagnostics WriteDirectly(int fd, Pieces pieces) {
  const int error = WriteAll(fd, pieces);
  if (error == 0 || error == EPIPE) return {};
  return CannotWrite(Reason(error));
}

/// A new file beside the one to be written, which is gone with its owner unless it is renamed.
class TemporaryFile {
 public:
  /// The permissions are those of any new file.
  explicit TemporaryFile(const fs::path& folder) {
    constexpr int kAttempts = 100;
    for (int i = 0; i < kAttempts; ++i) {
      path_ = folder / fmt::format(".onnxc-{}-{}.tmp", ::getpid(), i);
      fd_.emplace(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      exists_ = fd_->ok();
      if (exists_ || errno != EEXIST) return;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (exists_) (void)::unlink(path_.c_str());
  }

  [[nodiscard]] bool ok() const { return exists_; }
  [[nodiscard]] int fd() const { return fd_->get(); }

  /// Makes sure that the bytes are on the disk, then gives the file its name. Returns the error.
  int RenameTo(const fs::path& target) {
    // EINVAL: the file system cannot be told to wait.
    if (::fsync(fd_->get()) != 0 && errno != EINVAL) return errno;
    if (!fd_->Close()) return errno;
    if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
    exists_ = false;
    return 0;
  }

 private:
  fs::path path_;
  std::optional<Descriptor> fd_;
  bool exists_ = false;
};

/// What a chain of symbolic links ends in, which need not exist.
fs::path FollowLinks(fs::path path) {
  constexpr int kLongestChain = 40;
  std::error_code error;
  for (int i = 0; i < kLongestChain && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the whole
  }
  return path;
}

/// `old` is what stands at `target` now, if anything.
Diagnostics Replace(const fs::path& target, const struct stat* old, Pieces pieces) {
  if (old != nullptr && ::access(target.c_str(), W_OK) != 0) return CannotWrite(Reason(errno));
  TemporaryFile file(target.has_parent_path() ? target.parent_path() : fs::path("."));
  if (!file.ok()) return CannotWrite(fmt::format("no file can be made in the folder: {}", Reason(errno)));
  if (old != nullptr) {
    // Only the superuser can keep the owner; others may still keep the group. Mode last: a change of owner resets it.
    if (::fchown(file.fd(), old->st_uid, old->st_gid) != 0)
      (void)!::fchown(file.fd(), static_cast<uid_t>(-1), old->st_gid);
    (void)::fchmod(file.fd(), old->st_mode & 07777);
  }
  if (const int error = WriteAll(file.fd(), pieces); error != 0) return CannotWrite(Reason(error));
  if (const int error = file.RenameTo(target); error != 0) return CannotWrite(Reason(error));
  return {};
}

bool IsStandardOutput(const struct stat& info) {
  struct stat out = {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info.st_dev && out.st_ino == info.st_ino;
}

}  // namespace

Diagnostics ReadFile(const std::string& path, SourceText* text) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "<stdin>" : path;
  *text = SourceText(name, std::string());
  const Descriptor file(is_stdin ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return CannotRead(Reason(errno));
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return CannotRead(Reason(errno));
  if (S_ISDIR(info.st_mode)) return CannotRead(Reason(EISDIR));

  const auto size = static_cast<std::size_t>(info.st_size);
  if (S_ISREG(info.st_mode) && !is_stdin) {
    if (std::shared_ptr<const void> bytes = Map(file.get(), size)) {
      const std::string_view view(static_cast<const char*>(bytes.get()), size);
      *text = SourceText(name, view, std::move(bytes));
      return {};
    }
  }
  std::string bytes;
  if (const int error = ReadAll(file.get(), &bytes); error != 0) return CannotRead(Reason(error));
  *text = SourceText(name, std::move(bytes));
  return {};
}

Diagnostics WriteFile(const std::string& path, std::string_view bytes) { return WriteFile(path, {&bytes, 1}); }

Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> pieces) {
  if (path == "-") return WriteDirectly(STDOUT_FILENO, pieces);
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) return CannotWrite(Reason(errno));
  if (!exists) return Replace(FollowLinks(path), nullptr, pieces);
  if (S_ISDIR(info.st_mode)) return CannotWrite(Reason(EISDIR));
  // Also under another name, such as /dev/stdout: what the shell has opened must not be replaced behind its back.
  if (IsStandardOutput(info)) return WriteDirectly(STDOUT_FILENO, pieces);
  if (S_ISREG(info.st_mode)) return Replace(FollowLinks(path), &info, pieces);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return CannotWrite(Reason(errno));
  return WriteDirectly(file.get(), pieces);
}

}  // namespace onnxc
