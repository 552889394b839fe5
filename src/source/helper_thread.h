// Threads that begin at once.
#pragma once

#include <pthread.h>

#include <functional>
#include <utility>

namespace onnxc {

/// A thread that is waited for. It begins on another processor than its maker's, where there is one: a kernel may put
/// it behind its maker and move it only at some later tick, and that takes longer than most of what it is to do.
class HelperThread {
 public:
  /// `work` must not throw. Throws std::system_error where no thread is to be had.
  explicit HelperThread(std::function<void()> work);
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;
  ~HelperThread() { Join(); }

  /// Waits for its end; may be called again.
  void Join() {
    if (!std::exchange(is_joined_, true)) (void)::pthread_join(thread_, nullptr);
  }

 private:
  pthread_t thread_{};
  bool is_joined_ = false;
};

}  // namespace onnxc
