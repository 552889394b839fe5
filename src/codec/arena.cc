#include <onnxc/arena.h>

#include <cstdlib>
#include <new>

#include "source/large_pages.h"

namespace onnxc {
namespace {

void* AllocateBlock(std::size_t size) {
  const bool is_large = size >= kLargePage;
  void* const block =
      is_large ? std::aligned_alloc(kLargePage, (size + kLargePage - 1) / kLargePage * kLargePage) : std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();  // the arena would write to it
  AdviseLargePages(block, size);
  return block;
}
void FreeBlock(void* block, std::size_t) { std::free(block); }

}  // namespace

google::protobuf::ArenaOptions ModelArena() {
  google::protobuf::ArenaOptions options;
  options.start_block_size = std::size_t{64} << 10;
  options.max_block_size = 4 * kLargePage;
  options.block_alloc = &AllocateBlock;
  options.block_dealloc = &FreeBlock;
  return options;
}

}  // namespace onnxc
