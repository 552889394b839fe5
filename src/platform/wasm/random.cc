#include "platform/random.h"

#include <unistd.h>

#include <cstdlib>

namespace onnxc {

std::uint64_t DrawRandom() {
  std::uint64_t drawn = 0;
  if (::getentropy(&drawn, sizeof(drawn)) != 0) std::abort();  // every supported host has JavaScript's `crypto`
  return drawn;
}

}  // namespace onnxc
