#include "lsp/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "lsp/changes.h"
#include "platform/free_memory.h"
#include "source/report.h"

namespace onnxc::lsp {
namespace {

/// Exists as long as a version of the document. A large document uses hundreds of megabytes, which the allocator would
/// keep.
struct MemoryOfDocument {
  MemoryOfDocument() = default;
  MemoryOfDocument(const MemoryOfDocument&) = delete;
  MemoryOfDocument& operator=(const MemoryOfDocument&) = delete;
  ~MemoryOfDocument() { ReturnFreeMemory(); }
};

/// Returns whether the changes contain the whole text, and not only parts of it.
bool BeginWithWholeText(const Json& changes) {
  return changes.is_array() && !changes.empty() && changes.front().is_object() && !changes.front().contains("range");
}

}  // namespace

void Workspace::Put(const std::string& uri, std::int64_t version, std::string text) {
  const auto before = Find(uri);
  const auto memory = before != nullptr ? before->memory() : std::make_shared<MemoryOfDocument>();
  auto snapshot = std::make_shared<const Snapshot>(uri, version, std::move(text), client.encoding, settings_, memory);
  if (before != nullptr) before->ExpectChange();
  auto outdated = before;  // is freed after the lock was released
  {
    const std::lock_guard lock(shared_->mutex);
    Document& document = shared_->documents[uri];
    // The first version is analysed to the end, however fast the user types.
    if (before != nullptr && (document.known == nullptr || before->IsKnown())) std::swap(document.known, outdated);
    if (outdated != nullptr) outdated->Abandon();
    document.current = snapshot;
    shared_->pending[uri] = std::move(snapshot);
  }
  on_pending();
}

void Workspace::Open(const std::string& uri, std::int64_t version, std::string text) {
  shared_->lost.erase(uri);
  Put(uri, version, std::move(text));
}

void Workspace::Change(const std::string& uri, std::int64_t version, const Json& changes) {
  if (settings_->named.HaveChanged()) ForgetSettings();
  if (shared_->lost.contains(uri) && BeginWithWholeText(changes)) Open(uri, version, "");
  const auto before = OpenAt(uri);
  if (version < before->version()) {
    throw RequestError(ErrorCode::kInvalidParams,
                       "the change is older than the text, so changes are in the wrong order");
  }
  Put(uri, version, Changed(*before, changes));
}

void Workspace::Refresh(const std::string& uri) {
  if (const auto before = Find(uri)) Put(uri, before->version(), std::string(before->text()));
}

void Workspace::Lose(const std::string& uri, std::string_view why) {
  const auto document = Find(uri);
  if (document == nullptr) return;
  Close(uri);
  shared_->lost.insert(uri);
  Tell(
      "window/showMessage", MessageType::kError,
      fmt::format("onnxc does not know the text of '{}' any more, because it could not read a change: {}. Please close "
                  "the file and open it again.",
                  Quoted(document->path()), why));
}

void Workspace::Close(const std::string& uri) {
  shared_->lost.erase(uri);
  shared_->sent_tokens.Forget(uri);
  shared_->sent_diagnostics.Forget(uri);
  Document closed;  // declared before the locks, so that it is freed after they were released
  const std::lock_guard sending(shared_->sending);
  {
    const std::lock_guard lock(shared_->mutex);
    const auto found = shared_->documents.find(uri);
    if (found == shared_->documents.end()) return;
    closed = std::move(found->second);
    closed.current->Abandon();
    shared_->documents.erase(found);
    shared_->pending.erase(uri);
  }
  ForgetSettingsOf(uri);
  if (!client.pulls_diagnostics) SendDiagnostics(uri, Json::array());
}

void Workspace::SendResult(const Json& id, std::string_view result) const {
  const std::string text = fmt::format(R"({{"id":{},"jsonrpc":"2.0","result":{}}})", Dumped(id), result);
  shared_->send_text ? shared_->send_text(text) : shared_->send(Json::parse(text));
}

void Workspace::Notify(const char* method, const Json& params) const {
  shared_->send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

void Workspace::Tell(const char* method, MessageType type, std::string_view text) const {
  Notify(method, {{"type", static_cast<int>(type)}, {"message", text}});
}

void Workspace::SendDiagnostics(const std::string& uri, const Json& diagnostics) {
  Notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", diagnostics}});
}

// The diagnostics of a settings file are always pushed, because clients ask only for diagnostics of files that they
// opened.
void Workspace::PublishSettings(const Snapshot& snapshot, SettingsReport report) {
  const std::lock_guard sending(shared_->sending);
  if (Find(snapshot.uri()).get() != &snapshot) return;
  const auto before = shared_->settings_files.find(snapshot.uri());
  if (before != shared_->settings_files.end() && before->second != report.uri) ForgetSettingsOf(snapshot.uri());
  if (report.uri.empty()) return;
  shared_->settings_files[snapshot.uri()] = report.uri;
  Json& sent = shared_->sent_settings[report.uri];
  if (sent == report.diagnostics) return;
  sent = std::move(report.diagnostics);
  SendDiagnostics(report.uri, sent);
  if (report.problem.empty()) return;
  Tell("window/showMessage", MessageType::kError, report.problem);
}

void Workspace::ForgetSettingsOf(const std::string& document) {
  const auto found = shared_->settings_files.find(document);
  if (found == shared_->settings_files.end()) return;
  const std::string uri = std::move(found->second);
  shared_->settings_files.erase(found);
  const bool is_used = std::ranges::any_of(shared_->settings_files, [&](const auto& row) { return row.second == uri; });
  if (is_used) return;
  shared_->sent_settings.erase(uri);
  SendDiagnostics(uri, Json::array());
}

std::shared_ptr<const Snapshot> Workspace::Find(const std::string& uri) const {
  return WithDocuments([&](const Documents& documents) {
    const auto found = documents.find(uri);
    return found == documents.end() ? nullptr : found->second.current;
  });
}

std::shared_ptr<const Snapshot> Workspace::FindKnown(const std::string& uri) const {
  return WithDocuments([&](const Documents& documents) {
    const auto found = documents.find(uri);
    return found == documents.end() ? nullptr : found->second.known;
  });
}

std::shared_ptr<Workspace> Workspace::Pinned() const {
  std::shared_ptr<Workspace> pinned(new Workspace(*this));
  pinned->pinned_ = WithDocuments([](const Documents& documents) { return documents; });
  constexpr std::size_t kMost = std::size_t{4} << 20;  // bytes; the analysis of a longer text takes longer than a key
  for (auto& [uri, document] : *pinned->pinned_) {
    if (document.current->text().size() <= kMost) document.current = Wanted(std::move(document.current));
  }
  return pinned;
}

std::shared_ptr<const Snapshot> Workspace::DocumentOf(const Json& params) const {
  return OpenAt(StringMember(Member(params, "textDocument"), "uri"));
}

std::shared_ptr<const Snapshot> Workspace::OpenAt(const std::string& uri) const {
  auto found = Find(uri);
  if (found == nullptr) throw RequestError(ErrorCode::kInvalidParams, fmt::format("{} is not open", uri));
  return found;
}

std::vector<std::shared_ptr<const Snapshot>> Workspace::All() const {
  return WithDocuments([](const Documents& documents) {
    std::vector<std::shared_ptr<const Snapshot>> all;
    for (const auto& [uri, document] : documents) all.push_back(document.current);
    return all;
  });
}

Workspace::Texts Workspace::ClosedTexts() {
  if (!client.watches_files) folders().Forget();
  std::set<std::string> open;
  for (const auto& document : All()) open.insert(document->path());
  FolderTexts::Found found = folders().All(settings_, client.encoding);
  if (!found.left_out.empty()) Tell("window/logMessage", MessageType::kWarning, found.left_out);
  std::erase_if(found.texts, [&](const auto& text) { return open.contains(text->path()); });
  return found.texts;
}

Workspace::Texts Workspace::AllTexts() {
  std::vector<std::shared_ptr<const Snapshot>> texts = All();
  for (auto& text : ClosedTexts()) texts.push_back(std::move(text));
  return texts;
}

void Workspace::ExpectChange(const std::string& uri) const {
  if (const auto snapshot = Find(uri)) snapshot->ExpectChange();
}

void Workspace::SetOptions(Options options) {
  auto settings = std::make_shared<Settings>();
  settings->options = std::move(options);
  settings_ = std::move(settings);
  for (const auto& document : All()) Refresh(document->uri());
}

void Workspace::ChangeOptions(Options options) {
  SetOptions(std::move(options));
  if (client.refreshes_diagnostics) Ask("workspace/diagnostic/refresh");
  if (client.refreshes_hints) Ask("workspace/inlayHint/refresh");
}

void Workspace::Ask(const char* method, const Json& params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", fmt::format("onnxc-{}", ++shared_->asked)}, {"method", method}};
  if (!params.is_null()) message["params"] = params;
  shared_->send(message);
}

std::vector<std::shared_ptr<const Snapshot>> Workspace::TakePending() {
  const std::lock_guard lock(shared_->mutex);
  std::vector<std::shared_ptr<const Snapshot>> taken;
  for (auto& [uri, snapshot] : shared_->pending) taken.push_back(std::move(snapshot));
  shared_->pending.clear();
  return taken;
}

void Workspace::Publish(const Snapshot& snapshot, const Json& diagnostics) {
  const std::lock_guard sending(shared_->sending);
  if (Find(snapshot.uri()).get() != &snapshot) return;
  Notify("textDocument/publishDiagnostics",
         {{"uri", snapshot.uri()}, {"version", snapshot.version()}, {"diagnostics", diagnostics}});
}

void Workspace::ForgetOlder(const Snapshot& snapshot) {
  std::shared_ptr<const Snapshot> older;  // is freed after the lock was released
  const std::lock_guard lock(shared_->mutex);
  const auto found = shared_->documents.find(snapshot.uri());
  if (found != shared_->documents.end() && found->second.current.get() == &snapshot) {
    older = std::move(found->second.known);
  }
}

}  // namespace onnxc::lsp
