// A session of the language server with a folder, whose settings name a library.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lsp/places.h"
#include "lsp/server.h"
#include "lsp/uri.h"
#include "testing/folder.h"

namespace onnxc::lsp {

inline constexpr const char* kLibrary =
    "<domain: \"act\", opset_import: [\"\" : 17, \"act\" : 1]>\n"
    "gelu <by> (x) => (y) { h = act.half (x) y = Relu (h) }\n"
    "<domain: \"act\", opset_import: [\"\" : 17]>\n"
    "half (x) => (y) { y = Neg (x) }\n";
inline constexpr const char* kHead = "<ir_version: 10, opset_import: [\"\" : 17, \"act\" : 1]>\n";

/// A session with a folder and a document, in which `$` marks a position.
class WorkspaceSession : public ::testing::Test {
 protected:
  WorkspaceSession() : server_([this](const Json& message) { sent_.push_back(message); }) {
    std::filesystem::create_directory(folder_.Path("lib"));
    folder_.Write("lib/act.onnxtxt", kLibrary);
    folder_.Write(".onnxc.toml", "[link]\nlibraries = [\"lib/act.onnxtxt\"]\n");
  }

  void Begin(Json capabilities = Json::object()) {
    Ask("initialize",
        {{"capabilities", std::move(capabilities)}, {"workspaceFolders", {{{"uri", Uri("")}, {"name", "f"}}}}});
  }

  [[nodiscard]] std::string Uri(const std::string& name) const {
    return UriOf(name.empty() ? folder_.path().string() : folder_.Path(name));
  }

  /// Opens a text after removing the mark.
  void Open(const std::string& name, std::string text) {
    const std::size_t mark = text.find('$');
    if (mark != std::string::npos) text.erase(mark, 1);
    place_ = {{"textDocument", {{"uri", Uri(name)}}}, {"position", PositionIn(text, std::min(mark, text.size()))}};
    Notify("textDocument/didOpen", {{"textDocument", {{"uri", Uri(name)}, {"version", 1}, {"text", text}}}});
  }

  void Notify(const std::string& method, const Json& params) {
    server_.Handle({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
    server_.PublishPending();
  }

  Json Ask(const std::string& method, Json params) {
    server_.Handle({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
    for (const Json& message : sent_) {
      if (message.contains("id") && message["id"] == id_)
        return message.contains("result") ? message["result"] : message["error"];
    }
    return "no answer";
  }
  /// Sends a request about the marked position.
  Json AskHere(const std::string& method, const Json& more = Json::object()) {
    Json params = place_;
    params.update(more);
    return Ask(method, params);
  }

  static Json Items(const Json& result) { return result["items"]; }

  /// Returns the messages of the last diagnostics that the server pushed for a file.
  [[nodiscard]] std::vector<std::string> Pushed(const std::string& name) const {
    std::vector<std::string> messages;
    for (const Json& message : sent_) {
      if (message.value("method", "") != "textDocument/publishDiagnostics" || message["params"]["uri"] != Uri(name))
        continue;
      messages.clear();
      for (const Json& found : message["params"]["diagnostics"]) messages.push_back(found["message"]);
    }
    return messages;
  }

  /// `name:line` of each location.
  [[nodiscard]] std::vector<std::string> Places(const Json& locations) const {
    std::vector<std::string> places;
    for (const Json& location : locations) {
      const std::string path = PathOf(location["uri"].get<std::string>());
      places.push_back(std::filesystem::path(path).filename().string() + ":" +
                       location["range"]["start"]["line"].dump());
    }
    std::ranges::sort(places);
    return places;
  }

  using Strings = std::vector<std::string>;
  testing::Folder folder_;
  std::vector<Json> sent_;
  Server server_;
  Json place_;
  int id_ = 0;
};

}  // namespace onnxc::lsp
