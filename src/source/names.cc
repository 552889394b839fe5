#include "source/names.h"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnxc {
namespace {

/// Never inlined: HashOf() then needs no room on the stack for it.
[[gnu::noinline]] std::uint64_t DrawSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed)) return seed;
  // A system that has no random numbers yet: what an attacker cannot know beforehand either.
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return now ^ static_cast<std::uint64_t>(::getpid()) << 48 ^ reinterpret_cast<std::uintptr_t>(&seed);
}

}  // namespace

std::uint64_t HashOf(std::string_view bytes) {
  static const std::uint64_t seed = DrawSeed();
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace onnxc
