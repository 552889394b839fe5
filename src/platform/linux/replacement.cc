#include "platform/replacement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

namespace onnxc {

int OpenNameless(const std::string& folder, mode_t mode) {
  return ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
}

bool NameNameless(int fd, const std::string& name) {
  const std::string unnamed = fmt::format("/proc/self/fd/{}", fd);
  return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

bool ExchangeNames(const std::string& a, const std::string& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else  // musl before 1.2.6 has neither the function nor the constant
  constexpr unsigned kExchange = 1U << 1;
  return ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), kExchange) == 0;
#endif
}

}  // namespace onnxc
