#include "source/names.h"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnxc {
namespace {

/// Never inlined, so that HashOf() needs no stack space for it.
[[gnu::noinline]] std::uint64_t DrawSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed)) return seed;
  // If the system has no random numbers yet, the time is used, which an attacker cannot predict exactly either.
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return now ^ static_cast<std::uint64_t>(::getpid()) << 48 ^ reinterpret_cast<std::uintptr_t>(&seed);
}

}  // namespace

std::uint64_t HashOf(std::string_view bytes) {
  static const std::uint64_t seed = DrawSeed();
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace onnxc
