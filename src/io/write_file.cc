// Writing files whole or not at all.
//
// A regular file is replaced: a new file in the same folder takes all bytes, and only then its name. Where the file
// system can (O_TMPFILE), the new file has no name before that, so that nothing is left of it however the process ends;
// elsewhere signals wait while it has one that is not its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <optional>
#include <span>

#include "io/descriptor.h"
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

Diagnostics WriteDirectly(int fd, Pieces pieces) {
  const int error = WriteAll(fd, pieces);
  if (error == 0 || error == EPIPE) return {};
  return CannotWrite(Reason(error));
}

/// While it lives, this thread is not interrupted.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t all;
    (void)::sigfillset(&all);
    (void)::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;
  ~SignalsWait() { (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_ = {};
};

/// A new file in the folder of the one to be written, which is gone with its owner unless it takes that one's name.
class NewFile {
 public:
  explicit NewFile(const fs::path& folder) : folder_(folder) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (is_named_) (void)::unlink(name_.c_str());
  }

  // The steps, in their order. Where they are false, errno says why.

  [[nodiscard]] bool OpenWithoutName(mode_t mode) {
    fd_ = Descriptor(::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
    return fd_.ok();
  }
  [[nodiscard]] bool OpenWithName(mode_t mode) {
    return TakeName([&] {
      fd_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
      return fd_.ok();
    });
  }
  [[nodiscard]] int fd() const { return fd_.get(); }

  /// Nothing to do where it has a name.
  [[nodiscard]] bool GiveName() {
    if (is_named_) return true;
    const std::string unnamed = fmt::format("/proc/self/fd/{}", fd_.get());
    return TakeName(
        [&] { return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0; });
  }
  [[nodiscard]] bool RenameTo(const fs::path& target) {
    is_named_ = !(fd_.Close() && ::rename(name_.c_str(), target.c_str()) == 0);
    return !is_named_;
  }

 private:
  /// Tries names until `take` finds one that is free.
  template <typename Take>
  bool TakeName(const Take& take) {
    constexpr int kAttempts = 100;
    signals_wait_.emplace();
    for (int i = 0; i < kAttempts && !is_named_; ++i) {
      name_ = folder_ / fmt::format(".onnxc-{}-{}.tmp", ::getpid(), i);
      is_named_ = take();
      if (!is_named_ && errno != EEXIST) break;
    }
    return is_named_;
  }

  fs::path folder_;
  fs::path name_;
  std::optional<SignalsWait> signals_wait_;  // ends behind the destructor's unlink
  Descriptor fd_{-1};
  bool is_named_ = false;
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

/// The permissions of the file `old`, for one that has taken over its owner and group as far as this process may.
/// Nobody gets more: where the group is another, it gets what others have.
mode_t KeepOwner(int fd, const struct stat& old) {
  const mode_t mode = old.st_mode & 0777;
  if (::fchown(fd, old.st_uid, old.st_gid) == 0) return mode;
  if (::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0) return mode;
  return (mode & ~mode_t{070}) | ((mode & 07) << 3);
}

/// Makes the new file what it is to be, down to the disk. Returns the error.
int Fill(int fd, const struct stat* old, Pieces pieces) {
  if (old != nullptr && ::fchmod(fd, KeepOwner(fd, *old)) != 0) return errno;
  if (const int error = WriteAll(fd, pieces); error != 0) return error;
  const bool is_on_disk = ::fsync(fd) == 0 || errno == EINVAL;  // EINVAL: the file system cannot be told to wait
  return is_on_disk ? 0 : errno;
}

/// `old` is what stands at `target` now, if anything.
Diagnostics Replace(const fs::path& target, const struct stat* old, Pieces pieces) {
  if (old != nullptr && ::access(target.c_str(), W_OK) != 0) return CannotWrite(Reason(errno));
  NewFile file(target.has_parent_path() ? target.parent_path() : fs::path("."));
  const mode_t mode = old == nullptr ? 0666 : 0600;
  for (const auto open : {&NewFile::OpenWithoutName, &NewFile::OpenWithName}) {
    if (!(file.*open)(mode)) continue;
    if (const int error = Fill(file.fd(), old, pieces); error != 0) return CannotWrite(Reason(error));
    if (!file.GiveName()) continue;  // a sandbox may forbid that
    return file.RenameTo(target) ? Diagnostics() : CannotWrite(Reason(errno));
  }
  return CannotWrite(fmt::format("no file can be made in the folder: {}", Reason(errno)));
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

Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> pieces) {
  if (path == "-") return WriteDirectly(STDOUT_FILENO, pieces);
  if (path.find('\0') != std::string::npos) return CannotWrite(Reason(EINVAL));
  if (const std::optional<int> fd = OpenedDescriptor(path)) return WriteDirectly(*fd, pieces);
  struct stat info = {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) return CannotWrite(Reason(errno));
  if (!exists) return Replace(FollowLinks(path), nullptr, pieces);
  if (S_ISDIR(info.st_mode)) return CannotWrite(Reason(EISDIR));
  if (IsStandardOutput(info)) return WriteDirectly(STDOUT_FILENO, pieces);
  if (S_ISREG(info.st_mode)) return Replace(FollowLinks(path), &info, pieces);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return CannotWrite(Reason(errno));
  return WriteDirectly(file.get(), pieces);
}

}  // namespace onnxc
