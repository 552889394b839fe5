// Memory in large pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace onnxc {

/// Memory of this size and more is worth large pages.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Says that a large block of memory, not yet written to, will be filled soon. Fetched in pages of 4 KiB, with one
/// fault each, it would take longer to get than to fill. Advice: where it is not taken, all works as well.
inline void AdviseLargePages(void* block, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + size) / kPage * kPage;
  if (size >= kLargePage) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace onnxc
