#include "platform/pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace onnxc {

void AdviseLarge(void* block, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  const std::size_t skipped =
      (kPage - reinterpret_cast<std::uintptr_t>(block) % kPage) % kPage;  // bytes before the first whole page
  (void)::madvise(static_cast<char*>(block) + skipped, size - skipped, MADV_HUGEPAGE);
}

}  // namespace onnxc
