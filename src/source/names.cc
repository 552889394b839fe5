#include "source/names.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "platform/random.h"

namespace onnxc {

std::uint64_t HashOf(std::string_view bytes) {
  static const std::uint64_t seed = DrawRandom();
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string JoinedKey(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) key.append(std::to_string(part.size())).append(1, ' ').append(part);
  return key;
}

}  // namespace onnxc
