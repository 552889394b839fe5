#include "platform/random.h"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>

namespace onnxc {

std::uint64_t DrawRandom() {
  std::uint64_t drawn = 0;
  if (::getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) == sizeof(drawn)) return drawn;
  // If the system has no random numbers yet, the time is used: an attacker cannot predict it exactly.
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return now ^ static_cast<std::uint64_t>(::getpid()) << 48 ^ reinterpret_cast<std::uintptr_t>(&drawn);
}

}  // namespace onnxc
