// A signal waits until no thread has a SignalsWait. Each case ends a separate process.
#include "platform/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <thread>

namespace onnxc {
namespace {

using std::chrono::milliseconds;

/// Sends the signal while another thread has a SignalsWait. That thread ends only after this one has continued.
void EndWhileAThreadWaits(int signal) {
  (void)std::signal(signal, SIG_DFL);  // a shell ignores SIGINT for a program in the background, and nohup SIGHUP
  MakeSignalsWait();
  std::promise<void> waits;
  std::promise<void> continued;
  std::thread thread([&] {
    const SignalsWait outer;
    const SignalsWait inner;
    waits.set_value();
    continued.get_future().wait();
    (void)std::fputs("done\n", stderr);
  });
  waits.get_future().wait();
  (void)::kill(::getpid(), signal);  // this thread has received the signal when the call returns
  (void)std::fputs("not yet, ", stderr);
  continued.set_value();
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
