#include "platform/signals.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace onnxc {
namespace {

/// The number of a thread's SignalsWait objects, and the signals that were blocked before the first of them was
/// created. Only the number is stored, because the objects may be destroyed in any order: the file that was begun first
/// may be finished first.
struct Waiting {
  int count = 0;
  sigset_t before = {};
};
thread_local Waiting waiting;

constexpr int kEnding = -1;

// Number of SignalsWait objects; kEnding if the process is ending and no new one may begin.
std::atomic<int> waiting_files{0};
std::atomic<int> arrived{0};  // the last signal that had to wait; 0 if there was none
static_assert(std::atomic<int>::is_always_lock_free, "a handler of signals uses them");

/// Ends the process as the signal would have done, unless there is a SignalsWait. The signal handler calls it, too.
void EndUnlessWaiting(int signal) {
  int none = 0;
  if (!waiting_files.compare_exchange_strong(none, kEnding)) return;
  (void)std::signal(signal, SIG_DFL);
  sigset_t only;
  (void)::sigemptyset(&only);
  (void)::sigaddset(&only, signal);
  (void)::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  (void)std::raise(signal);
}

/// Counts a new SignalsWait. After a signal has arrived, a thread without a SignalsWait must not begin one, so that the
/// process ends when the files that are being written are finished.
void BeginToWait(bool is_first_of_thread) {
  int count = waiting_files.load();
  do {
    while (count == kEnding || (count > 0 && is_first_of_thread && arrived != 0))
      (void)::pause();  // the process is ending
  } while (!waiting_files.compare_exchange_weak(count, count + 1));
}

void EndToWait() {
  const bool was_last = waiting_files.fetch_sub(1) == 1;
  if (const int signal = arrived; was_last && signal != 0) EndUnlessWaiting(signal);
}

void OnEndingSignal(int signal) {
  const int error = errno;
  arrived = signal;  // set first, because the last waiting thread reads it when it has finished
  EndUnlessWaiting(signal);
  errno = error;
}

}  // namespace

SignalsWait::SignalsWait() {
  if (waiting.count++ == 0) {
    sigset_t all;
    (void)::sigfillset(&all);
    (void)::pthread_sigmask(SIG_BLOCK, &all, &waiting.before);
  }
  BeginToWait(waiting.count == 1);
}

SignalsWait::~SignalsWait() {
  EndToWait();
  if (--waiting.count == 0) (void)::pthread_sigmask(SIG_SETMASK, &waiting.before, nullptr);
}

void MakeSignalsWait() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU}) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = &OnEndingSignal;
    action.sa_flags = SA_RESTART;
    (void)::sigfillset(&action.sa_mask);
    (void)::sigaction(signal, &action, nullptr);
  }
}

}  // namespace onnxc
