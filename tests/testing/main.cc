// The main function of the unit tests. If a test crashes or throws, it shows which one, with the messages of the
// SCOPED_TRACE around the place, and the last seed: without them, nobody could repeat a random test.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "testing/random_values.h"

namespace onnxc::testing {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// Shows what happened, as a failure of the current test. The process is about to end, and its memory may be damaged:
/// if this takes longer than some seconds, the alarm ends it.
void Show(std::string_view what) {
  for (const int number : kSignals) std::signal(number, SIG_DFL);
  ::alarm(10);
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return;
  const std::string parameter = test->value_param() == nullptr ? "" : fmt::format(" of {}", test->value_param());
  ADD_FAILURE() << test->test_suite_name() << "." << test->name() << parameter << " ended by " << what
                << "; the last seed of random values was " << LastSeed();
}

void OnSignal(int number) {
  Show(fmt::format("signal {}", number));
  std::raise(number);
}

[[noreturn]] void OnTerminate() {
  std::string what = "std::terminate()";
  try {
    if (std::current_exception() != nullptr) std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    what = fmt::format("an exception: {}", error.what());
  } catch (...) {
    what = "an exception of an unknown type";
  }
  Show(what);
  std::abort();
}

void ShowCrashes() {
  static std::array<std::byte, std::size_t{1} << 18> stack;  // a test may have used up its own
  const stack_t other = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  if (::sigaltstack(&other, nullptr) != 0) return;
  for (const int number : kSignals) {
    struct sigaction action = {};
    (void)::sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // a sanitizer shows more
    action.sa_handler = &OnSignal;
    action.sa_flags = SA_ONSTACK;
    (void)::sigaction(number, &action, nullptr);
  }
  std::set_terminate(&OnTerminate);
  // GoogleTest would catch exceptions after the traces are gone.
  GTEST_FLAG_SET(catch_exceptions, false);
}

}  // namespace
}  // namespace onnxc::testing

int main(int count, char** arguments) {
  ::testing::InitGoogleMock(&count, arguments);
  onnxc::testing::ShowCrashes();
  return RUN_ALL_TESTS();
}
