// The protocol: requests and notifications to their handlers.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// What is left to do for a message.
struct Task {
  std::function<void()> run;  ///< any thread may, once; null: nothing
  bool is_urgent = false;     ///< before those that are not
};

/// Answers messages. It knows neither streams nor threads.
class Server {
 public:
  explicit Server(Workspace::Send send, Workspace::SendText send_text = {})
      : workspace_(std::move(send), std::move(send_text)) {}

  /// Handles one message. What is wrong with it is told in an error reply; a discarded one was no JSON.
  void Handle(const Json& message);

  /// Handles what of a message must be done before the next one, and returns the rest. The server must outlive it.
  [[nodiscard]] Task Begin(Json message);

  /// Whether the message must wait until all before it are answered.
  [[nodiscard]] static bool IsLast(const Json& message);

  /// Tells the client that bytes came which are no message.
  void ReplyToNoMessage(const std::string& why);

  /// Pushes the diagnostics of all documents that have changed.
  void PublishPending();

  /// Another thread looks at a message before it is handled: it may cancel a request, or be a change to come. Returns
  /// whether it ends the session.
  bool LookAhead(const Json& message);

  [[nodiscard]] bool is_over() const { return is_over_; }
  /// The client ended the session as the protocol asks for.
  [[nodiscard]] bool ended_well() const { return is_over_ && is_shut_down_; }

  [[nodiscard]] Workspace& workspace() { return workspace_; }

 private:
  [[nodiscard]] Task Dispatch(Json message);
  /// Answers a request with what `find` returns, or tells the error that it throws.
  template <typename Find>
  void Answer(const Json& message, const Find& find);
  [[nodiscard]] Json Control(const Json& message);
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
