// The language server as a process, over pipes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/folder.h"
#include "testing/paths.h"

namespace onnxc {
namespace {

std::string Framed(const std::string& message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
}

TEST(LspCommand, SpeaksOverStandardInputAndOutput) {
  const testing::Folder folder;
  std::ofstream(folder.path() / "in", std::ios::binary)
      << Framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})")
      << Framed(R"({"jsonrpc":"2.0","method":"initialized","params":{}})") << "rubbish\n"
      << Framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})") << Framed(R"({"jsonrpc":"2.0","method":"exit"})");
  const std::string call = "cat " + (folder.path() / "in").string() + " | " + testing::kCommand + " lsp --stdio > " +
                           (folder.path() / "out").string();
  const int status = std::system(call.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const std::string out = testing::ReadWhole(folder.path() / "out");
  EXPECT_THAT(out, ::testing::HasSubstr("\"hoverProvider\":true"));
  EXPECT_THAT(out, ::testing::HasSubstr("the input is not a message header"));
  EXPECT_TRUE(out.ends_with(Framed(R"({"id":2,"jsonrpc":"2.0","result":null})"))) << out;
}

TEST(LspCommand, TellsByItsStatusThatTheSessionWasCut) {
  const int status = std::system((std::string(testing::kCommand) + " lsp < /dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

}  // namespace
}  // namespace onnxc
