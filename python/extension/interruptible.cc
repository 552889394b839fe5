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

namespace onnxc::python {
namespace {

/// The threads whose calls were interrupted. The process must not end before them: they use the library's tables.
class Abandoned {
 public:
  void Add() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void Remove() {
    const std::lock_guard lock(mutex_);
    --count_;
    changed_.notify_all();
  }
  void WaitForAll() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// Never destroyed: a thread may end later than main().
Abandoned& AbandonedThreads() {
  static Abandoned* const threads = [] {
    (void)Py_AtExit([] { AbandonedThreads().WaitForAll(); });
    return new Abandoned();
  }();
  return *threads;
}

/// What the thread of a call and its caller share.
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
  // Only a thread that has Python's lock may give the arguments back.
  (void)Py_AddPendingCall(
      [](void* object) {
        Py_DECREF(static_cast<PyObject*>(object));
        return 0;
      },
      arguments);
  AbandonedThreads().Remove();
}

}  // namespace

std::optional<Answer> RunInterruptibly(std::function<Answer()> work, PyObject* arguments) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  const auto job = std::make_shared<Job>();
  Py_INCREF(arguments);
  std::thread([job, work = std::move(work), arguments] { Work(*job, work, arguments); }).detach();
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
    if (!job->is_done) {
      job->is_abandoned = true;
      AbandonedThreads().Add();
      return std::nullopt;
    }
    lock.unlock();
    Py_DECREF(arguments);
    return std::nullopt;
  }
  Py_DECREF(arguments);
  if (job->error) std::rethrow_exception(job->error);
  return std::move(job->answer);
}

}  // namespace onnxc::python
