// System calls for writing a file completely or not at all.
#pragma once

#include <sys/types.h>

#include <string>

namespace onnxc {

/// Creates a file without a name in a folder, so that nothing remains of it however the process ends. Returns the
/// descriptor, or -1 with `errno` if the file system has no such files.
[[nodiscard]] int OpenNameless(const std::string& folder, mode_t mode);

/// Gives a nameless file a name. Returns whether it succeeded; if not, `errno` says why.
[[nodiscard]] bool NameNameless(int fd, const std::string& name);

/// Exchanges the names of two files atomically. Returns whether it succeeded.
[[nodiscard]] bool ExchangeNames(const std::string& a, const std::string& b);

}  // namespace onnxc
