#include "lsp/server.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <utility>

#include "lsp/diagnostics.h"
#include "lsp/methods.h"
#include "lsp/move_weights.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

bool IsId(const Json& id) { return id.is_string() || id.is_number_integer(); }

std::string_view MethodOf(const Json& message) {
  const auto method = message.find("method");
  return method == message.end() ? std::string_view() : std::string_view(method->get_ref<const std::string&>());
}

/// Shows that a large text is read for the first time, as long as it lives.
class Progress {
 public:
  /// `*count`: those that were ever shown.
  Progress(Workspace* workspace, const Snapshot& snapshot, std::size_t* count) : workspace_(workspace) {
    constexpr std::size_t kLarge = std::size_t{1} << 20;  // bytes; smaller ones are read in a moment
    const bool is_first = workspace_->FindKnown(snapshot.uri()) == nullptr;
    if (!workspace_->client.shows_progress || snapshot.text().size() < kLarge || !is_first) return;
    token_ = fmt::format("onnxc-reading-{}", ++*count);
    workspace_->Ask("window/workDoneProgress/create", {{"token", token_}});
    const std::string name = std::filesystem::path(snapshot.path()).filename().string();
    Send({{"kind", "begin"}, {"title", fmt::format("Reading {}", Quoted(name))}});
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (!token_.empty()) Send({{"kind", "end"}});
  }

 private:
  void Send(const Json& value) { workspace_->Notify("$/progress", {{"token", token_}, {"value", value}}); }

  Workspace* workspace_;
  std::string token_;  // empty: nothing is shown
};

bool IsMessage(const Json& message) {
  if (!message.is_object()) return false;
  if (message.contains("method") && !message["method"].is_string()) return false;
  return !message.contains("id") || IsId(message["id"]) || message["id"].is_null();
}

}  // namespace

void Server::ReplyWithError(const Json& id, ErrorCode code, std::string_view message) {
  workspace_.SendMessage(
      {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}});
}

void Server::Log(const std::string& error) {
  workspace_.Tell("window/logMessage", Workspace::MessageType::kError, error);
}

void Server::ReplyToNoMessage(const std::string& why) { ReplyWithError(nullptr, ErrorCode::kParseError, why); }

void Server::Handle(const Json& message) {
  if (message.is_discarded()) return ReplyToNoMessage("the message is no JSON");
  if (!IsMessage(message)) {
    return ReplyWithError(nullptr, ErrorCode::kInvalidRequest, "the message is no request and no notification");
  }
  Dispatch(message);
}

void Server::Dispatch(const Json& message) {
  const std::string_view method = MethodOf(message);
  const bool is_request = message.contains("id") && !message["id"].is_null();
  if (method.empty()) {  // a response to a request of ours, or nothing that is known
    if (is_request && (message.contains("result") || message.contains("error"))) {
      return TellWhetherMoved(workspace_, message);
    }
    return ReplyWithError(is_request ? message["id"] : Json(), ErrorCode::kInvalidRequest, "the message has no method");
  }
  const Json id = is_request ? message["id"] : Json();
  const Json& params = Optional(message, "/params");
  const auto fail = [&](ErrorCode code, std::string_view why) {
    is_request ? ReplyWithError(id, code, why) : Log(fmt::format("{}: {}", Quoted(method), why));
  };
  try {
    Json result = ResultOf(method, params, id);
    if (is_request) workspace_.SendMessage({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  } catch (const RequestError& error) {
    fail(error.code(), error.what());
  } catch (const Json::exception& error) {
    fail(ErrorCode::kInvalidParams, fmt::format("the parameters are wrong: {}", error.what()));
  } catch (const std::exception& error) {
    fail(ErrorCode::kInternalError, error.what());
  }
}

Json Server::ResultOf(std::string_view method, const Json& params, const Json& id) {
  if (method == "exit") {
    is_over_ = true;
    return nullptr;
  }
  if (TakeCancelled(id)) throw RequestError(ErrorCode::kRequestCancelled, "the request was cancelled");
  if (is_shut_down_) throw RequestError(ErrorCode::kInvalidRequest, "the server was shut down");
  if (method == "initialize") {
    if (is_initialized_) throw RequestError(ErrorCode::kInvalidRequest, "the server is initialized already");
    Json result = Initialize(workspace_, params);
    is_initialized_ = true;
    return result;
  }
  if (!is_initialized_) throw RequestError(ErrorCode::kServerNotInitialized, "the server is not initialized");
  if (method == "shutdown") {
    is_shut_down_ = true;
    return nullptr;
  }
  const Method* const row = FindMethod(method);
  if (row != nullptr) return row->handle(workspace_, params);
  if (id.is_null() && method.starts_with("$/")) return nullptr;  // may be ignored, says the protocol
  throw RequestError(ErrorCode::kMethodNotFound, fmt::format("there is no method '{}'", Quoted(method)));
}

bool Server::TakeCancelled(const Json& id) {
  if (id.is_null()) return false;
  const std::lock_guard lock(mutex_);
  return cancelled_.erase(id.dump()) > 0;
}

bool Server::LookAhead(const Json& message) {
  if (message.is_discarded() || !IsMessage(message)) return false;
  const std::string_view method = MethodOf(message);
  if (method == "$/cancelRequest") {
    const Json& id = Optional(message, "/params/id");
    const std::lock_guard lock(mutex_);
    constexpr std::size_t kMost = 1000;  // those of requests that were answered stay
    if (cancelled_.size() >= kMost) cancelled_.clear();
    if (IsId(id)) cancelled_.insert(id.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  if (method == "textDocument/didChange") {
    const Json& uri = Optional(message, "/params/textDocument/uri");
    if (uri.is_string()) workspace_.ExpectChange(uri.get<std::string>());
  }
  return method == "exit";
}

void Server::PublishPending() {
  for (const auto& snapshot : workspace_.TakePending()) {
    const Progress progress(&workspace_, *snapshot, &shown_progress_);
    try {
      const Json diagnostics = DiagnosticsOf(*snapshot, workspace_.client);
      if (!workspace_.client.pulls_diagnostics) workspace_.Publish(*snapshot, diagnostics);
      workspace_.PublishSettings(*snapshot, SettingsReportOf(*snapshot, workspace_.client));
      (void)snapshot->TypeOf(0);  // the next request asks for symbols and types
      workspace_.ForgetOlder(*snapshot);
    } catch (const RequestError&) {  // there is a newer version
    } catch (const std::exception& error) {
      Log(fmt::format("{}: {}", Quoted(snapshot->uri()), error.what()));
    }
  }
}

}  // namespace onnxc::lsp
