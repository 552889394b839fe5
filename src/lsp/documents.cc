// Handles notifications about documents, folders and settings.
#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "lsp/methods.h"
#include "lsp/options.h"
#include "lsp/uri.h"

namespace onnxc::lsp {
namespace {

std::int64_t VersionOf(const Json& document) {
  const Json& version = Member(document, "version");
  if (!version.is_number_integer()) throw RequestError(ErrorCode::kInvalidParams, "'version' must be a number");
  return version.get<std::int64_t>();
}

}  // namespace

Json Ignore(Workspace& /*workspace*/, const Json& /*params*/) { return nullptr; }

// Asks the client to report changed settings files and text files. (Changes of weight files are not reported: these
// files are read again when a document is saved.)
Json Initialized(Workspace& workspace, const Json& /*params*/) {
  constexpr const char* kWatched = "workspace/didChangeWatchedFiles";
  if (!workspace.client.watches_files) return nullptr;
  workspace.Ask(
      "client/registerCapability",
      {{"registrations",
        {{{"id", kWatched},
          {"method", kWatched},
          {"registerOptions",
           {{"watchers", {{{"globPattern", "**/.onnxc.toml"}}, {{"globPattern", "**/*.{onnxtxt,onnxtext}"}}}}}}}}}});
  return nullptr;
}

Json DidOpen(Workspace& workspace, const Json& params) {
  const Json& document = Member(params, "textDocument");
  workspace.Open(StringMember(document, "uri"), VersionOf(document), StringMember(document, "text"));
  return nullptr;
}

Json DidChange(Workspace& workspace, const Json& params) {
  const Json& document = Member(params, "textDocument");
  const std::string uri = StringMember(document, "uri");
  try {
    workspace.Change(uri, VersionOf(document), Member(params, "contentChanges"));
  } catch (const std::exception& error) {
    workspace.Lose(uri, error.what());
    throw;
  }
  return nullptr;
}

Json DidClose(Workspace& workspace, const Json& params) {
  workspace.Close(StringMember(Member(params, "textDocument"), "uri"));
  return nullptr;
}

// Analyses all documents again, because settings files and weight files may have changed since they were read.
Json DidSave(Workspace& workspace, const Json& /*params*/) {
  workspace.folders().Forget();
  workspace.ForgetSettings();
  return nullptr;
}

// Analyses all documents again. Changes of text files on which no document depends are ignored.
Json DidChangeWatchedFiles(Workspace& workspace, const Json& params) {
  const auto is_other_text = [&](const Json& change) {
    const std::string path = PathOf(StringMember(change, "uri"));
    return std::filesystem::path(path).filename() != ".onnxc.toml" && !workspace.IsNamed(path);
  };
  const Json& changes = Member(params, "changes");
  workspace.folders().Forget();
  if (changes.empty() || !std::ranges::all_of(changes, is_other_text)) workspace.ForgetSettings();
  return nullptr;
}

Json DidChangeWorkspaceFolders(Workspace& workspace, const Json& params) {
  const Json& event = Member(params, "event");
  for (const Json& folder : Member(event, "added")) workspace.folders().Add(PathOf(StringMember(folder, "uri")));
  for (const Json& folder : Member(event, "removed")) workspace.folders().Remove(PathOf(StringMember(folder, "uri")));
  return nullptr;
}

Json DidChangeConfiguration(Workspace& workspace, const Json& params) {
  const Json& own = Optional(params, "/settings/onnxc");
  workspace.ChangeOptions(OptionsOf(own.is_null() ? Optional(params, "/settings") : own, workspace.options()));
  return nullptr;
}

}  // namespace onnxc::lsp
