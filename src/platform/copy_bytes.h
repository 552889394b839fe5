// Copies bytes between files inside of the kernel.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace onnxc {

/// Copies up to `size` bytes between two open files and advances both offsets. Returns the number of copied bytes, 0 at
/// the end of the file, or an error as a negative number. -ENOTSUP means that the system cannot copy between these
/// files, and the caller must read and write the bytes itself.
[[nodiscard]] ssize_t CopyBytes(int from, off_t* at, int to, off_t* there, std::uint64_t size);

}  // namespace onnxc
