// Writing files whole or not at all. A regular file is replaced: a new file in the same folder (new_file.h) takes all
// bytes, and only then its name.
#include <fcntl.h>
#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <onnxc/model_io.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <span>

#include "io/descriptor.h"
#include "io/new_file.h"
#include "source/report.h"

namespace onnxc {
namespace {

namespace fs = std::filesystem;

Diagnostics CannotWrite(std::string_view reason) {
  return Only(MakeDiagnostic(DiagnosticKind::kCannotWrite, kNowhere, reason));
}

/// Bytes to be written one behind the other.
using Pieces = std::span<const std::string_view>;

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

int WriteAll(int fd, Pieces pieces) {
  for (const std::string_view piece : pieces) {
    if (const int error = WriteAll(fd, piece); error != 0) return error;
  }
  return 0;
}

Diagnostics Prepare(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Prepare(); }
Diagnostics Commit(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Commit(); }

Diagnostics WriteDirectly(int fd, Pieces pieces, PendingFile* first) {
  if (Diagnostics found = Prepare(first); !found.ok()) return found;
  const int error = WriteAll(fd, pieces);
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

/// `old` is what stands at `target` now, if anything.
Diagnostics Replace(const fs::path& target, const struct stat* old, Pieces pieces, PendingFile* first) {
  if (old != nullptr && ::access(target.c_str(), W_OK) != 0) return CannotWrite(Reason(errno));
  NewFile file(target, old);
  if (const int error = file.Open(); error != 0) {
    return CannotWrite(fmt::format("no file can be made in the folder: {}", Reason(error)));
  }
  if (const int error = WriteAll(file.fd(), pieces); error != 0) return CannotWrite(Reason(error));
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

}  // namespace

Diagnostics WriteFile(const std::string& path, std::string_view bytes) { return WriteFile(path, {&bytes, 1}); }

Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> pieces, PendingFile* first) {
  if (path == "-") return WriteDirectly(STDOUT_FILENO, pieces, first);
  if (path.find('\0') != std::string::npos) return CannotWrite(Reason(EINVAL));
  if (const std::optional<int> fd = OpenedDescriptor(path)) return WriteDirectly(*fd, pieces, first);
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) return CannotWrite(Reason(errno));
  if (!exists) return Replace(FollowLinks(path), nullptr, pieces, first);
  if (S_ISDIR(info.st_mode)) return CannotWrite(Reason(EISDIR));
  if (IsStandardOutput(info)) return WriteDirectly(STDOUT_FILENO, pieces, first);
  if (S_ISREG(info.st_mode)) return Replace(FollowLinks(path), &info, pieces, first);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return CannotWrite(Reason(errno));
  return WriteDirectly(file.get(), pieces, first);
}

}  // namespace onnxc
