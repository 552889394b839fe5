#include "platform/linux/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "platform/descriptor.h"

namespace onnxc {
namespace {

// With these flags, opening a pipe does not wait for a writer, and a terminal does not become the controlling one.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

int OpenAnywhere(int folder, const std::string& location) {
  const int fd = ::openat(folder, location.c_str(), kFlags);
  return fd < 0 ? -errno : fd;
}

}  // namespace

int OpenFolder(const std::string& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int OpenBeneath(int folder, const std::string& location, Links links) {
  if (links == Links::kAllow) return OpenAnywhere(folder, location);
  const int fd = OpenByKernel(folder, location, links);
  // Linux before 5.6 does not have this system call, and some sandboxes forbid unknown system calls.
  return fd == -ENOSYS || fd == -EPERM ? OpenByStep(folder, location) : fd;
}

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

}  // namespace onnxc
