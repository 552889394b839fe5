// Work on several cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "source/helper_thread.h"

namespace onnxc {

/// How many parts to cut work of `size` bytes into: one for each thread, none smaller than what is worth a thread.
/// `threads` is what was asked for, 0 for one for each core.
[[nodiscard]] inline std::size_t PartsFor(std::size_t size, unsigned threads) {
  constexpr std::size_t kSmallest = std::size_t{512} << 10;
  if (size < 2 * kSmallest) return 1;  // before asking for the cores, which is a system call
  const std::size_t cores = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(size / kSmallest, 1, cores);
}

/// Calls work(i) for all i below `parts`, each in a thread of its own, and waits for all. What one throws, such as that
/// there is no more memory, the caller gets.
template <typename Work>
void InParallel(std::size_t parts, const Work& work) {
  std::vector<std::exception_ptr> thrown(parts);
  const auto run = [&](std::size_t i) noexcept {
    try {
      work(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  {
    std::deque<HelperThread> threads;
    for (std::size_t i = 1; i < parts; ++i) {
      try {
        threads.emplace_back([&run, i] { run(i); });
      } catch (const std::system_error&) {  // no more threads to be had
        run(i);
      }
    }
    run(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception != nullptr) std::rethrow_exception(exception);
  }
}

/// Calls make(i, &made) for each portion i, in several threads, and take(made) for one after the other in their order.
template <typename Made, typename Make, typename Take>
void InTurns(std::size_t threads, std::size_t portions, const Make& make, const Take& take) {
  constexpr std::size_t kStop = ~(~std::size_t{0} >> 1);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> turn = 0;  // whose result is taken next; beyond all with kStop, when something was thrown
  InParallel(threads, [&](std::size_t) {
    Made made;
    for (std::size_t i; (i = next.fetch_add(1)) < portions;) {
      try {
        make(i, &made);
        std::size_t now;
        while ((now = turn.load()) < i) turn.wait(now);
        if (now > i) return;
        take(made);
      } catch (...) {
        turn.fetch_or(kStop);
        turn.notify_all();
        throw;
      }
      turn.fetch_add(1);
      turn.notify_all();
    }
  });
}

}  // namespace onnxc
