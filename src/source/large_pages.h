// Memory in large pages.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

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

/// Memory that fills large pages from their beginning where it has the size of one and more; std::free() gives it back.
[[nodiscard]] inline void* AllocateLarge(std::size_t size) {
  const bool is_large = size >= kLargePage;
  void* const block =
      is_large ? std::aligned_alloc(kLargePage, (size + kLargePage - 1) / kLargePage * kLargePage) : std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  AdviseLargePages(block, size);
  return block;
}

/// For containers whose elements are found by chance in all of their memory: in small pages, most looks would have to
/// find the page first.
template <typename T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>&) {}  // NOLINT(google-explicit-constructor): as allocators are
  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(AllocateLarge(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t) { std::free(block); }
  bool operator==(const LargePages&) const { return true; }
};
template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

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
