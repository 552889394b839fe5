#include "platform/helper_thread.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <deque>
#include <thread>

#include "source/parallel.h"

namespace onnxc {
namespace {

TEST(HelperThread, IsWaitedFor) {
  std::atomic<int> done = 0;
  {
    std::deque<HelperThread> threads;
    for (int i = 0; i < 20; ++i) threads.emplace_back([&] { ++done; });
    threads.front().Join();
    threads.front().Join();
    EXPECT_GE(done, 1);
  }
  EXPECT_EQ(done, 20);
}

/// The processors on which the calling thread may run.
cpu_set_t Allowed() {
  cpu_set_t allowed = {};
  EXPECT_EQ(::sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  return allowed;
}

// The thread begins on this processor, but may be moved to another one later.
TEST(HelperThread, MayRunWhereItsMakerMay) {
  const cpu_set_t expected = Allowed();
  cpu_set_t found = {};
  HelperThread([&] { found = Allowed(); }).Join();
  EXPECT_TRUE(CPU_EQUAL(&found, &expected));
  const cpu_set_t after = Allowed();
  EXPECT_TRUE(CPU_EQUAL(&after, &expected));
}

TEST(HelperThread, NeedsNoOtherProcessor) {
  std::thread([] {
    const int here = ::sched_getcpu();
    ASSERT_GE(here, 0);
    cpu_set_t only = {};
    CPU_SET(static_cast<unsigned>(here), &only);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(only), &only), 0);
    std::atomic<int> done = 0;
    InParallel(3, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 3);
  }).join();
}

}  // namespace
}  // namespace onnxc
