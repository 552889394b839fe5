// The table of methods. The capabilities that the server announces come from the same table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// Commands of code lenses. The client implements the first one. The server implements the second one, and the client
/// shows its result.
inline constexpr std::string_view kShowReferences = "onnxc.showReferences";
inline constexpr std::string_view kShowGraph = "onnxc.showGraph";

using Handler = Json (*)(Workspace& workspace, const Json& params);
/// A handler of requests with long results. It writes the result directly as JSON text.
using Writer = std::string (*)(Workspace& workspace, const Json& params);

/// When a message is handled.
enum class Turn : std::uint8_t {
  kInOrder,  ///< before the next message; the handler may change documents
  kLater,    ///< on another thread, with the documents as they were when the message arrived
  kSoon,     ///< like kLater, but before all messages with kLater, because the user is waiting for the reply
};

struct Method {
  std::string_view name;
  std::variant<Handler, Writer> handle;  ///< the result of a notification is not sent
  const char* capability = nullptr;      ///< the key in ServerCapabilities; null if the method needs none
  std::string_view options = "true";     ///< the value of that key, as JSON
  Turn turn = Turn::kLater;
};

[[nodiscard]] std::span<const Method> Methods();
[[nodiscard]] const Method* FindMethod(std::string_view name);

/// Returns the result of the request `initialize`.
[[nodiscard]] Json Initialize(Workspace& workspace, const Json& params);

// -- the handlers, one file for each feature

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
/// Returns where the type of a value is written, or the value's definition if its type is not written.
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
