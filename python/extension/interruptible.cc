#include "interruptible.h"

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace onnxc::python {
namespace {

/// The threads whose calls were interrupted. The process must not end before these threads, because they use the tables
/// of the library.
class AbandonedThreads {
 public:
  void Add(std::thread thread) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(std::move(thread));
  }
  void JoinAll() {
    const std::lock_guard lock(mutex_);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

/// Returns the threads. The object is never destroyed, because threads may still run if an interpreter ends without its
/// exit functions.
AbandonedThreads& Abandoned() {
  static AbandonedThreads* const threads = new AbandonedThreads();
  return *threads;
}

/// The data that the thread of a call shares with the caller.
struct Job {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  bool is_abandoned = false;
  Answer answer;
  std::exception_ptr error;
};

void Work(Job& job, const std::function<Answer()>& work, PyObject* arguments) {
  Answer answer;
  std::exception_ptr error;
  try {
    answer = work();
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(job.mutex);
  job.answer = std::move(answer);
  job.error = error;
  job.is_done = true;
  job.changed.notify_all();
  if (!job.is_abandoned) return;
  // Only a thread that holds Python's lock may release the arguments.
  (void)Py_AddPendingCall(
      [](void* object) {
        Py_DECREF(static_cast<PyObject*>(object));
        return 0;
      },
      arguments);
}

}  // namespace

std::optional<Answer> RunInterruptibly(std::function<Answer()> work, PyObject* arguments) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  const auto job = std::make_shared<Job>();
  Py_INCREF(arguments);
  std::thread thread([job, work = std::move(work), arguments] { Work(*job, work, arguments); });
  for (;;) {
    PyThreadState* const state = PyEval_SaveThread();
    std::unique_lock lock(job->mutex);
    job->changed.wait_for(lock, kPause, [&] { return job->is_done; });
    const bool is_done = job->is_done;
    lock.unlock();
    PyEval_RestoreThread(state);
    if (is_done) break;
    if (PyErr_CheckSignals() == 0) continue;
    lock.lock();
    job->is_abandoned = !job->is_done;
    lock.unlock();
    if (!job->is_abandoned) Py_DECREF(arguments);
    Abandoned().Add(std::move(thread));
    return std::nullopt;
  }
  thread.join();
  Py_DECREF(arguments);
  if (job->error) std::rethrow_exception(job->error);
  return std::move(job->answer);
}

void JoinInterrupted() {
  PyThreadState* const state = PyEval_SaveThread();
  Abandoned().JoinAll();
  PyEval_RestoreThread(state);
}

}  // namespace onnxc::python
