// Maps files into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace onnxc {

/// Returns the bytes of an open regular file of `size` bytes, or null if the file cannot be mapped and must be read.
[[nodiscard]] std::shared_ptr<const void> MapFile(int fd, std::size_t size);

/// Returns whether the bytes are part of a file that is mapped for reading.
[[nodiscard]] bool IsMappedFile(std::string_view bytes);

/// Frees the pages of a mapped file that are completely in `bytes`. The system reads them again when they are needed.
void FreePages(std::string_view bytes);

/// Frees the pages of a file that is decoded: the message does not refer to them. Does nothing if the bytes are few or
/// are not part of a mapped file.
inline void FreeDecoded(std::string_view bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;  // for less, IsMappedFile() takes too much time
  if (bytes.size() >= kLarge && IsMappedFile(bytes)) FreePages(bytes);
}

}  // namespace onnxc
