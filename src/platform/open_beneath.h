// Opens files without leaving a folder.
#pragma once

#include <string>

namespace onnxc {

enum class Links {
  kRefuse,
  kInside,  ///< symbolic links that stay in the folder are accepted
  kAllow,
};

/// Opens a folder for OpenBeneath(); "" is the current one. Returns the descriptor, or -1 with `errno`.
[[nodiscard]] int OpenFolder(const std::string& folder);

/// Opens a file below an open folder for reading. It never waits, not even for a writer of a pipe. Returns the
/// descriptor, or an error as a negative number: -EXDEV if the location leads out of the folder, -ELOOP if the location
/// contains a link that is refused.
[[nodiscard]] int OpenBeneath(int folder, const std::string& location, Links links);

}  // namespace onnxc
