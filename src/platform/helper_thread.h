// Threads that start without delay.
#pragma once

#include <functional>
#include <thread>

namespace onnxc {

/// A thread that must be joined. If there is another CPU, the thread starts there. Without this, the kernel might queue
/// the thread on the CPU of its creator and move it only at a later timer tick. Such a delay can be longer than the
/// work of the thread.
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
