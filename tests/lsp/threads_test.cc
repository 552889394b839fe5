// The server with its threads: one thread reads, one changes documents, some answer requests, and one pushes
// diagnostics.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lsp/framing.h"
#include "lsp/run.h"

namespace onnxc::lsp::threads_test {
namespace {

constexpr const char* kUri = "file:///nowhere/threads.onnxtxt";
constexpr const char* kText =
    "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[N] x) => (float[N] y) {\n  y = Relu (x)\n"
    "  a = Relu (y)\n  b = Relu (a)\n  c = Relu (b)\n  d = Relu (c)\n  e = Relu (d)\n  f = Relu (e)\n}\n";

constexpr int kCancelled = static_cast<int>(ErrorCode::kRequestCancelled);

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
    if (version % 10 != 0) continue;
    for (const char* const method : {"textDocument/documentSymbol", "textDocument/semanticTokens/full"}) {
      client.Request(method, {{"textDocument", {{"uri", kUri}}}});
      ++requests;
    }
  }
  client.Request("shutdown", nullptr);
  client.Notify("exit", nullptr);
  bool ended_well = false;
  const std::vector<Json> messages = client.Play(&ended_well);
  EXPECT_TRUE(ended_well);
  std::set<int> answers;
  int last_version = -1;
  for (const Json& message : messages) {
    if (message.contains("id")) {
      const int id = message["id"];
      EXPECT_TRUE(answers.insert(id).second);
      // A change does not turn the answer to an earlier request into an error.
      EXPECT_TRUE(!message.contains("error") || message["error"]["code"] == kCancelled) << message.dump();
    } else if (message["method"] == "textDocument/publishDiagnostics") {
      EXPECT_GT(message["params"]["version"], last_version);
      last_version = message["params"]["version"];
    }
  }
  EXPECT_EQ(answers.size(), static_cast<std::size_t>(requests) + 1);
  EXPECT_EQ(messages.back()["id"], requests + 1);  // the answer to `shutdown`
}

// Each request is answered for the document between the changes before and after the request, however late it is
// answered.
TEST(ServerThreads, AnswerForTheTextOfTheRequest) {
  Client client;
  client.Request("initialize", {{"capabilities", Json::object()}});
  client.Notify("textDocument/didOpen", {{"textDocument", {{"uri", kUri}, {"version", 0}, {"text", kText}}}});
  std::map<int, std::size_t> nodes;  // by request
  for (std::size_t i = 1; i <= 50; ++i) {
    client.Notify("textDocument/didChange",
                  {{"textDocument", {{"uri", kUri}, {"version", i}}},
                   {"contentChanges",
                    {{{"range", {{"start", {{"line", 3}, {"character", 0}}}, {"end", {{"line", 3}, {"character", 0}}}}},
                      {"text", "  n = Relu (y)\n"}}}}});
    nodes[client.Request("textDocument/documentSymbol", {{"textDocument", {{"uri", kUri}}}})] = 7 + i;
  }
  client.Request("shutdown", nullptr);
  client.Notify("exit", nullptr);
  bool ended_well = false;
  for (const Json& message : client.Play(&ended_well)) {
    const auto asked = message.contains("id") ? nodes.find(message["id"]) : nodes.end();
    if (asked == nodes.end()) continue;
    const auto& symbols = message.at("result");
    EXPECT_EQ(
        std::ranges::count(symbols, Json("g"), [](const Json& symbol) { return Optional(symbol, "/containerName"); }),
        asked->second + 1);  // and the input
    nodes.erase(asked);
  }
  EXPECT_TRUE(ended_well);
  EXPECT_TRUE(nodes.empty());
}

TEST(ServerThreads, EndWithTheInput) {
  Client client;
  client.Request("initialize", {{"capabilities", Json::object()}});
  bool ended_well = true;
  EXPECT_EQ(client.Play(&ended_well).size(), 1u);
  EXPECT_FALSE(ended_well);
}

}  // namespace
}  // namespace onnxc::lsp::threads_test
