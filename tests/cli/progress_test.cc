// The line that shows the progress of a long run: it is shown only if standard error is a terminal, and is removed at
// the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <thread>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

using std::chrono::milliseconds;

/// Returns the output of a shell command on a terminal. `seen`, if any, is called with the output so far. If
/// `before_pause` is set, the command is stopped after this time, for longer than the delay before progress is shown.
std::string OnTerminal(const std::string& command, std::optional<milliseconds> before_pause, int exit_status = 0,
                       const std::function<void(const std::string&)>& seen = nullptr) {
  winsize size = {.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) {  // a signal to process -1 would be sent to all processes
    ADD_FAILURE() << "there are no terminals here: is /dev/pts mounted?";
    return {};
  }
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    ::execl("/bin/sh", "sh", "-c", (std::string("exec ") + testing::kCommand + " " + command).c_str(), nullptr);
    ::_exit(127);
  }
  std::thread pause([&] {
    if (!before_pause) return;
    std::this_thread::sleep_for(*before_pause);
    ::kill(child, SIGSTOP);
    std::this_thread::sleep_for(milliseconds(2100));
    ::kill(child, SIGCONT);
  });
  std::string output;
  char bytes[4096];
  for (ssize_t count; (count = ::read(terminal, bytes, sizeof bytes)) > 0;) {
    output.append(bytes, static_cast<std::size_t>(count));
    if (seen) seen(output);
  }
  pause.join();
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == exit_status) << command << "\n" << output;
  return output;
}

class ProgressTest : public ::testing::Test {
 protected:
  /// Returns a model with this number of nodes.
  [[nodiscard]] std::string Text(int nodes) const {
    const std::string path = folder_.Path("a model.onnxtxt");
    std::ofstream file(path);
    file << "<ir_version: 8, opset_import: [\"\": 17]>\ng (float[N] x) => (float[N] y) {\n";
    for (int i = 0; i < nodes; ++i) file << "  _y" << i << " = Relu (x)\n";
    file << "  y = Relu (x)\n}\n";
    return path;
  }
  [[nodiscard]] std::string Pipe(const std::string& name) const {
    const std::string path = folder_.Path("pipe" + name);
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  testing::Folder folder_;
};

TEST_F(ProgressTest, TellsThePercentOfAText) {
  static const std::regex kLine("\\r\x1b\\[Konnxc: [^\\r\\n]+ [0-9]{1,3}%");
  std::string output;
  // How long parsing takes depends on the machine, so larger texts are tried until the command is stopped while it
  // parses.
  for (int nodes = 50'000; nodes < 4'000'000 && !std::regex_search(output, kLine); nodes *= 2) {
    output = OnTerminal("print '" + Text(nodes) + "' -o /dev/null", milliseconds(40));
  }
  EXPECT_TRUE(std::regex_search(output, kLine)) << output;
  EXPECT_TRUE(output.ends_with("\r\x1b[K")) << output;  // the line was removed
}

TEST_F(ProgressTest, TellsTheFile) {
  static constexpr std::string_view kLine = "\r\x1b[Konnxc: file 2 of 2: /";
  const std::string text = Text(1);
  // The second input is a pipe, whose writer waits until the progress is shown. If it must not be shown, the writer
  // waits longer than the delay.
  const auto run = [&](const std::string& options, const std::string& rest, milliseconds wait) {
    const std::string pipe = Pipe(options + rest);
    std::atomic<bool> is_shown = false;
    std::thread writer([&] {
      std::ofstream file(pipe);
      const auto end = std::chrono::steady_clock::now() + wait;
      while (!is_shown && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(milliseconds(20));
      file << "<ir_version: 8, opset_import: [\"\": 17]> g (float x) => (float y) { y = Relu (x) }";
    });
    std::string output =
        OnTerminal("check " + options + " '" + text + "' '" + pipe + "'" + rest, std::nullopt, 0,
                   [&](const std::string& so_far) { is_shown = so_far.find(kLine) != std::string::npos; });
    writer.join();
    return output;
  };
  EXPECT_NE(run("", "", milliseconds(60'000)).find(kLine), std::string::npos);
  const auto quietly = [&](const std::string& options, const std::string& rest) {
    return std::async(std::launch::async, run, options, rest, milliseconds(2600));
  };
  std::future<std::string> quiet[] = {quietly("-q", ""), quietly("--error-format json", ""),
                                      quietly("", " 2>&1 | cat")};
  for (std::future<std::string>& output : quiet)
    EXPECT_THAT(output.get(), ::testing::Not(::testing::HasSubstr("file 2 of 2")));
}

// The weights of a large model are not written to a terminal unless an option requests them.
TEST_F(ProgressTest, WeightsAreNotWritten) {
  const std::string path = folder_.Path("weights.onnxtxt");
  std::ofstream file(path);
  file << "<ir_version: 8, opset_import: [\"\": 17]>\ng (float[N, 600000] x) => (float[N, 600000] y) <float[600000] w "
          "= {7";
  for (int i = 1; i < 600'000; ++i) file << ", 7";
  file << "}> { y = Mul (x, w) }\n" << std::flush;
  const std::string output = OnTerminal("print " + path, std::nullopt);
  EXPECT_THAT(output, ::testing::HasSubstr(
                          "the weights of a large model are not shown on a terminal; --weights inline shows them"));
  EXPECT_NE(output.find("float[600000] w = [\"elided\": \"\"]"), std::string::npos) << output.substr(0, 1000);
  for (const char* command : {"set --dim N=3 @", "rename @ x=input", "extract --to y @", "infer @"}) {
    const std::string line = std::regex_replace(command, std::regex("@"), path);
    const std::string shown = OnTerminal(line, std::nullopt);
    EXPECT_THAT(shown,
                ::testing::HasSubstr("the weights of a large model are not shown on a terminal; -o FILE writes them"));
    EXPECT_NE(shown.find("float[600000] w = [\"elided\": \"\"]"), std::string::npos) << shown.substr(0, 1000);
    EXPECT_GT(OnTerminal(line + " | cat", std::nullopt).size(), std::size_t{1} << 20) << line;
  }
  EXPECT_NE(OnTerminal("rename " + path + " x=input", std::nullopt)
                .find("the comments of a large text are not shown on a terminal"),
            std::string::npos);
  EXPECT_GT(OnTerminal("print --weights inline " + path, std::nullopt).size(), std::size_t{1} << 20);
  EXPECT_GT(OnTerminal("print " + path + " | cat", std::nullopt).size(), std::size_t{1} << 20);
}

// Binary output is not written to a terminal.
TEST_F(ProgressTest, BinaryIsNotWritten) {
  const std::string text = "'" + Text(1) + "'";
  for (const std::string& command : {"compile " + text + " -o -", "convert " + text + " --to onnx"}) {
    const std::string output = OnTerminal(command, std::nullopt, 2);
    EXPECT_NE(output.find("error: binary output is not written to a terminal; use -o FILE or "), std::string::npos)
        << output;
  }
  EXPECT_EQ(OnTerminal("compile " + text + " -o - | wc -l", std::nullopt).find("error"), std::string::npos);
  EXPECT_NE(OnTerminal("convert " + text + " --to textproto", std::nullopt).find("op_type: \"Relu\""),
            std::string::npos);
}

}  // namespace
}  // namespace onnxc
