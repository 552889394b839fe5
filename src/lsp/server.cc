#include "lsp/server.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <type_traits>
#include <utility>
#include <variant>

#include "lsp/diagnostics.h"
#include "lsp/methods.h"
#include "lsp/move_weights.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

constexpr std::string_view kShutdown = "shutdown";

bool IsId(const Json& id) { return id.is_string() || id.is_number_integer(); }

std::string_view MethodOf(const Json& message) {
  const auto method = message.find("method");
  return method == message.end() ? std::string_view() : std::string_view(method->get_ref<const std::string&>());
}

/// Shows a progress report in the client while a large text is read for the first time. The destructor ends the report.
class Progress {
 public:
  /// Begins a report if the text is large. `*count` is the number of progress reports so far.
  Progress(Workspace* workspace, const Snapshot& snapshot, std::size_t* count) : workspace_(workspace) {
    constexpr std::size_t kLarge = std::size_t{1} << 20;  // bytes; smaller texts are read quickly
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
  std::string token_;  // empty if nothing is shown
};

bool IsRequest(const Json& message) { return message.contains("id") && !message["id"].is_null(); }

/// Returns the id of a request, or null if the message is not a request.
Json IdOf(const Json& message) { return IsRequest(message) ? message["id"] : Json(); }

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

void Server::ReplyToNoMessage(const std::string& why) {
  ReplyWithError(nullptr, ErrorCode::kParseError, why);
  for (const auto& document : workspace_.All()) workspace_.Lose(document->uri(), why);
}

void Server::Handle(const Json& message) {
  const Task rest = Begin(message);
  if (rest.run) rest.run();
}

Task Server::Begin(Json message) {
  if (message.is_discarded()) {
    ReplyToNoMessage("the message is not JSON");
    return {};
  }
  if (!IsMessage(message)) {
    ReplyWithError(nullptr, ErrorCode::kInvalidRequest, "the message is neither a request nor a notification");
    return {};
  }
  return Dispatch(std::move(message));
}

Task Server::Dispatch(Json message) {
  const std::string_view method = MethodOf(message);
  if (method.empty()) {  // a response to a request of the server, or an unknown message
    if (IsRequest(message) && (message.contains("result") || message.contains("error"))) {
      TellWhetherMoved(workspace_, message);
    } else {
      ReplyWithError(IdOf(message), ErrorCode::kInvalidRequest, "the message has no method");
    }
    return {};
  }
  const Method* const row = is_initialized_ && !is_shut_down_ ? FindMethod(method) : nullptr;
  if (row == nullptr) {
    Answer(message, [&] { return Control(message); });
    return {};
  }
  const auto answer = [this, row](Workspace& workspace, const Json& of) {
    std::visit([&](const auto& handle) { Answer(of, [&] { return handle(workspace, Optional(of, "/params")); }); },
               row->handle);
  };
  if (row->turn == Turn::kInOrder) {
    answer(workspace_, message);
    return {};
  }
  return {.run = [answer, pinned = workspace_.Pinned(), of = std::move(message)] { answer(*pinned, of); },
          .is_urgent = row->turn == Turn::kSoon};
}

template <typename Find>
void Server::Answer(const Json& message, const Find& find) {
  const Json id = IdOf(message);
  const auto fail = [&](ErrorCode code, std::string_view why) {
    if (!id.is_null()) return ReplyWithError(id, code, why);
    Log(fmt::format("{}: {}", Quoted(MethodOf(message)), why));
  };
  try {
    if (TakeCancelled(id)) throw RequestError(ErrorCode::kRequestCancelled, "the request was cancelled");
    auto result = find();
    if (id.is_null()) return;
    if constexpr (std::is_same_v<decltype(result), std::string>) {
      workspace_.SendResult(id, result);
    } else {
      workspace_.SendMessage({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
    }
  } catch (const RequestError& error) {
    fail(error.code(), error.what());
  } catch (const Json::exception& error) {
    fail(ErrorCode::kInvalidParams, fmt::format("the parameters are wrong: {}", error.what()));
  } catch (const std::exception& error) {
    fail(ErrorCode::kInternalError, error.what());
  }
}

/// Handles the messages that begin and end a session, and the methods that are not in the table.
Json Server::Control(const Json& message) {
  const std::string_view method = MethodOf(message);
  if (method == "exit") {
    is_over_ = true;
    return nullptr;
  }
  if (is_shut_down_) throw RequestError(ErrorCode::kInvalidRequest, "the server was shut down");
  if (method == "initialize") {
    if (is_initialized_) throw RequestError(ErrorCode::kInvalidRequest, "the server is initialized already");
    Json result = Initialize(workspace_, Optional(message, "/params"));
    is_initialized_ = true;
    return result;
  }
  if (!is_initialized_) throw RequestError(ErrorCode::kServerNotInitialized, "the server is not initialized");
  if (method == kShutdown) {
    is_shut_down_ = true;
    return nullptr;
  }
  if (!IsRequest(message) && method.starts_with("$/"))
    return nullptr;  // the protocol allows ignoring such a
                     // notification
  throw RequestError(ErrorCode::kMethodNotFound, fmt::format("unknown method '{}'", Quoted(method)));
}

bool Server::IsLast(const Json& message) { return IsMessage(message) && MethodOf(message) == kShutdown; }

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
    constexpr std::size_t kMost = 1000;  // a limit is needed, because ids of requests that were already answered are
                                         // not removed
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
      workspace_.ForgetOlder(*snapshot);
    } catch (const RequestError&) {  // a newer version has replaced this version of the document
    } catch (const std::exception& error) {
      Log(fmt::format("{}: {}", Quoted(snapshot->uri()), error.what()));
    }
  }
}

}  // namespace onnxc::lsp
