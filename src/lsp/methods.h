// The table of methods. What the server says that it can do comes from the same rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Commands of code lenses. The client has the first one; the second one is the server's, and the client shows its
/// result.
inline constexpr std::string_view kShowReferences = "onnxc.showReferences";
inline constexpr std::string_view kShowGraph = "onnxc.showGraph";

using Handler = Json (*)(Workspace& workspace, const Json& params);
/// The same for long results: they are written as JSON at once.
using Writer = std::string (*)(Workspace& workspace, const Json& params);

/// When a message is handled.
enum class Turn : std::uint8_t {
  kInOrder,  ///< before the next one; it may change documents
  kLater,    ///< by another thread, for the documents as they are now
  kSoon,     ///< the same, and before those: somebody types and waits
};

struct Method {
  std::string_view name;
  std::variant<Handler, Writer> handle;  ///< the result of a notification is not sent
  const char* capability = nullptr;      ///< where in ServerCapabilities; null: it needs none
  std::string_view options = "true";     ///< what stands there, in JSON
  Turn turn = Turn::kLater;
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
Json DidChangeWorkspaceFolders(Workspace& workspace, const Json& params);
Json Ignore(Workspace& workspace, const Json& params);

Json PullDiagnostics(Workspace& workspace, const Json& params);
Json PullWorkspaceDiagnostics(Workspace& workspace, const Json& params);
Json CodeActions(Workspace& workspace, const Json& params);
Json Formatting(Workspace& workspace, const Json& params);
std::string DocumentSymbols(Workspace& workspace, const Json& params);
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
std::string SemanticTokens(Workspace& workspace, const Json& params);
std::string SemanticTokensDelta(Workspace& workspace, const Json& params);
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
