// The server as a process: it ends when its client ends, and continues after a wrong length.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lsp/framing.h"
#include "lsp/run.h"
#include "lsp/server.h"
#include "testing/paths.h"

namespace onnxc::lsp::process_test {
namespace {

std::string FrameOf(const Json& message) {
  std::ostringstream frame;
  WriteFrame(frame, message);
  return frame.str();
}

/// The process id of a process that has ended.
pid_t EndedProcess() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST(ServerProcess, EndsWhenTheClientsProcessHasEnded) {
  if (*testing::kCommand == '\0') GTEST_SKIP() << "there is no command";
  int input[2];
  ASSERT_EQ(pipe(input), 0);
  const pid_t server = fork();
  if (server == 0) {
    dup2(input[0], STDIN_FILENO);
    close(STDOUT_FILENO);
    execl(testing::kCommand, "onnxc", "lsp", nullptr);
    _exit(127);
  }
  const std::string begin =
      FrameOf({{"id", 1}, {"method", "initialize"}, {"params", {{"processId", EndedProcess()}, {"capabilities", {}}}}});
  ASSERT_EQ(write(input[1], begin.data(), begin.size()), static_cast<ssize_t>(begin.size()));
  int status = -1;
  pid_t ended = 0;
  for (int i = 0; i < 300 && ended == 0; ++i) {  // half a minute; the input stays open
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ended = waitpid(server, &status, WNOHANG);
  }
  if (ended == 0) kill(server, SIGKILL);
  EXPECT_EQ(ended, server);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  close(input[0]);
  close(input[1]);
}

/// The memory of a process, in bytes.
std::size_t MemoryOf(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/statm");
  std::size_t pages = 0;
  in >> pages >> pages;  // the second number is the resident memory
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Starts `onnxc lsp`. `*streams` are its input and its output.
pid_t StartServer(std::array<std::FILE*, 2>* streams) {
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) return -1;
  const pid_t server = fork();
  if (server == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execl(testing::kCommand, "onnxc", "lsp", nullptr);
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  *streams = {fdopen(input[1], "w"), fdopen(output[0], "r")};
  return server;
}

TEST(ServerProcess, ReturnsTheMemoryOfAClosedDocument) {
  if (testing::kFaults[0] == 0) GTEST_SKIP() << "SKIPPED: sanitizers have an allocator of their own";
  if (*testing::kCommand == '\0') GTEST_SKIP() << "there is no command";
  std::array<std::FILE*, 2> streams{};
  const pid_t server = StartServer(&streams);
  std::string text = "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[N] v0) => (float[N] v60000) {\n";
  for (int i = 0; i < 60'000; ++i) text += fmt::format("   v{} = Add (v{}, v{})\n", i + 1, i, i / 2);
  const auto send = [&](const Json& message) {
    const std::string frame = FrameOf(message);
    ASSERT_EQ(std::fwrite(frame.data(), 1, frame.size(), streams[0]), frame.size());
    ASSERT_EQ(std::fflush(streams[0]), 0);
  };
  const auto is_told = [&](std::string_view what) {  // reads the server's messages up to one that contains `what`
    std::string read;
    for (int c = 0; read.find(what) == std::string::npos && (c = std::getc(streams[1])) != EOF;) {
      read += static_cast<char>(c);
    }
    return read.ends_with(what);
  };
  send({{"id", 1}, {"method", "initialize"}, {"params", {{"processId", getpid()}, {"capabilities", Json::object()}}}});
  ASSERT_TRUE(is_told("serverInfo"));
  const std::size_t before = MemoryOf(server);
  std::size_t most = before;
  std::size_t after = 0;
  for (int i = 0; i < 3; ++i) {
    const Json document = {{"uri", "file:///nowhere/large.onnxtxt"}, {"version", 1}, {"text", text + "}\n"}};
    send({{"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}});
    ASSERT_TRUE(is_told("publishDiagnostics"));
    send({{"id", 2},
          {"method", "textDocument/inlayHint"},
          {"params",
           {{"textDocument", document},
            {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}}}}}});
    ASSERT_TRUE(is_told("\"id\":2"));
    most = std::max(most, MemoryOf(server));
    send({{"method", "textDocument/didClose"}, {"params", {{"textDocument", document}}}});
    for (int j = 0; j < 100 && (j == 0 || after > before + (most - before) / 4); ++j) {  // ten seconds
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      after = MemoryOf(server);
    }
  }
  EXPECT_GT(most - before, 40u << 20) << "the test needs a document that uses much memory";
  EXPECT_LT(after, before + (most - before) / 4) << before << " " << most;
  std::fclose(streams[0]);
  std::fclose(streams[1]);
  waitpid(server, nullptr, 0);
}

/// Returns the ids of the answers to these bytes.
std::vector<Json> AnswersTo(const std::string& bytes) {
  std::istringstream in(bytes);
  std::ostringstream out;
  (void)Run(in, out, {.threads = false});
  std::istringstream sent(out.str());
  FrameReader reader(sent);
  std::vector<Json> ids;
  for (std::string content; reader.Next(&content) == FrameReader::Result::kMessage;) {
    ids.push_back(Json::parse(content)["id"]);
  }
  return ids;
}

TEST(ServerProcess, AnswersBehindAWrongLength) {
  const std::string begin = FrameOf({{"id", 1}, {"method", "initialize"}, {"params", {{"capabilities", {}}}}});
  const std::string wrong = R"({"id": 2, "method": "textDocument/hover", "params": {}})";
  const std::string end = FrameOf({{"id", 3}, {"method", "shutdown"}});
  for (const int difference : {-30, -1, 1, 5, 17, 30}) {
    const int length = static_cast<int>(wrong.size()) + difference;
    const std::string head = "Content-Length: " + std::to_string(length) + "\r\n\r\n";
    const std::vector<Json> ids = AnswersTo(begin + head + wrong + end);
    ASSERT_FALSE(ids.empty());
    EXPECT_EQ(ids.back(), 3) << difference;
  }
}

TEST(ServerProgress, IsShownWhileALargeTextIsReadForTheFirstTime) {
  std::vector<Json> sent;
  Server server([&](const Json& message) { sent.push_back(message); });
  server.Handle({{"id", 1},
                 {"method", "initialize"},
                 {"params", {{"capabilities", {{"window", {{"workDoneProgress", true}}}}}}}});
  const auto kinds_of = [&](const std::string& uri, const std::string& text) {
    sent.clear();
    server.Handle({{"method", "textDocument/didOpen"},
                   {"params", {{"textDocument", {{"uri", uri}, {"version", 0}, {"text", text}}}}}});
    server.PublishPending();
    std::vector<std::string> kinds;
    for (const Json& message : sent) {
      const std::string method = message.value("method", "");
      kinds.push_back(method == "$/progress" ? message["params"]["value"]["kind"].get<std::string>() : method);
    }
    return kinds;
  };
  const std::string text = "<ir_version: 10, opset_import: [\"\" : 21]>\ng () => () {}\n";
  using Kinds = std::vector<std::string>;
  EXPECT_EQ(kinds_of("file:///small", text), (Kinds{"textDocument/publishDiagnostics"}));
  EXPECT_EQ(kinds_of("file:///large", text + "#" + std::string(2 << 20, ' ') + "\n"),
            (Kinds{"window/workDoneProgress/create", "begin", "textDocument/publishDiagnostics", "end"}));
}

}  // namespace
}  // namespace onnxc::lsp::process_test
