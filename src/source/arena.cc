#include <onnxc/arena.h>

#include <cstdlib>

#include "source/large_pages.h"

namespace onnxc {
namespace {

void FreeBlock(void* block, std::size_t) { std::free(block); }

}  // namespace

google::protobuf::ArenaOptions ModelArena() {
  google::protobuf::ArenaOptions options;
  options.start_block_size = std::size_t{64} << 10;
  options.max_block_size = 4 * kLargePage;
  options.block_alloc = &AllocateLarge;
  options.block_dealloc = &FreeBlock;
  return options;
}

}  // namespace onnxc
