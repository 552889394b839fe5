// The files are in memory and no other process changes them, so a path can be checked before it is opened.
#include "platform/open_beneath.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace onnxc {

int OpenFolder(const std::string& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
}

int OpenBeneath(int folder, const std::string& location, Links links) {
  for (std::size_t at = 0; links != Links::kAllow && at < location.size();) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    if (location.substr(at, end - at) == "..") return -EXDEV;
    struct stat info = {};
    if (::fstatat(folder, location.substr(0, end).c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
    if (S_ISLNK(info.st_mode)) return -ELOOP;
    at = end + 1;
  }
  const int fd = ::openat(folder, location.c_str(), O_RDONLY);
  return fd < 0 ? -errno : fd;
}

}  // namespace onnxc
