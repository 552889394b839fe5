#include "external/folder.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace onnxc {
namespace {

// With these flags, opening a pipe does not wait for a writer, and a terminal does not become the controlling one.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

std::string WhyNot(int error) {
  switch (error) {
    case ENOENT: return "does not exist";
    case ELOOP: return "is a symbolic link, or is reached by one";
    case EXDEV: return "is outside of the model's directory";
    default: return "cannot be read: " + Reason(error);
  }
}

int OpenAnywhere(int folder, const std::string& location) {
  const int fd = ::openat(folder, location.c_str(), kFlags);
  return fd < 0 ? -errno : fd;
}

int OpenInside(int folder, const std::string& location, Links links) {
  const int fd = OpenByKernel(folder, location, links);
  // Linux before 5.6 does not have this system call, and some sandboxes forbid unknown system calls.
  return fd == -ENOSYS || fd == -EPERM ? OpenByStep(folder, location) : fd;
}

}  // namespace

int OpenByKernel(int folder, const std::string& location, Links links) {
  open_how how = {};
  how.flags = static_cast<std::uint64_t>(kFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  if (links == Links::kRefuse) how.resolve |= RESOLVE_NO_SYMLINKS;
  const long fd = ::syscall(SYS_openat2, folder, location.c_str(), &how, sizeof(how));
  return fd < 0 ? -errno : static_cast<int>(fd);
}

int OpenByStep(int folder, const std::string& location) {
  Descriptor parent(-1);
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    const std::string part = location.substr(at, end - at);
    if (part == "..") return -EXDEV;
    const bool is_last = end == location.size();
    const int from = parent.ok() ? parent.get() : folder;
    // O_PATH opens a link itself and not its target. The next step then fails, because the link is not a folder.
    const int fd = ::openat(from, part.c_str(), is_last ? kFlags | O_NOFOLLOW : O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -errno;
    if (is_last) return fd;
    parent = Descriptor(fd);
    struct stat info = {};
    if (::fstat(fd, &info) != 0) return -errno;
    if (S_ISLNK(info.st_mode)) return -ELOOP;
    at = end + 1;
  }
}

OpenedFile OpenInFolder(const std::string& folder, const std::string& location, Links links) {
  const Descriptor base(::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base.ok()) return {nullptr, WhyNot(errno)};
  const bool allow = links == Links::kAllow;
  const int fd = allow ? OpenAnywhere(base.get(), location) : OpenInside(base.get(), location, links);
  if (fd < 0) return {nullptr, WhyNot(-fd)};
  Descriptor file(fd);
  struct stat info = {};
  if (::fstat(fd, &info) != 0) return {nullptr, WhyNot(errno)};
  if (!S_ISREG(info.st_mode)) return {nullptr, "is not a regular file"};
  if (info.st_nlink > 1 && !allow) return {nullptr, "has several hard links"};
  return {std::make_shared<DataFile>(std::move(file), static_cast<std::uint64_t>(info.st_size)), {}};
}

int DataFile::Read(std::uint64_t offset, char* buffer, std::size_t size) const {
  while (size > 0) {
    const ssize_t count = ::pread(fd_.get(), buffer, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? EIO : errno;
    buffer += count;
    size -= static_cast<std::size_t>(count);
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

}  // namespace onnxc
