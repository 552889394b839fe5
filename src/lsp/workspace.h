// The open documents, and the capabilities of the client.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/folder_texts.h"
#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// What the client can do, as announced in the request `initialize`.
struct Client {
  Encoding encoding = Encoding::kUtf16;
  bool versioned_edits = false;        ///< accepts documentChanges in edits
  bool related_information = false;    ///< shows notes of diagnostics
  bool pulls_diagnostics = false;      ///< asks for diagnostics, so the server does not push them
  bool snippets = false;               ///< accepts snippets in completions
  bool refreshes_diagnostics = false;  ///< supports workspace/diagnostic/refresh
  bool applies_edits = false;          ///< supports workspace/applyEdit
  bool refreshes_hints = false;        ///< supports workspace/inlayHint/refresh
  bool hover_markdown = false;         ///< shows Markdown in hovers; otherwise plain text is sent
  bool completion_markdown = false;    ///< shows Markdown in the documentation of completions
  bool nested_symbols = false;         ///< shows an outline as a tree
  bool watches_files = false;          ///< watches files for the server
  bool shows_progress = false;         ///< shows the progress of the server's work
  bool shows_references = false;       ///< has the command onnxc.showReferences for code lenses
  bool shows_graphs = false;           ///< has the command onnxc.showGraph for code lenses
  std::int64_t process = 0;            ///< the client's process id; 0 if not known
};

/// The last answer of one kind for each document, such as the last semantic tokens. The next answer for the document is
/// compared with it. All functions are thread-safe.
template <typename Content>
class Sent {
 public:
  struct Answer {
    std::string id;
    Content content;
  };
  /// Returns the last answer if it has this id, otherwise null.
  [[nodiscard]] std::shared_ptr<const Answer> Find(const std::string& uri, const Json& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(uri);
    return found == answers_.end() || id != found->second->id ? nullptr : found->second;
  }
  /// Keeps an answer, and returns a unique id for it.
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
  std::map<std::string, std::shared_ptr<const Answer>> answers_;  // the key is the document's URI
};

/// The state of the server. Only the thread that handles messages changes the documents; other threads read them.
class Workspace {
 public:
  using Send = std::function<void(const Json& message)>;
  using SendText = std::function<void(const std::string& message)>;
  /// `send_text` sends messages that are already JSON text; it may be empty.
  explicit Workspace(Send send, SendText send_text = {})
      : shared_(std::make_shared<Shared>(std::move(send), std::move(send_text))),
        settings_(std::make_shared<Settings>()) {}

  Client client;

  /// Returns a copy for a request that another thread answers. The documents and settings of the copy do not change.
  /// The documents of the copy are analysed when needed, even if newer versions exist by then, unless they are very
  /// long.
  [[nodiscard]] std::shared_ptr<Workspace> Pinned() const;

  [[nodiscard]] Sent<std::vector<std::uint32_t>>& sent_tokens() { return shared_->sent_tokens; }
  [[nodiscard]] Sent<Json>& sent_diagnostics() { return shared_->sent_diagnostics; }
  [[nodiscard]] Sent<Json>& sent_of_folders() { return shared_->sent_of_folders; }

  // -- documents

