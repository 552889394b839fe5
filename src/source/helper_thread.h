// Threads that start without delay.
#pragma once

#include <pthread.h>

#include <functional>
#include <utility>

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
  void Join() {
    if (!std::exchange(is_joined_, true)) (void)::pthread_join(thread_, nullptr);
  }

 private:
  pthread_t thread_{};
  bool is_joined_ = false;
};

}  // namespace onnxc
