// The server as a process: it ends when its client ends, and continues after a wrong length.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <string>
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
