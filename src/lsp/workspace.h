// The open documents, and what was agreed with the client.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/folder_texts.h"
#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// What the client can do, as it says in the request `initialize`.
struct Client {
  Encoding encoding = Encoding::kUtf16;
  bool versioned_edits = false;        ///< takes documentChanges in edits
  bool related_information = false;    ///< shows notes of diagnostics
  bool pulls_diagnostics = false;      ///< asks for diagnostics, so that none are pushed
  bool snippets = false;               ///< takes snippets in completions
  bool refreshes_diagnostics = false;  ///< asks for diagnostics again when it is told to
  bool applies_edits = false;          ///< makes changes of texts that the server asks for
  bool refreshes_hints = false;        ///< asks for inlay hints again when it is told to
  bool hover_markdown = false;         ///< shows Markdown; else plain text is sent
  bool completion_markdown = false;    ///< the same of the documentation of completions
  bool nested_symbols = false;         ///< shows an outline as a tree
  bool watches_files = false;          ///< tells of changed files that the server asks for
  bool shows_progress = false;         ///< shows the progress of work that the server begins
  bool shows_references = false;       ///< has a command onnxc.showReferences for code lenses
  bool shows_graphs = false;           ///< has a command onnxc.showGraph for them
  std::int64_t process = 0;            ///< the client's; 0: not known
};

/// What the client has of each open document, which the next answer is compared with. Any number of threads may ask.
template <typename Content>
class Sent {
 public:
  struct Answer {
    std::string id;
    Content content;
  };
  /// The last answer, if it has that id; else null.
  [[nodiscard]] std::shared_ptr<const Answer> Find(const std::string& uri, const Json& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(uri);
    return found == answers_.end() || id != found->second->id ? nullptr : found->second;
  }
  /// Keeps an answer. Returns its id, which no other one has.
  std::string Keep(const std::string& uri, Content content) {
    const std::lock_guard lock(mutex_);
    std::string id = std::to_string(++count_);
    answers_[uri] = std::make_shared<const Answer>(Answer{id, std::move(content)});
    return id;
  }
  void Forget(const std::string& uri) {
    const std::lock_guard lock(mutex_);
    answers_.erase(uri);
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::map<std::string, std::shared_ptr<const Answer>> answers_;  // by the document's address
};

/// The state of the server. Its documents are changed by the thread that handles messages, and read by others too.
class Workspace {
 public:
  using Send = std::function<void(const Json& message)>;
  using SendText = std::function<void(const std::string& message)>;
  /// `send_text`, which may be null, sends messages that are JSON already.
  explicit Workspace(Send send, SendText send_text = {})
      : shared_(std::make_shared<Shared>(std::move(send), std::move(send_text))),
        settings_(std::make_shared<Settings>()) {}

  Client client;

  /// For a request that another thread answers: the documents and settings stay those of now. What is asked about them
  /// is computed, though there may be newer versions by then.
  [[nodiscard]] std::shared_ptr<Workspace> Pinned() const;

  [[nodiscard]] Sent<std::vector<std::uint32_t>>& sent_tokens() { return shared_->sent_tokens; }
  [[nodiscard]] Sent<Json>& sent_diagnostics() { return shared_->sent_diagnostics; }
  [[nodiscard]] Sent<Json>& sent_of_folders() { return shared_->sent_of_folders; }

  // -- documents

