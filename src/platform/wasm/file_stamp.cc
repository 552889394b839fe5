#include "platform/file_stamp.h"

#include <sys/stat.h>

namespace onnxc {

FileStamp StampOf(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return {};
  // The other numbers stay 0: a host has only one device, and a browser knows only the time of the last write.
  return {static_cast<std::int64_t>(info.st_ino), info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

}  // namespace onnxc
