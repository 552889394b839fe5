// The table of methods. What the server says that it can do comes from the same rows.
#pragma once

#include <span>
#include <string_view>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Commands of code lenses. The client has the first one; the second one is the server's, and the client shows its
/// result.
inline constexpr std::string_view kShowReferences = "onnxc.showReferences";
inline constexpr std::string_view kShowGraph = "onnxc.showGraph";

using Handler = Json (*)(Workspace& workspace, const Json& params);

struct Method {
  std::string_view name;
  Handler handle;                     ///< the result of a notification is not sent
  const char* capability = nullptr;   ///< where in ServerCapabilities; null: it needs none
  std::string_view options = "true";  ///< what stands there, in JSON
};

[[nodiscard]] std::span<const Method> Methods();
[[nodiscard]] const Method* FindMethod(std::string_view name);

/// The result of the request `initialize`.
[[nodiscard]] Json Initialize(Workspace& workspace, const Json& params);

// -- the handlers, a file for each feature

Json Initialized(Workspace& workspace, const Json& params);
Json DidOpen(Workspace& workspace, const Json& params);
Json DidChange(Workspace& workspace, const Json& params);
Json DidClose(Workspace& workspace, const Json& params);
Json DidSave(Workspace& workspace, const Json& params);
Json DidChangeConfiguration(Workspace& workspace, const Json& params);
Json DidChangeWatchedFiles(Workspace& workspace, const Json& params);
Json Ignore(Workspace& workspace, const Json& params);

Json PullDiagnostics(Workspace& workspace, const Json& params);
Json CodeActions(Workspace& workspace, const Json& params);
Json Formatting(Workspace& workspace, const Json& params);
Json DocumentSymbols(Workspace& workspace, const Json& params);
Json Hover(Workspace& workspace, const Json& params);
Json Definition(Workspace& workspace, const Json& params);
/// Where the type of a value is written; the definition where it is not written anywhere.
Json Declaration(Workspace& workspace, const Json& params);
Json References(Workspace& workspace, const Json& params);
Json Highlights(Workspace& workspace, const Json& params);
Json PrepareRename(Workspace& workspace, const Json& params);
Json Rename(Workspace& workspace, const Json& params);
Json Completion(Workspace& workspace, const Json& params);
Json SignatureHelp(Workspace& workspace, const Json& params);
Json InlayHints(Workspace& workspace, const Json& params);
Json SemanticTokens(Workspace& workspace, const Json& params);
Json SemanticTokensDelta(Workspace& workspace, const Json& params);
Json SemanticTokensRange(Workspace& workspace, const Json& params);
Json FoldingRanges(Workspace& workspace, const Json& params);
Json SelectionRanges(Workspace& workspace, const Json& params);
Json RangeFormatting(Workspace& workspace, const Json& params);
Json OnTypeFormatting(Workspace& workspace, const Json& params);
Json WorkspaceSymbols(Workspace& workspace, const Json& params);
Json DocumentLinks(Workspace& workspace, const Json& params);
Json PrepareCallHierarchy(Workspace& workspace, const Json& params);
Json IncomingCalls(Workspace& workspace, const Json& params);
Json OutgoingCalls(Workspace& workspace, const Json& params);
Json CodeLenses(Workspace& workspace, const Json& params);
Json ExecuteCommand(Workspace& workspace, const Json& params);

}  // namespace onnxc::lsp