  void Open(const std::string& uri, std::int64_t version, std::string text);
  /// `changes` is that of the notification textDocument/didChange.
  void Change(const std::string& uri, std::int64_t version, const Json& changes);
  void Close(const std::string& uri);
  /// What is known of the document is computed anew.
  void Refresh(const std::string& uri);
  /// The document of a request: that of `params.textDocument`. Not open is an error.
  [[nodiscard]] std::shared_ptr<const Snapshot> DocumentOf(const Json& params) const;
  /// The same by its address.
  [[nodiscard]] std::shared_ptr<const Snapshot> OpenAt(const std::string& uri) const;
  /// The same; null where it is not open.
  [[nodiscard]] std::shared_ptr<const Snapshot> Find(const std::string& uri) const;
  /// The newest version before the current one of which something is known; null where none is kept.
  [[nodiscard]] std::shared_ptr<const Snapshot> FindKnown(const std::string& uri) const;
  [[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> All() const;

  /// The folders that the editor shows.
  [[nodiscard]] FolderTexts& folders() { return shared_->folders; }
  /// The texts in them that are not open, as they are on the disk.
  using Texts = std::vector<std::shared_ptr<const Snapshot>>;
  [[nodiscard]] Texts ClosedTexts();
  /// Those, and the open ones.
  [[nodiscard]] Texts AllTexts();

  /// Another thread has seen that a change is to come.
  void ExpectChange(const std::string& uri) const;

  // -- settings

  [[nodiscard]] const Options& options() const { return settings_->options; }
  /// All documents are judged anew.
  void SetOptions(Options options);
  /// The same when the session has begun: a client that asks for what is shown must ask again.
  void ChangeOptions(Options options);
  /// Files of settings may have changed.
  void ForgetSettings() { ChangeOptions(options()); }
  /// Whether the settings of some document name this file.
  [[nodiscard]] bool IsNamed(const std::string& path) const { return settings_->named.Names(path); }

  // -- work in the background: a new version is analysed, and its diagnostics may be pushed

  /// Called when there is a document to analyse.
  std::function<void()> on_pending = [] {};
  /// The documents to analyse. They are forgotten.
  [[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> TakePending();
  /// Sends the diagnostics, unless the document has another version by now.
  void Publish(const Snapshot& snapshot, const Json& diagnostics);
  /// The errors in the settings file of a document: the file's URI and its diagnostics. PublishSettings() sends them if
  /// they have changed, and clears those of files that no longer apply to any document. `problem` is a message for the
  /// user; empty if there is none.
  struct SettingsReport {
    std::string uri = {};
    Json diagnostics = Json::array();
    std::string problem = {};
  };
  void PublishSettings(const Snapshot& snapshot, SettingsReport report);
  /// Frees the version before this one, which is analysed now.
  void ForgetOlder(const Snapshot& snapshot);

  void SendMessage(const Json& message) const { shared_->send(message); }
  /// Sends an answer whose result is JSON already.
  void SendResult(const Json& id, std::string_view result) const;
  void Notify(const char* method, const Json& params) const;
  /// A request whose answer says nothing, and is not waited for.
  void Ask(const char* method, const Json& params = nullptr);
  /// A text for the user, or for the log: `method` is window/showMessage or window/logMessage.
  enum class MessageType { kError = 1, kWarning = 2 };
  void Tell(const char* method, MessageType type, std::string_view text) const;

 private:
  struct Document {
    std::shared_ptr<const Snapshot> current;
    std::shared_ptr<const Snapshot> known;  // an older one, while the current one is not analysed
    std::shared_ptr<const Reading> read;    // of the newest older one that the current one can begin at
  };
  using Documents = std::map<std::string, Document>;
  struct Shared {
    Shared(Send send_json, SendText send_json_text)
        : send(std::move(send_json)), send_text(std::move(send_json_text)) {}

    Send send;
    SendText send_text;
    Sent<std::vector<std::uint32_t>> sent_tokens;  // colours
    Sent<Json> sent_diagnostics;                   // those that the client asked for
    Sent<Json> sent_of_folders;                    // the same of texts that are not open
    FolderTexts folders;
    std::atomic<std::size_t> asked = 0;  // requests to the client
    // Held while diagnostics are sent, so that those of an older version never come behind those of a newer one. A
    // client may write before it reads: whoever holds `mutex`, which reading needs too, must not send.
    std::mutex sending;
    std::map<std::string, std::string> settings_files;  // of documents: the address of the file that is wrong
    std::map<std::string, Json> sent_settings;          // the diagnostics of those files
    std::mutex mutex;                                   // of what follows
    Documents documents;
    std::map<std::string, std::shared_ptr<const Snapshot>> pending;
  };

  Workspace(const Workspace&) = default;
  /// Calls `visit` with the documents, which nobody changes meanwhile.
  template <typename Visit>
  auto WithDocuments(const Visit& visit) const {
    if (pinned_) return visit(*pinned_);
    const std::lock_guard lock(shared_->mutex);
    return visit(std::as_const(shared_->documents));
  }
  void ForgetSettingsOf(const std::string& document);
  void SendDiagnostics(const std::string& uri, const Json& diagnostics);
  void Put(const std::string& uri, std::int64_t version, std::string text);

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const Settings> settings_;
  std::optional<Documents> pinned_;
};

}  // namespace onnxc::lsp
