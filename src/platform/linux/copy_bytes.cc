#include "platform/copy_bytes.h"

#include <unistd.h>

#include <cerrno>

namespace onnxc {

ssize_t CopyBytes(int from, off_t* at, int to, off_t* there, std::uint64_t size) {
  for (;;) {
    const ssize_t count = ::copy_file_range(from, at, to, there, size, 0);
    if (count >= 0) return count;
    switch (errno) {
      case EINTR: continue;
      case EXDEV:
      case EINVAL:
      case ENOSYS:
      case EOPNOTSUPP:
      case EPERM: return -ENOTSUP;
      default: return -errno;
    }
  }
}

}  // namespace onnxc
