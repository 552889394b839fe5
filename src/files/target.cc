#include "files/target.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace onnxc {
namespace {

namespace fs = std::filesystem;

/// Returns the descriptor for a path such as /dev/fd/3 or /dev/stdout, or nothing for other paths. Such a file must be
/// written through this descriptor: replacing it would leave the old file open in the shell, and opening it again would
/// lose its position.
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

/// Returns whether this is the same file as standard output, whatever its name is.
bool IsStandardOutput(const struct stat& info) {
  struct stat out = {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == info.st_dev && out.st_ino == info.st_ino;
}

/// Returns the path with all links in its folder resolved.
fs::path Resolved(const fs::path& path) {
  std::error_code error;
  const fs::path end = FollowLinks(fs::absolute(path, error));
  return fs::weakly_canonical(end.parent_path(), error) / end.filename();
}

}  // namespace

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

fs::path FollowLinks(fs::path path) {
  constexpr int kLongestChain = 40;
  std::error_code error;
  for (int i = 0; i < kLongestChain && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the complete path
  }
  return path;
}

bool IsSameFile(const fs::path& a, const fs::path& b) {
  struct stat first = {};
  struct stat second = {};
  const bool exists = ::stat(a.c_str(), &first) == 0;
  if (exists != (::stat(b.c_str(), &second) == 0)) return false;
  if (exists) return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  return Resolved(a) == Resolved(b);
}

}  // namespace onnxc
