// Threads that start without delay.
#pragma once

#include <functional>
#include <thread>

namespace onnxc {

/// A thread that is joined. It starts on a different CPU than its creator if there is one: the kernel may queue it
/// behind its creator and migrate it only at a later tick, which takes longer than most of its work.
class HelperThread {
 public:
  /// `work` must not throw. Throws std::system_error if no thread can be created.
  explicit HelperThread(std::function<void()> work);
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;
  ~HelperThread() { Join(); }

  /// Waits until the thread has ended. May be called several times.
  void Join();

 private:
  [[maybe_unused]] std::thread::native_handle_type thread_{};
  [[maybe_unused]] bool is_joined_ = false;
};

/// Returns whether the platform has threads.
[[nodiscard]] bool HasThreads();

/// Returns the number of threads that can run at the same time.
[[nodiscard]] unsigned CoreCount();

}  // namespace onnxc
