#include "platform/helper_thread.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace onnxc {
namespace {

/// The arguments of a new thread.
struct Start {
  std::function<void()> work;
#ifdef __GLIBC__
  cpu_set_t allowed = {};  // the CPUs to which the thread may move later; empty if it started on any CPU
#endif
};

#ifdef __GLIBC__
int CreateElsewhere(pthread_t* thread, void* (*run)(void*), Start* start) {
  cpu_set_t others = {};
  const int here = ::sched_getcpu();
  if (here < 0 || ::sched_getaffinity(0, sizeof(others), &others) != 0) return errno;
  const cpu_set_t allowed = others;
  CPU_CLR(static_cast<unsigned>(here), &others);
  if (CPU_COUNT(&others) == 0) return ENOTSUP;
  start->allowed = allowed;
  pthread_attr_t attributes;
  int error = ::pthread_attr_init(&attributes);
  if (error != 0) return error;
  error = ::pthread_attr_setaffinity_np(&attributes, sizeof(others), &others);
  if (error == 0) error = ::pthread_create(thread, &attributes, run, start);
  (void)::pthread_attr_destroy(&attributes);
  if (error != 0) CPU_ZERO(&start->allowed);
  return error;
}
#else
int CreateElsewhere(pthread_t*, void* (*)(void*), Start*) { return ENOTSUP; }
#endif

void* Run(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
#ifdef __GLIBC__
  if (CPU_COUNT(&start->allowed) > 0) (void)::sched_setaffinity(0, sizeof(start->allowed), &start->allowed);
#endif
  start->work();
  return nullptr;
}

}  // namespace

HelperThread::HelperThread(std::function<void()> work) {
  auto start = std::make_unique<Start>();
  start->work = std::move(work);
  int error = CreateElsewhere(&thread_, &Run, start.get());
  if (error != 0) error = ::pthread_create(&thread_, nullptr, &Run, start.get());  // there may be no other CPU
  if (error != 0) throw std::system_error(error, std::generic_category());
  (void)start.release();  // NOLINT(bugprone-unused-return-value): the thread has it
}

void HelperThread::Join() {
  if (!std::exchange(is_joined_, true)) (void)::pthread_join(thread_, nullptr);
}

bool HasThreads() { return true; }

unsigned CoreCount() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace onnxc
