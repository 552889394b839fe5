// A signal waits until no thread has a SignalsWait. Each case ends a separate process.
#include "platform/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace onnxc {
namespace {

using std::chrono::milliseconds;

/// Sends the signal while another thread has a SignalsWait. The thread reports when it is done.
void EndWhileAThreadWaits(int signal) {
  MakeSignalsWait();
  std::atomic<bool> waits = false;
  std::thread thread([&] {
    const SignalsWait outer;
    const SignalsWait inner;
    waits = true;
    std::this_thread::sleep_for(milliseconds(100));
    (void)std::fputs("done\n", stderr);
  });
  while (!waits) std::this_thread::yield();
  (void)::kill(::getpid(), signal);
  std::this_thread::sleep_for(milliseconds(50));
  (void)std::fputs("not yet, ", stderr);
  thread.join();
  std::this_thread::sleep_for(milliseconds(5000));
}

TEST(SignalsDeathTest, WaitForOtherThreads) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    EXPECT_EXIT(EndWhileAThreadWaits(signal), ::testing::KilledBySignal(signal), "not yet, done") << signal;
  }
}

TEST(SignalsDeathTest, EndAtOnceWhereNobodyWaits) {
  const auto end = [](bool has_waited) {
    MakeSignalsWait();
    if (has_waited) const SignalsWait wait;
    (void)::kill(::getpid(), SIGTERM);
    std::this_thread::sleep_for(milliseconds(5000));
  };
  EXPECT_EXIT(end(false), ::testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(end(true), ::testing::KilledBySignal(SIGTERM), "");
}

TEST(SignalsDeathTest, StayIgnored) {
  const auto end = [] {
    (void)std::signal(SIGHUP, SIG_IGN);
    MakeSignalsWait();
    (void)::kill(::getpid(), SIGHUP);
    ::_exit(3);
  };
  EXPECT_EXIT(end(), ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace onnxc
