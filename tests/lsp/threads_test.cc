// The server as it runs for an editor: one thread reads, one answers, one pushes diagnostics.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "lsp/framing.h"
#include "lsp/run.h"

namespace onnxc::lsp {
namespace {

constexpr const char* kUri = "file:///nowhere/threads.onnxtxt";
// The edits are in line 2; the nodes behind it are taken over from the version before.
constexpr const char* kText =
    "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[N] x) => (float[N] y) {\n  y = Relu (x)\n"
    "  a = Relu (y)\n  b = Relu (a)\n  c = Relu (b)\n  d = Relu (c)\n  e = Relu (d)\n  f = Relu (e)\n}\n";

class Client {
 public:
  void Send(Json message) {
    message["jsonrpc"] = "2.0";
    std::ostringstream frame;
    WriteFrame(frame, message);
    bytes_ += frame.str();
  }
  void Notify(const char* method, Json params) { Send({{"method", method}, {"params", std::move(params)}}); }
  int Request(const char* method, Json params) {
    Send({{"id", ++id_}, {"method", method}, {"params", std::move(params)}});
    return id_;
  }

  std::vector<Json> Play(bool* ended_well) {
    std::istringstream in(bytes_);
    std::ostringstream out;
    *ended_well = Run(in, out, {.debounce = std::chrono::milliseconds(0)});
    std::istringstream sent(out.str());
    FrameReader reader(sent);
    std::vector<Json> messages;
    for (std::string content; reader.Next(&content) == FrameReader::Result::kMessage;) {
      messages.push_back(Json::parse(content));
    }
    return messages;
  }

 private:
  std::string bytes_;
  int id_ = 0;
};

TEST(ServerThreads, AnswerEachRequestAndNeverPushWhatIsStale) {
  Client client;
  client.Request("initialize", {{"capabilities", Json::object()}});
  client.Notify("textDocument/didOpen", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", kText}}}});
  constexpr int kChanges = 100;
  int requests = 1;
  for (int version = 1; version <= kChanges; ++version) {
    client.Notify("textDocument/didChange",
                  {{"textDocument", {{"uri", kUri}, {"version", version}}},
                   {"contentChanges",
                    {{{"range", {{"start", {{"line", 2}, {"character", 2}}}, {"end", {{"line", 2}, {"character", 2}}}}},
                      {"text", version % 2 == 0 ? "" : " "}}}}});
    const int id = client.Request("textDocument/hover",
                                  {{"textDocument", {{"uri", kUri}}}, {"position", {{"line", 2}, {"character", 10}}}});
    if (version % 3 == 0) client.Notify("$/cancelRequest", {{"id", id}});
    ++requests;
  }
  client.Request("shutdown", nullptr);
  client.Notify("exit", nullptr);
  bool ended_well = false;
  const std::vector<Json> messages = client.Play(&ended_well);
  EXPECT_TRUE(ended_well);
  int answers = 0;
  int last_version = -1;
  for (const Json& message : messages) {
    if (message.contains("id")) {
      EXPECT_EQ(message["id"], ++answers);
    } else if (message["method"] == "textDocument/publishDiagnostics") {
      EXPECT_GT(message["params"]["version"], last_version);
      last_version = message["params"]["version"];
    }
  }
  EXPECT_EQ(answers, requests + 1);
}

TEST(ServerThreads, EndWithTheInput) {
  Client client;
  client.Request("initialize", {{"capabilities", Json::object()}});
  bool ended_well = true;
  EXPECT_EQ(client.Play(&ended_well).size(), 1u);
  EXPECT_FALSE(ended_well);
}

}  // namespace
}  // namespace onnxc::lsp
