// Work on several cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace onnxc {

/// How many parts to cut work of `size` bytes into: one for each thread, none smaller than what is worth a thread.
/// `threads` is what was asked for, 0 for one for each core.
[[nodiscard]] inline std::size_t PartsFor(std::size_t size, unsigned threads) {
  constexpr std::size_t kSmallest = std::size_t{2} << 20;
  if (size < 2 * kSmallest) return 1;  // before asking for the cores, which is a system call
  const std::size_t cores = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(size / kSmallest, 1, cores);
}

/// Calls work(i) for all i below `parts`, each in a thread of its own, and waits for all. Must not throw.
template <typename Work>
void InParallel(std::size_t parts, const Work& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < parts; ++i) {
    try {
      threads.emplace_back([&work, i] { work(i); });
    } catch (const std::system_error&) {  // no more threads to be had
      work(i);
    }
  }
  work(0);
}

}  // namespace onnxc
