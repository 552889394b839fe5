#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets/target.h"
#include "lsp/framing.h"
#include "lsp/methods.h"
#include "lsp/run.h"

namespace onnxc::fuzz {
namespace {

using lsp::FrameReader;
using lsp::Json;

constexpr const char* kUri = "file:///nowhere/fuzz.onnxtxt";

std::string Framed(const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
}

/// The messages of a session, as an editor writes them. Requests are numbered.
class Script {
 public:
  Script() { Request("initialize", {{"capabilities", Json::object()}}); }

  void Notify(std::string_view method, Json params) {
    bytes_ += Framed({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
  }
  void Request(std::string_view method, Json params) {
    bytes_ += Framed({{"jsonrpc", "2.0"}, {"id", requests_++}, {"method", method}, {"params", std::move(params)}});
  }
  void Open(std::string_view text) {
    Notify("textDocument/didOpen",
           {{"textDocument", {{"uri", kUri}, {"languageId", "onnxtxt"}, {"version", 1}, {"text", text}}}});
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] int requests() const { return requests_; }

 private:
  std::string bytes_;
  int requests_ = 0;
};

/// Adds all kinds of requests about a document, at some positions.
void AskAll(std::string_view text, Script* script) {
  const lsp::Lines lines(text, lsp::Encoding::kUtf16);
  const auto position_of = [&](std::size_t offset) -> Json {
    const lsp::LinePosition position = lines.PositionAt(offset);
    return {{"line", position.line}, {"character", position.character}};
  };
  constexpr std::size_t kPlaces = 4;
  for (std::size_t place = 0; place <= kPlaces; ++place) {
    const Json here = position_of(text.size() * place / kPlaces);
    const Json params = {{"textDocument", {{"uri", kUri}}},
                         {"position", here},
                         {"positions", {here}},
                         {"range", {{"start", position_of(0)}, {"end", here}}},
                         {"context", {{"diagnostics", Json::array()}, {"includeDeclaration", true}}},
                         {"newName", "fresh"},
                         {"query", "x"},
                         {"ch", "}"},
                         {"options", {{"tabSize", 2}, {"insertSpaces", true}}},
                         {"previousResultId", "1"}};
    for (const lsp::Method& method : lsp::Methods()) {
      const bool is_request = method.turn != lsp::Turn::kInOrder;
      if (is_request && (place == 0 || method.name.starts_with("textDocument/"))) script->Request(method.name, params);
    }
  }
}

/// Reads the output of the server; returns an error if it is not a message.
std::optional<Fault> ReadAll(const std::string& sent, std::vector<Json>* messages) {
  std::istringstream in(sent);
  FrameReader reader(in);
  std::string content;
  for (auto result = reader.Next(&content); result != FrameReader::Result::kEnd; result = reader.Next(&content)) {
    if (result == FrameReader::Result::kBroken) return Fault{"what is sent is no message", content};
    messages->push_back(Json::parse(content, nullptr, false));
    if (messages->back().is_discarded()) return Fault{"what is sent is no JSON", content};
  }
  return std::nullopt;
}

std::optional<Fault> Play(const std::string& bytes, std::vector<Json>* messages) {
  std::istringstream in(bytes);
  std::ostringstream out;
  (void)lsp::Run(in, out, {.threads = false});
  if (auto fault = ReadAll(out.str(), messages)) return fault;
  constexpr int kInternalError = -32603;
  for (const Json& message : *messages) {
    if (message.contains("error") && message["error"]["code"] == kInternalError) {
      return Fault{"a request fails by a fault of the server", message.dump()};
    }
  }
  return std::nullopt;
}

/// Each request must be answered once, in order.
std::optional<Fault> CheckAnswers(const std::vector<Json>& messages, int requests) {
  int next = 0;
  for (const Json& message : messages) {
    if (!message.contains("id")) continue;
    if (message["id"] != next++) return Fault{"an answer is missing", message.dump()};
  }
  if (next != requests) return Fault{"the last answers are missing", std::to_string(next)};
  return std::nullopt;
}

}  // namespace

// In variants 0 and 3, the input is a document, and all kinds of requests about it are sent. In variants 1 and 2, the
// input is the bytes that a client sends: the whole session, or the part after a document was opened.
std::optional<Fault> RunLsp(const Input& input) {
  std::vector<Json> messages;
  if (input.variant == 1) return Play(std::string(input.bytes), &messages);
  if (input.variant == 2) {  // after the session has been initialized
    Script script;
    script.Open("<ir_version: 10, opset_import: [\"\" : 21]> g (float[N] x) => (float[N] y) { y = Relu (x) }");
    return Play(script.bytes() + std::string(input.bytes), &messages);
  }
  const std::string text = Json::parse(Json(input.bytes).dump(-1, ' ', false, Json::error_handler_t::replace));
  Script script;
  script.Open(text);
  AskAll(text, &script);
  if (auto fault = Play(script.bytes(), &messages)) return fault;
  return CheckAnswers(messages, script.requests());
}

}  // namespace onnxc::fuzz
