// Files in the memory of a module always have names. No file needs to be deleted when the module ends, because its
// memory is gone, too.
#include "platform/replacement.h"

#include <cerrno>

namespace onnxc {

int OpenNameless(const std::string& /*folder*/, mode_t /*mode*/) {
  errno = ENOTSUP;
  return -1;
}

bool NameNameless(int /*fd*/, const std::string& /*name*/) {
  errno = ENOTSUP;
  return false;
}

bool ExchangeNames(const std::string& /*a*/, const std::string& /*b*/) { return false; }

}  // namespace onnxc
