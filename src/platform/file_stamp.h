// A stamp that shows whether a file was written or replaced.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace onnxc {

/// The device, inode, size and times of a file, as far as the machine knows them. They change if the file is written or
/// replaced. All are 0 if the file does not exist.
using FileStamp = std::array<std::int64_t, 7>;

[[nodiscard]] FileStamp StampOf(const std::string& path);

}  // namespace onnxc
