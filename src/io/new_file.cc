#include "io/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace onnxc {

SignalsWait::SignalsWait() {
  sigset_t all;
  (void)::sigfillset(&all);
  (void)::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

SignalsWait::~SignalsWait() { (void)::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

NewFile::NewFile(const std::filesystem::path& folder, mode_t mode) : folder_(folder) {
  fd_ = Descriptor(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (fd_.ok() && ::access(Unnamed().c_str(), F_OK) == 0) return;  // else it could not be given a name
  signals_wait_.emplace();
  is_named_ = TakeName([&] {
    fd_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    return fd_.ok();
  });
}

NewFile::~NewFile() {
  if (is_named_) (void)::unlink(name_.c_str());
}

int NewFile::RenameTo(const std::filesystem::path& target) {
  // EINVAL: the file system cannot be told to wait.
  if (::fsync(fd_.get()) != 0 && errno != EINVAL) return errno;
  if (!is_named_) {
    signals_wait_.emplace();
    is_named_ = TakeName(
        [&] { return ::linkat(AT_FDCWD, Unnamed().c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0; });
    if (!is_named_) return errno;
  }
  if (!fd_.Close() || ::rename(name_.c_str(), target.c_str()) != 0) return errno;
  is_named_ = false;
  return 0;
}

/// Tries names until `take` finds one that is free. Where this is false, errno says why.
template <typename Take>
bool NewFile::TakeName(const Take& take) {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    name_ = folder_ / fmt::format(".onnxc-{}-{}.tmp", ::getpid(), i);
    if (take()) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

std::string NewFile::Unnamed() const { return fmt::format("/proc/self/fd/{}", fd_.get()); }

}  // namespace onnxc
