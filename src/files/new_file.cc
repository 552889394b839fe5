#include "files/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "files/write_all.h"
#include "platform/replacement.h"

namespace onnxc {
namespace {

/// Waits until the bytes are on the disk. Returns an error number, or 0.
int Sync(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;  // EINVAL: the file system does not support waiting
}

/// Copies the complete file `from` to the current position of the file `to`. Returns an error number, or 0.
int CopyAll(int from, int to) {
  std::vector<char> chunk(std::size_t{1} << 20);
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(from, chunk.data(), chunk.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? 0 : errno;
    if (const int error = WriteAll(to, {chunk.data(), static_cast<std::size_t>(count)}); error != 0) return error;
    at += count;
  }
}

/// Gives the new file the owner and group of `old` if this process may do so. Returns the permissions for the new file:
/// those of `old`. But if the new file has another group than `old`, its group gets only the permissions that `old`
/// gives to all users.
mode_t KeepOwner(int fd, const struct stat& old) {
  const mode_t mode = old.st_mode & 0777;
  if (::fchown(fd, old.st_uid, old.st_gid) == 0) return mode;
  if (::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0) return mode;
  return (mode & ~mode_t{070}) | ((mode & 07) << 3);
}

}  // namespace

NewFile::NewFile(std::filesystem::path target, const struct stat* old) : target_(std::move(target)) {
  if (old != nullptr) old_ = *old;
}

NewFile::~NewFile() {
  if (is_named_) (void)::unlink(name_.c_str());
}

int NewFile::Open() { return OpenWithoutName() == 0 ? 0 : OpenWithName(); }

int NewFile::OpenWithoutName() {
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  fd_ = Descriptor(OpenNameless(folder.native(), old_ ? 0600 : 0666));
  return fd_.ok() ? KeepPermissions() : errno;
}

int NewFile::Prepare() { return Sync(fd()); }

int NewFile::Commit() {
  if (TakeFreeTarget()) return 0;
  const int error = GiveName();
  return error == 0 ? TakeTarget() : error;
}

int NewFile::CommitForNow() {
  if ((can_undo_ = TakeFreeTarget())) return 0;
  if (const int error = GiveName(); error != 0) return error;
  if (old_.has_value() && (can_undo_ = Exchange())) return 0;
  const int error = TakeTarget();
  can_undo_ = error == 0 && !old_.has_value();
  return error;
}

/// Gives a file without a name its final name if no file has this name. Returns whether it succeeded.
bool NewFile::TakeFreeTarget() {
  if (is_named_ || old_.has_value()) return false;
  DelaySignals();
  if (!NameNameless(fd(), target_.native())) return false;
  (void)fd_.Close();  // its bytes are on the disk already
  return true;
}

int NewFile::TakeTarget() {
  if (::rename(name_.c_str(), target_.c_str()) != 0) return errno;
  is_named_ = false;
  return 0;
}

void NewFile::Undo() {
  if (!std::exchange(can_undo_, false)) return;
  if (old_.has_value()) {
    (void)Exchange();
  } else {
    (void)::unlink(target_.c_str());
  }
}

/// Exchanges the names of the two files. Afterwards `name_` is the name of the file that was replaced.
bool NewFile::Exchange() { return ExchangeNames(name_.native(), target_.native()); }

int NewFile::OpenWithName() {
  const int error = TakeName([&] {
    fd_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old_ ? 0600 : 0666));
    return fd_.ok();
  });
  return error != 0 ? error : KeepPermissions();
}

int NewFile::KeepPermissions() { return old_ && ::fchmod(fd(), KeepOwner(fd(), *old_)) != 0 ? errno : 0; }

/// Gives the file a temporary name unless it has one, and closes it.
int NewFile::GiveName() {
  const int error = is_named_ ? 0 : TakeName([&] { return NameNameless(fd(), name_.native()); });
  if (error == 0) return fd_.Close() ? 0 : errno;
  // A sandbox may forbid linking the file, or may hide /proc. Then the bytes are copied to a file that has a name from
  // the beginning.
  const Descriptor from = std::exchange(fd_, Descriptor(-1));
  if (const int failure = OpenWithName(); failure != 0) return failure;
  if (const int failure = CopyAll(from.get(), fd()); failure != 0) return failure;
  if (const int failure = Sync(fd()); failure != 0) return failure;
  return fd_.Close() ? 0 : errno;
}

/// Delays signals until this object is destroyed, so that either all files that are written together have their names,
/// or none.
void NewFile::DelaySignals() {
  if (!signals_wait_) signals_wait_.emplace();
}

/// Tries temporary names until one is free. `take` makes a file with the name in `name_`, and returns false if that
/// fails. Returns an error number, or 0.
template <typename Take>
int NewFile::TakeName(const Take& take) {
  constexpr int kAttempts = 100;
  DelaySignals();
  for (int i = 0; i < kAttempts && !is_named_; ++i) {
    name_ = target_.parent_path() / fmt::format(".onnxc-{}-{}.tmp", ::getpid(), i);
    is_named_ = take();
    if (!is_named_ && errno != EEXIST) return errno;
  }
  return is_named_ ? 0 : EEXIST;
}

}  // namespace onnxc
