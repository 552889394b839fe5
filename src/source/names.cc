#include "source/names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "platform/random.h"

namespace onnxc {

std::uint64_t HashOf(std::string_view bytes) {
  static const std::uint64_t seed = DrawRandom();
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace onnxc
