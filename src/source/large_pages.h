// Allocates memory in large pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "platform/pages.h"

namespace onnxc {

/// Blocks of at least this size use large pages.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

/// Tells the kernel that a large block of memory, which is still unwritten, will be filled soon. Without large pages,
/// each page of 4 KiB causes a fault, and the faults take longer than filling the memory. It is only advice: everything
/// works if the kernel ignores it.
inline void AdviseLargePages(void* block, std::size_t size) {
  if (size >= kLargePage) AdviseLarge(block, size);
}

/// Allocates memory. A block of at least the size of a large page begins at the start of one. Free it with std::free().
[[nodiscard]] inline void* AllocateLarge(std::size_t size) {
  const bool is_large = size >= kLargePage;
  // Rounded up, so that the last page is a large page, too.
  if (is_large) size = (size + kLargePage - 1) / kLargePage * kLargePage;
  void* const block = is_large ? std::aligned_alloc(kLargePage, size) : std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  AdviseLargePages(block, size);
  return block;
}

/// An allocator for large containers that are accessed in random order. With small pages, the processor would have to
/// look up the page at most accesses.
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

/// Reserves room for `size` more bytes in a text that may become large.
inline void MakeRoom(std::size_t size, std::string* text) {
  if (text->capacity() - text->size() >= size) return;
  std::string larger;
  larger.reserve(std::max(2 * text->capacity(), text->size() + size));
  AdviseLargePages(larger.data(), larger.capacity());
  larger.append(*text);
  *text = std::move(larger);
}

}  // namespace onnxc