  void Open(const std::string& uri, std::int64_t version, std::string text);
  /// `changes` is the list of the notification textDocument/didChange.
  void Change(const std::string& uri, std::int64_t version, const Json& changes);
  void Close(const std::string& uri);
  /// Closes a document if it is open, because its text in the editor is not known any more: a change could not be
  /// applied. Edits of an older text would damage the editor's text. Change() opens the document again when it gets the
  /// whole text. `why` is shown to the user.
  void Lose(const std::string& uri, std::string_view why);
  /// Discards the analysis of the document and starts it again.
  void Refresh(const std::string& uri);
  /// Returns the document that `params.textDocument` names. Throws a RequestError if it is not open.
  [[nodiscard]] std::shared_ptr<const Snapshot> DocumentOf(const Json& params) const;
  /// Returns the document with this URI. Throws a RequestError if it is not open.
  [[nodiscard]] std::shared_ptr<const Snapshot> OpenAt(const std::string& uri) const;
  /// Returns the document with this URI, or null if it is not open.
  [[nodiscard]] std::shared_ptr<const Snapshot> Find(const std::string& uri) const;
  /// Returns the newest analysed version before the current one, or null if none is kept.
  [[nodiscard]] std::shared_ptr<const Snapshot> FindKnown(const std::string& uri) const;
  [[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> All() const;

  /// Returns the texts in the folders of the workspace.
  [[nodiscard]] FolderTexts& folders() { return shared_->folders; }
  using Texts = std::vector<std::shared_ptr<const Snapshot>>;
  /// Returns the texts in the folders that are not open in the editor, as they are on the disk.
  [[nodiscard]] Texts ClosedTexts();
  /// Returns the open texts and the other texts in the folders.
  [[nodiscard]] Texts AllTexts();

  /// Announces that a change of the document was read and will be applied. Called by the thread that reads messages.
  void ExpectChange(const std::string& uri) const;

  // -- settings

  [[nodiscard]] const Options& options() const { return settings_->options; }
  /// Replaces the options, and analyses all documents again.
  void SetOptions(Options options);
  /// Like SetOptions(), and also asks the client to request diagnostics and hints again. Used after the session has
  /// begun.
  void ChangeOptions(Options options);
  /// Reads the settings files again, because they may have changed.
  void ForgetSettings() { ChangeOptions(options()); }
  /// Returns whether the settings of any document name this file.
  [[nodiscard]] bool IsNamed(const std::string& path) const { return settings_->named.Names(path); }

  // -- work in the background: new versions are analysed, and their diagnostics are sent

  /// The server calls this function when there is a document to analyse.
  std::function<void()> on_pending = [] {};
  /// Returns the documents to analyse, and empties the list.
  [[nodiscard]] std::vector<std::shared_ptr<const Snapshot>> TakePending();
  /// Sends the diagnostics of the snapshot, unless its document has a newer version.
  void Publish(const Snapshot& snapshot, const Json& diagnostics);
  /// The errors in the settings file of a document: the file's URI and its diagnostics. PublishSettings() sends the
  /// diagnostics if they have changed. It also clears the diagnostics of settings files that no longer apply to any
  /// document. `problem` is a message for the user; empty if there is none.
  struct SettingsReport {
    std::string uri = {};
    Json diagnostics = Json::array();
    std::string problem = {};
  };
  void PublishSettings(const Snapshot& snapshot, SettingsReport report);
  /// Frees the analysis of the older version, because `snapshot` is analysed now.
  void ForgetOlder(const Snapshot& snapshot);

  void SendMessage(const Json& message) const { shared_->send(message); }
  /// Sends a reply whose result is already JSON text.
  void SendResult(const Json& id, std::string_view result) const;
  void Notify(const char* method, const Json& params) const;
  /// Sends a request to the client without waiting for the reply.
  void Ask(const char* method, const Json& params = nullptr);
  enum class MessageType { kError = 1, kWarning = 2 };
  /// Sends a message to the user or to the log: `method` is window/showMessage or window/logMessage.
  void Tell(const char* method, MessageType type, std::string_view text) const;

 private:
  struct Document {
    std::shared_ptr<const Snapshot> current;
    // While the current version is not analysed: the newest one that is, or the first one, which is being analysed.
    std::shared_ptr<const Snapshot> known;
  };
  using Documents = std::map<std::string, Document>;
  struct Shared {
    Shared(Send send_json, SendText send_json_text)
        : send(std::move(send_json)), send_text(std::move(send_json_text)) {}

    Send send;
    SendText send_text;
    Sent<std::vector<std::uint32_t>> sent_tokens;  // the last semantic tokens
    Sent<Json> sent_diagnostics;                   // the last diagnostics that the client asked for
    Sent<Json> sent_of_folders;                    // the last diagnostics of texts that are not open
    FolderTexts folders;
    std::set<std::string> lost;          // the URIs of documents after Lose(); used by the thread that handles messages
    std::atomic<std::size_t> asked = 0;  // number of requests to the client
    // Locked while diagnostics are sent, so that diagnostics of an older version never follow those of a newer one. A
    // thread must not send while it holds `mutex`: the client may block until the server reads the client's messages,
    // and reading them needs `mutex`.
    std::mutex sending;
    std::map<std::string, std::string>
        settings_files;                         // the key is a document, the value its settings file with errors
    std::map<std::string, Json> sent_settings;  // the key is the URI of a settings file, the value its last diagnostics
    std::mutex mutex;                           // guards the members below
    Documents documents;
    std::map<std::string, std::shared_ptr<const Snapshot>> pending;
  };

  Workspace(const Workspace&) = default;
  /// Calls `visit` with the documents. No thread changes the documents during the call.
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
