#include "platform/mapped_file.h"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace onnxc {

std::shared_ptr<const void> MapFile(int fd, std::size_t size) {
  void* address = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (address == MAP_FAILED) return nullptr;
  return {static_cast<const void*>(address), [size](const void* at) { (void)::munmap(const_cast<void*>(at), size); }};
}

bool IsMappedFile(std::string_view bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long first = 0;
    unsigned long end = 0;
    unsigned long inode = 0;
    std::array<char, 5> rights = {};
    constexpr int kNumbers = 4;
    if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %lu", &first, &end, rights.data(), &inode) != kNumbers) continue;
    if (first <= begin && begin + bytes.size() <= end) return inode != 0 && std::string_view(rights.data()) == "r--p";
  }
  return false;
}

void FreePages(std::string_view bytes) {
  constexpr std::uintptr_t kPage = 1 << 16;  // the largest size that systems use
  const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t begin = (first + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (first + bytes.size()) / kPage * kPage;
  if (begin < end) (void)::madvise(const_cast<char*>(bytes.data() + (begin - first)), end - begin, MADV_DONTNEED);
}

}  // namespace onnxc
