#include "platform/free_memory.h"

#include <malloc.h>

namespace onnxc {

void ReturnFreeMemory() {
#ifdef __GLIBC__  // other C libraries keep little memory
  (void)::malloc_trim(0);
#endif
}

void KeepLittleFreeMemory() {
#ifdef __GLIBC__
  constexpr int kKept = 1 << 20;  // bytes at the end of each thread's memory; otherwise up to 64 MiB are kept
  constexpr int kOwn = 4 << 20;   // bytes; a larger block gets pages of its own, which are returned when it is freed
  (void)::mallopt(M_TRIM_THRESHOLD, kKept);
  (void)::mallopt(M_MMAP_THRESHOLD, kOwn);
#endif
}

}  // namespace onnxc
