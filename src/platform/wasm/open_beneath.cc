// Checks a path before it opens the path. This is safe for files in memory, because no other process changes them. For
// the files that `npx onnxc` works on it is not, but the file system of a module has no better way: it knows only
// paths, not open folders.
#include "platform/open_beneath.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string>

namespace onnxc {
namespace {

/// Opens regular files and folders only: opening a pipe would wait for a writer.
int OpenChecked(int folder, const std::string& location) {
  struct stat info = {};
  if (::fstatat(folder, location.c_str(), &info, 0) != 0) return -errno;
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return -EINVAL;
  const int fd = ::openat(folder, location.c_str(), O_RDONLY);
  return fd < 0 ? -errno : fd;
}

}  // namespace

int OpenFolder(const std::string& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
}

int OpenBeneath(int folder, const std::string& location, Links links) {
  if (links == Links::kAllow) return OpenChecked(folder, location);
  constexpr int kMostLinks = 40;  // as Linux
  std::string done;               // contains neither links nor ".."
  std::string rest = location;
  for (int links_seen = 0; !rest.empty();) {
    if (rest.front() == '/') return -EXDEV;
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string part = rest.substr(0, end);
    rest.erase(0, std::min(rest.find_first_not_of('/', end), rest.size()));
    if (part == ".") continue;
    if (part == "..") {
      if (done.empty()) return -EXDEV;
      done.erase(done.rfind('/') == std::string::npos ? 0 : done.rfind('/'));
      continue;
    }
    std::string path = done;
    path.append(done.empty() ? "" : "/").append(part);
    struct stat info = {};
    if (::fstatat(folder, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return -errno;
    if (!S_ISLNK(info.st_mode)) {
      done = path;
      continue;
    }
    if (links == Links::kRefuse || ++links_seen > kMostLinks) return -ELOOP;
    std::array<char, PATH_MAX> target = {};
    const ssize_t size = ::readlinkat(folder, path.c_str(), target.data(), target.size());
    if (size < 0) return -errno;
    rest.insert(0, rest.empty() ? "" : "/").insert(0, target.data(), static_cast<std::size_t>(size));
  }
  return OpenChecked(folder, done.empty() ? "." : done);
}

}  // namespace onnxc
