// Memory in large pages.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace onnxc {

/// Memory of this size and more is worth large pages.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Says that a large block of memory, not yet written to, will be filled soon. Fetched in pages of 4 KiB, with one
/// fault each, it would take longer to get than to fill. Advice: where it is not taken, all works as well.
inline void AdviseLargePages(void* block, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  if (size < kLargePage) return;
  const std::size_t skipped = (kPage - reinterpret_cast<std::uintptr_t>(block) % kPage) % kPage;  // to a page's start
  (void)::madvise(static_cast<char*>(block) + skipped, size - skipped, MADV_HUGEPAGE);
}

/// Makes room for `size` bytes more in a text that may grow large.
inline void MakeRoom(std::size_t size, std::string* text) {
  if (text->capacity() - text->size() >= size) return;
  std::string larger;
  larger.reserve(std::max(2 * text->capacity(), text->size() + size));
  AdviseLargePages(larger.data(), larger.capacity());
  larger.append(*text);
  *text = std::move(larger);
}

}  // namespace onnxc
