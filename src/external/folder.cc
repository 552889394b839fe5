#include "external/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace onnxc {
namespace {

std::string WhyNot(int error) {
  switch (error) {
    case ENOENT: return "does not exist";
    case ELOOP: return "is a symbolic link, or is in a folder that is one";
    case EXDEV: return "is outside of the model's directory";
    default: return "cannot be read: " + Reason(error);
  }
}

}  // namespace

OpenedFile OpenInFolder(const std::string& folder, const std::string& location, Links links) {
  const Descriptor base(OpenFolder(folder));
  if (!base.ok()) return {nullptr, WhyNot(errno)};
  const int fd = OpenBeneath(base.get(), location, links);
  if (fd < 0) return {nullptr, WhyNot(-fd)};
  Descriptor file(fd);
  struct stat info = {};
  if (::fstat(fd, &info) != 0) return {nullptr, WhyNot(errno)};
  if (!S_ISREG(info.st_mode)) return {nullptr, "is not a regular file"};
  if (info.st_nlink > 1 && links != Links::kAllow) return {nullptr, "has several hard links"};
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
