// The server of the protocol, which passes requests and notifications to their handlers.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// The rest of the work for a message.
struct Task {
  std::function<void()> run;  ///< must be called only once, on any thread; null if there is nothing to do
  bool is_urgent = false;     ///< runs before tasks that are not urgent
};

/// Answers messages. The class does not use streams, and starts no threads.
class Server {
 public:
  explicit Server(Workspace::Send send, Workspace::SendText send_text = {})
      : workspace_(std::move(send), std::move(send_text)) {}

  /// Handles one message completely. Errors are sent as error replies. A discarded JSON value stands for a message that
  /// was not JSON.
  void Handle(const Json& message);

  /// Does the work for this message that must be done before the next message, and returns the rest of the work. The
  /// server must outlive the result.
  [[nodiscard]] Task Begin(Json message);

  /// Returns whether the message must wait until all messages before it are answered.
  [[nodiscard]] static bool IsLast(const Json& message);

  /// Tells the client that the input contained bytes that are not a message. They may have been a change, so the texts
  /// of all documents are not known any more.
  void ReplyToNoMessage(const std::string& why);

  /// Sends the diagnostics of all documents that have changed.
  void PublishPending();

  /// Called by the reading thread for each message, before the message is handled: the message may cancel a request or
  /// announce a change. Returns whether the message ends the session.
  bool LookAhead(const Json& message);

  [[nodiscard]] bool is_over() const { return is_over_; }
  /// Returns whether the client ended the session as the protocol requires.
  [[nodiscard]] bool ended_well() const { return is_over_ && is_shut_down_; }

  [[nodiscard]] Workspace& workspace() { return workspace_; }

 private:
  [[nodiscard]] Task Dispatch(Json message);
  /// Answers a request with the result of `find`, or with the error that `find` throws.
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
  std::size_t shown_progress_ = 0;   // used by PublishPending()
  std::mutex mutex_;                 // guards the members below
  std::set<std::string> cancelled_;  // cancelled requests, by their ids as JSON text
};

}  // namespace onnxc::lsp
