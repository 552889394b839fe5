// Writing files whole or not at all. A regular file is replaced: a new file in the same folder (new_file.h) takes all
// bytes, and only then its name.
#include <fcntl.h>
#include <fmt/format.h>
#include <onnxc/file.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "files/descriptor.h"
#include "files/errors.h"
#include "files/new_file.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

/// Bytes to be written one behind the other.
using Chunks = std::span<const std::string_view>;

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0) {
      return EIO;
    } else if (errno == EAGAIN) {  // somebody else has made the pipe one that does not wait
      pollfd ready = {.fd = fd, .events = POLLOUT, .revents = 0};
      (void)::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int WriteAll(int fd, Chunks chunks) {
  for (const std::string_view chunk : chunks) {
    if (const int error = WriteAll(fd, chunk); error != 0) return error;
  }
  return 0;
}

Diagnostics Prepare(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Prepare(); }
Diagnostics Commit(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Commit(); }

Diagnostics WriteDirectly(int fd, Chunks chunks, PendingFile* first) {
  if (Diagnostics found = Prepare(first); !found.ok()) return found;
  const int error = WriteAll(fd, chunks);
  if (error != 0 && error != EPIPE) return CannotWrite(Reason(error));
  return Commit(first);
}

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

/// Gives the file its name behind that of `first`.
Diagnostics Finish(NewFile& file, PendingFile* first) {
  if (Diagnostics found = Prepare(first); !found.ok()) return found;
  if (const int error = file.Prepare(); error != 0) return CannotWrite(Reason(error));
  if (Diagnostics found = Commit(first); !found.ok()) return found;
  const int error = file.Commit();
  return error == 0 ? Diagnostics() : CannotWrite(Reason(error));
}

/// The descriptor that a path such as /dev/fd/3 or /dev/stdout stands for. What the shell has opened must not be
/// replaced behind its back, nor opened anew, which forgets where it was.
std::optional<int> OpenedDescriptor(const std::string& path) {
  constexpr std::array<std::string_view, 3> kNames = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (int fd = 0; fd < static_cast<int>(kNames.size()); ++fd) {
    if (path == kNames[static_cast<std::size_t>(fd)]) return fd;
  }
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const char* const begin = path.data() + folder.size();
    const char* const end = path.data() + path.size();
    int fd = -1;
    if (const auto [last, error] = std::from_chars(begin, end, fd); error == std::errc() && last == end) return fd;
  }
  return std::nullopt;
}

/// The same file as standard output, whatever it is called.
bool IsStandardOutput(const struct stat& info) {
  struct stat out = {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info.st_dev && out.st_ino == info.st_ino;
}

/// What a path stands for.
struct Target {
  int error = 0;               ///< why nothing can be written there
  std::optional<int> fd = {};  ///< what is open already
  bool exists = false;
  bool is_replaced = false;  ///< a file that is to get its bytes and then its name; else a device or a pipe
  struct stat old = {};      ///< what exists
};

Target TargetOf(const std::string& path) {
  if (path == "-") return {.fd = STDOUT_FILENO};
  if (path.find('\0') != std::string::npos) return {.error = EINVAL};
  if (const std::optional<int> fd = OpenedDescriptor(path)) return {.fd = fd};
  Target target;
  target.exists = ::stat(path.c_str(), &target.old) == 0;
  target.is_replaced = !target.exists || S_ISREG(target.old.st_mode);
  if (!target.exists && errno != ENOENT) return {.error = errno};
  if (!target.exists) return target;
  if (S_ISDIR(target.old.st_mode)) return {.error = EISDIR};
  if (IsStandardOutput(target.old)) return {.fd = STDOUT_FILENO};
  if (target.is_replaced && ::access(path.c_str(), W_OK) != 0) return {.error = errno};
  return target;
}

std::unique_ptr<NewFile> NewFileFor(const std::string& path, const Target& target) {
  return std::make_unique<NewFile>(FollowLinks(path), target.exists ? &target.old : nullptr);
}

}  // namespace

Diagnostics WriteFile(const std::string& path, std::string_view bytes) { return WriteFile(path, {&bytes, 1}); }

Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> chunks, PendingFile* first) {
  const Target target = TargetOf(path);
  if (target.error != 0) return CannotWrite(Reason(target.error));
  if (target.fd) return WriteDirectly(*target.fd, chunks, first);
  if (!target.is_replaced) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.ok()) return CannotWrite(Reason(errno));
    return WriteDirectly(file.get(), chunks, first);
  }
  const std::unique_ptr<NewFile> file = NewFileFor(path, target);
  if (const int error = file->Open(); error != 0) {
    return CannotWrite(fmt::format("no file can be made in the folder: {}", Reason(error)));
  }
  if (const int error = WriteAll(file->fd(), chunks); error != 0) return CannotWrite(Reason(error));
  return Finish(*file, first);
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  const Target target = TargetOf(path_);
  if (target.error != 0 || !target.is_replaced) return;
  file_ = NewFileFor(path_, target);
  if (file_->OpenWithoutName() != 0) file_.reset();
}

FileWriter::~FileWriter() = default;

void FileWriter::Write(std::string_view chunk) {
  if (chunk.empty()) return;
  last_ = chunk.back();
  if (!file_) {
    kept_.emplace_back(chunk);
  } else if (error_ == 0) {
    error_ = WriteAll(file_->fd(), chunk);
  }
}

void FileWriter::Restart() {
  kept_.clear();
  last_ = '\n';
  if (!file_) return;
  const bool is_empty = ::ftruncate(file_->fd(), 0) == 0 && ::lseek(file_->fd(), 0, SEEK_SET) == 0;
  error_ = is_empty ? 0 : errno;
}

void FileWriter::EndLine() {
  if (last_ != '\n') Write("\n");
}

Diagnostics FileWriter::Commit(PendingFile* first) {
  if (std::exchange(is_over_, true)) return {};
  // Signals may wait for the file, in this thread.
  if (const std::unique_ptr<NewFile> file = std::move(file_)) {
    return error_ == 0 ? Finish(*file, first) : CannotWrite(Reason(error_));
  }
  const std::vector<std::string_view> chunks(kept_.begin(), kept_.end());
  return WriteFile(path_, chunks, first);
}

}  // namespace onnxc
