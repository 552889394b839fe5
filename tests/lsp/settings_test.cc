// Errors in a file `.onnxc.toml` are shown at their places, or as a message.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lsp/server.h"
#include "lsp/uri.h"
#include "testing/folder.h"

namespace onnxc::lsp::settings_test {
namespace {

/// A session with one document in a folder.
class SettingsSession : public ::testing::Test {
 protected:
  SettingsSession() : server_([this](const Json& message) { sent_.push_back(message); }) {
    Send({{"id", 0}, {"method", "initialize"}, {"params", {{"capabilities", Json::object()}}}});
    sent_.clear();
  }

  [[nodiscard]] std::string Uri(const std::string& name) const { return UriOf(folder_.Path(name)); }

  void Open(const std::string& name) {
    Send({{"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", Uri(name)}, {"version", 1}, {"text", "g () => () {}"}}}}}});
  }
  void Close(const std::string& name) {
    Send({{"method", "textDocument/didClose"}, {"params", {{"textDocument", {{"uri", Uri(name)}}}}}});
  }
  void Save() { Send({{"method", "workspace/didChangeWatchedFiles"}, {"params", {{"changes", Json::array()}}}}); }

  /// Returns the diagnostics of the settings file, and the messages to the user, that the server sent since the last
  /// call.
  std::vector<Json> Told() {
    std::vector<Json> told;
    for (const Json& message : sent_) {
      const Json& params = message["params"];
      if (message["method"] == "window/showMessage") told.push_back(params["message"]);
      if (params.value("uri", "") == Uri(".onnxc.toml")) told.push_back(params["diagnostics"]);
    }
    sent_.clear();
    return told;
  }

  void Send(Json message) {
    message["jsonrpc"] = "2.0";
    server_.Handle(message);
    server_.PublishPending();
  }

  testing::Folder folder_;
  std::vector<Json> sent_;
  Server server_;
};

TEST_F(SettingsSession, AMistakeIsShownAtItsPlaceUntilItIsGone) {
  folder_.Write(".onnxc.toml", "[warnings]\nunused-initialiser = \"off\"\n");
  Open("a.onnxtxt");
  std::vector<Json> told = Told();
  ASSERT_EQ(told.size(), 1);
  ASSERT_EQ(told[0].size(), 1);
  EXPECT_EQ(told[0][0]["range"]["start"], (Json{{"line", 1}, {"character", 0}}));
  EXPECT_EQ(told[0][0]["message"],
            "cannot read: unknown kind of finding 'unused-initialiser'; did you mean 'unused-initializer'?");
  Open("b.onnxtxt");
  Save();
  EXPECT_EQ(Told().size(), 0) << "it was told before";
  folder_.Write(".onnxc.toml", "[warnings]\nunused-initializer = \"off\"\n");
  Save();
  EXPECT_EQ(Told(), std::vector<Json>{Json::array()});
  Save();
  EXPECT_EQ(Told().size(), 0);
}

TEST_F(SettingsSession, AMistakeIsTakenBackWithTheLastDocument) {
  folder_.Write(".onnxc.toml", "[warnings");
  Open("a.onnxtxt");
  Open("b.onnxtxt");
  EXPECT_EQ(Told().size(), 1);
  Close("a.onnxtxt");
  EXPECT_EQ(Told().size(), 0);
  Close("b.onnxtxt");
  EXPECT_EQ(Told(), std::vector<Json>{Json::array()});
}

TEST_F(SettingsSession, AFileThatCannotBeReadIsToldOnce) {
  std::filesystem::create_directory(folder_.Path(".onnxc.toml"));
  Open("a.onnxtxt");
  const std::vector<Json> told = Told();
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(told[0][0]["message"], "cannot read: Is a directory");
  EXPECT_EQ(told[1], folder_.Path(".onnxc.toml") + ": cannot read: Is a directory");
  Save();
  EXPECT_EQ(Told().size(), 0);
  folder_.Remove(".onnxc.toml");
  Save();
  EXPECT_EQ(Told(), std::vector<Json>{Json::array()});
}

}  // namespace
}  // namespace onnxc::lsp::settings_test
