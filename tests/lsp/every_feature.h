// Asks each request that the server knows about a place of a document.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/json.h"
#include "lsp/methods.h"
#include "lsp/places.h"

namespace onnxc::lsp {

/// Returns the capabilities of a client that supports everything on which an answer depends.
inline Json AllCapabilities() {
  return Json::parse(R"({
    "textDocument": {
      "hover": {"contentFormat": ["markdown"]},
      "completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}},
      "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
      "publishDiagnostics": {"relatedInformation": true}},
    "workspace": {"workspaceEdit": {"documentChanges": true}, "applyEdit": true},
    "experimental": {"commands": {"commands": ["onnxc.showReferences", "onnxc.showGraph"]}}})");
}

/// Returns whether an answer contains something, and is not an error.
inline bool IsUseful(const Json& answer) {
  if (!answer.is_object()) return !answer.empty();
  for (const char* const list : {"items", "data"}) {
    if (answer.contains(list)) return !answer[list].empty();
  }
  return !answer.contains("code") && !answer.empty();
}

/// Asks all requests about one document. Keeps the last results, as editors do, for requests that want the difference
/// to them. `Ask` sends a request and returns its result or its error.
template <typename Ask>
class EveryFeature {
 public:
  EveryFeature(Ask ask, std::string uri) : ask_(std::move(ask)), uri_(std::move(uri)) {}

  /// Returns the answers about a range of the text. The key is the request, and the command if it has one. The
  /// parameters of all requests are sent with each request.
  std::map<std::string, Json> AnswersAt(std::string_view text, SourceRange range) {
    const Json place = PositionIn(text, range.begin);
    Json params = {{"textDocument", {{"uri", uri_}}},
                   {"position", place},
                   {"positions", {place}},
                   {"range", {{"start", place}, {"end", PositionIn(text, range.end)}}},
                   {"context", {{"diagnostics", Json::array()}, {"includeDeclaration", true}}},
                   {"newName", "renamed"},
                   {"ch", "}"},
                   {"query", ""},
                   {"previousResultIds", Json::array()},
                   {"arguments", {{{"uri", uri_}, {"position", place}}}}};
    const Json items = ask_("textDocument/prepareCallHierarchy", params);
    if (IsUseful(items)) params["item"] = items.is_array() ? items[0] : items;
    std::map<std::string, Json> answers;
    // The difference to the last result is asked before the next whole result: the table has them in the other order.
    const auto methods = Methods();
    for (auto at = methods.rbegin(); at != methods.rend(); ++at) {
      const Method& method = *at;
      if (method.turn == Turn::kInOrder) continue;
      const std::string name(method.name);
      if (name != "workspace/executeCommand") {
        answers[name] = Answer(name, params);
        continue;
      }
      const Json options = Json::parse(method.options);
      for (const Json& command : options["commands"]) {
        params["command"] = command;
        answers[name + " " + command.get<std::string>()] = Answer(name, params);
      }
    }
    return answers;
  }

 private:
  Json Answer(const std::string& method, Json params) {
    Json& last = last_[method.substr(0, method.find("/full"))];
    params["previousResultId"] = last.is_object() ? last["resultId"] : Json("none");
    Json answer = ask_(method, params);
    if (answer.is_object() && answer.contains("resultId")) {
      answer = last = Whole(last, std::move(answer));
      answer.erase("resultId");  // a number that the server counts
    }
    if (answer.is_object() && answer.contains("items")) {
      for (Json& item : answer["items"]) item.erase("resultId");
    }
    return answer;
  }

  /// Returns the whole result, if the answer only says how it differs from the last one.
  static Json Whole(const Json& last, Json answer) {
    if (answer.value("kind", "") == "unchanged") {
      Json whole = last;
      whole["resultId"] = answer["resultId"];
      return whole;
    }
    if (!answer.contains("edits")) return answer;
    auto data = last["data"].get<std::vector<unsigned>>();
    for (const Json& edit : answer["edits"]) {
      const auto begin = data.begin() + edit["start"].get<std::ptrdiff_t>();
      const auto at = data.erase(begin, begin + edit["deleteCount"].get<std::ptrdiff_t>());
      const auto added = edit["data"].get<std::vector<unsigned>>();
      data.insert(at, added.begin(), added.end());
    }
    return {{"data", data}, {"resultId", answer["resultId"]}};
  }

  Ask ask_;
  std::string uri_;
  std::map<std::string, Json> last_;  // the key is the request without `/full`
};

}  // namespace onnxc::lsp
