// The protocol: requests and notifications to their handlers.
#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Answers messages, one after the other. It knows neither streams nor threads.
class Server {
 public:
  explicit Server(Workspace::Send send) : workspace_(std::move(send)) {}

  /// Handles one message. What is wrong with it is told in an error reply; a discarded one was no JSON.
  void Handle(const Json& message);

  /// Tells the client that bytes came which are no message.
  void ReplyToNoMessage(const std::string& why);

  /// Pushes the diagnostics of all documents that have changed.
  void PublishPending();

  /// Another thread looks at a message before it is handled: it may cancel a request, or change a document. Returns
  /// whether it ends the session.
  bool LookAhead(const Json& message);

  [[nodiscard]] bool is_over() const { return is_over_; }
  /// The client ended the session as the protocol asks for.
  [[nodiscard]] bool ended_well() const { return is_over_ && is_shut_down_; }

  [[nodiscard]] Workspace& workspace() { return workspace_; }

 private:
  void Dispatch(const Json& message);
  [[nodiscard]] Json ResultOf(std::string_view method, const Json& params, const Json& id);
  void Log(const std::string& error);
  void ReplyWithError(const Json& id, ErrorCode code, std::string_view message);
  [[nodiscard]] bool TakeCancelled(const Json& id);

  Workspace workspace_;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool is_over_ = false;
  std::size_t shown_progress_ = 0;   // of PublishPending()
  std::mutex mutex_;                 // of what follows
  std::set<std::string> cancelled_;  // requests, by their dumped id
};

}  // namespace onnxc::lsp
