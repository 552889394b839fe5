// Distributes work to several cores.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/helper_thread.h"
#include "source/portions.h"

namespace onnxc {

/// Returns the number of parts into which work of `size` bytes is divided: one for each thread, but fewer if the parts
/// would be too small to be worth starting a thread. `threads` is the number that the caller asks for; 0 means one for
/// each core.
[[nodiscard]] inline std::size_t PartsFor(std::size_t size, unsigned threads) {
  constexpr std::size_t kSmallest = PortionSize(std::size_t{512} << 10);
  if (size < 2 * kSmallest) return 1;  // before the number of cores is read, which takes a system call
  const std::size_t cores = threads != 0 ? threads : CoreCount();
  return std::clamp<std::size_t>(size / kSmallest, 1, cores);
}

/// Calls work(i) for all i below `parts`, each in a separate thread, and waits for all of them. If a call throws, for
/// example std::bad_alloc, the exception is rethrown in the caller's thread.
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
      } catch (const std::system_error&) {  // no further thread can be created
        run(i);
      }
    }
    run(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception != nullptr) std::rethrow_exception(exception);
  }
}

/// Calls make(i, &made) for each portion i in several threads, and take(made) for each portion in the order of i, one
/// call at a time. A thread that has made the next portion in order takes this portion, and then the portions after it
/// that are already made. A thread waits only if it is several portions ahead of the next portion to take. `Made`
/// objects are reused for later portions, together with their memory.
template <typename Made, typename Make, typename Take>
void InParallelOrdered(std::size_t threads, std::size_t portions, const Make& make, const Take& take) {
  if (std::min(threads, portions) <= 1) {
    Made made;
    for (std::size_t i = 0; i < portions; ++i) {
      make(i, &made);
      take(made);
    }
    return;
  }
  struct Slot {
    Made made;
    bool is_made = false;
  };
  std::vector<Slot> slots(std::min(4 * threads, portions));  // portion i uses slot i % size
  std::mutex mutex;                                          // guards the variables below, and is_made
  std::condition_variable changed;
  std::size_t next = 0;
  std::size_t taken = 0;
  bool is_taking = false;
  bool is_over = false;  // a call has thrown an exception

  const auto make_all = [&](std::unique_lock<std::mutex>& lock) {
    while (next < portions && !is_over) {
      const std::size_t i = next++;
      Slot& slot = slots[i % slots.size()];
      changed.wait(lock, [&] { return i < taken + slots.size() || is_over; });
      if (is_over) return;
      lock.unlock();
      make(i, &slot.made);
      lock.lock();
      slot.is_made = true;
      if (std::exchange(is_taking, true)) continue;
      while (taken < portions && slots[taken % slots.size()].is_made) {
        lock.unlock();
        take(slots[taken % slots.size()].made);  // while is_taking is set, only this thread changes `taken`
        lock.lock();
        slots[taken++ % slots.size()].is_made = false;
        changed.notify_all();
      }
      is_taking = false;
    }
  };
  InParallel(std::min(threads, portions), [&](std::size_t) {
    std::unique_lock lock(mutex);
    try {
      make_all(lock);
    } catch (...) {
      if (!lock) lock.lock();
      is_over = true;
      changed.notify_all();
      throw;
    }
  });
}

}  // namespace onnxc
