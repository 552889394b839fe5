#include "lsp/methods.h"

#include <algorithm>
#include <array>

#include "lsp/options.h"
#include "lsp/semantic_tokens.h"
#include "lsp/uri.h"

namespace onnxc::lsp {
namespace {

constexpr auto kMethods = std::to_array<Method>({
    {"initialized", &Initialized, nullptr, {}, Turn::kInOrder},
    {"$/setTrace", &Ignore, nullptr, {}, Turn::kInOrder},
    {"$/cancelRequest", &Ignore, nullptr, {}, Turn::kInOrder},  // Server::LookAhead() has already handled the
                                                                // notification
    {"textDocument/didOpen", &DidOpen, "/textDocumentSync/openClose", "true", Turn::kInOrder},
    {"textDocument/didChange", &DidChange, "/textDocumentSync/change", "2", Turn::kInOrder},
    {"textDocument/didClose", &DidClose, nullptr, {}, Turn::kInOrder},
    {"textDocument/didSave", &DidSave, "/textDocumentSync/save", "true", Turn::kInOrder},
    {"workspace/didChangeConfiguration", &DidChangeConfiguration, nullptr, {}, Turn::kInOrder},
    {"workspace/didChangeWatchedFiles", &DidChangeWatchedFiles, nullptr, {}, Turn::kInOrder},
    {"workspace/didChangeWorkspaceFolders", &DidChangeWorkspaceFolders, "/workspace/workspaceFolders",
     R"({"supported": true, "changeNotifications": true})", Turn::kInOrder},
    {"textDocument/diagnostic", &PullDiagnostics, "/diagnosticProvider",
     R"({"interFileDependencies": true, "workspaceDiagnostics": true})"},
    {"workspace/diagnostic", &PullWorkspaceDiagnostics},
    {"textDocument/codeAction", &CodeActions, "/codeActionProvider",
     R"({"codeActionKinds": ["quickfix", "source.fixAll.onnxc", "source.organizeImports",
                             "source.removeUnused.onnxc", "refactor.rewrite", "refactor.inline", "refactor.extract"]})"},
    {"textDocument/formatting", &Formatting, "/documentFormattingProvider"},
    {"textDocument/documentSymbol", &DocumentSymbols, "/documentSymbolProvider"},
    {"textDocument/hover", &Hover, "/hoverProvider", "true", Turn::kSoon},
    {"textDocument/definition", &Definition, "/definitionProvider"},
    {"textDocument/declaration", &Declaration, "/declarationProvider"},
    {"textDocument/typeDefinition", &Declaration, "/typeDefinitionProvider"},
    {"textDocument/references", &References, "/referencesProvider"},
    {"textDocument/documentHighlight", &Highlights, "/documentHighlightProvider"},
    {"textDocument/prepareRename", &PrepareRename, "/renameProvider/prepareProvider"},
    {"textDocument/rename", &Rename},
    {"textDocument/completion", &Completion, "/completionProvider",
     R"({"triggerCharacters": [".", "<", "(", "@", "\""]})", Turn::kSoon},
    {"textDocument/signatureHelp", &SignatureHelp, "/signatureHelpProvider", R"({"triggerCharacters": ["(", ","]})",
     Turn::kSoon},
    {"textDocument/inlayHint", &InlayHints, "/inlayHintProvider"},
    {"textDocument/semanticTokens/full", &SemanticTokens},  // Capabilities() adds the legend
    {"textDocument/semanticTokens/full/delta", &SemanticTokensDelta, "/semanticTokensProvider/full/delta"},
    {"textDocument/semanticTokens/range", &SemanticTokensRange, "/semanticTokensProvider/range"},
    {"textDocument/foldingRange", &FoldingRanges, "/foldingRangeProvider"},
    {"textDocument/selectionRange", &SelectionRanges, "/selectionRangeProvider"},
    {"textDocument/rangeFormatting", &RangeFormatting, "/documentRangeFormattingProvider"},
    {"textDocument/onTypeFormatting", &OnTypeFormatting, "/documentOnTypeFormattingProvider",
     R"({"firstTriggerCharacter": "}"})"},
    {"workspace/symbol", &WorkspaceSymbols, "/workspaceSymbolProvider"},
    {"textDocument/documentLink", &DocumentLinks, "/documentLinkProvider", R"({"resolveProvider": false})"},
    {"textDocument/prepareCallHierarchy", &PrepareCallHierarchy, "/callHierarchyProvider"},
    {"callHierarchy/incomingCalls", &IncomingCalls},
    {"callHierarchy/outgoingCalls", &OutgoingCalls},
    {"textDocument/codeLens", &CodeLenses, "/codeLensProvider", R"({"resolveProvider": false})"},
    {"workspace/executeCommand", &ExecuteCommand, "/executeCommandProvider",
     R"({"commands": ["onnxc.showGraph", "onnxc.listValues", "onnxc.moveWeights"]})"},
});

/// Returns whether `wanted` comes before `other` in `words`, the client's list in order of preference. Returns false if
/// neither is in the list.
bool Prefers(const Json& words, std::string_view wanted, std::string_view other) {
  if (!words.is_array()) return false;
  const auto found = std::ranges::find_if(words, [&](const Json& word) { return word == wanted || word == other; });
  return found != words.end() && *found == wanted;
}

Client ClientOf(const Json& params) {
  const Json& can = Optional(params, "/capabilities");
  Client client;
  const bool is_utf8 = Prefers(Optional(can, "/general/positionEncodings"), "utf-8", "utf-16");
  client.encoding = is_utf8 ? Encoding::kUtf8 : Encoding::kUtf16;
  client.hover_markdown = Prefers(Optional(can, "/textDocument/hover/contentFormat"), "markdown", "plaintext");
  client.completion_markdown =
      Prefers(Optional(can, "/textDocument/completion/completionItem/documentationFormat"), "markdown", "plaintext");
  client.nested_symbols = IsTrue(can, "/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
  client.watches_files = IsTrue(can, "/workspace/didChangeWatchedFiles/dynamicRegistration");
  client.shows_progress = IsTrue(can, "/window/workDoneProgress");
  // A client announces the commands that it implements here, as clients of rust-analyzer do.
  for (const Json& command : Optional(can, "/experimental/commands/commands")) {
    client.shows_references = client.shows_references || command == kShowReferences;
    client.shows_graphs = client.shows_graphs || command == kShowGraph;
  }
  const Json& process = Optional(params, "/processId");
  if (process.is_number_unsigned()) client.process = process.get<std::int64_t>();
  client.versioned_edits = IsTrue(can, "/workspace/workspaceEdit/documentChanges");
  client.applies_edits = IsTrue(can, "/workspace/applyEdit");
  client.related_information = IsTrue(can, "/textDocument/publishDiagnostics/relatedInformation");
  client.pulls_diagnostics = Optional(can, "/textDocument/diagnostic").is_object();
  client.refreshes_diagnostics = client.pulls_diagnostics && IsTrue(can, "/workspace/diagnostics/refreshSupport");
  client.refreshes_hints = IsTrue(can, "/workspace/inlayHint/refreshSupport");
  client.snippets = IsTrue(can, "/textDocument/completion/completionItem/snippetSupport");
  return client;
}

Json Capabilities(const Client& client) {
  Json capabilities = {{"positionEncoding", client.encoding == Encoding::kUtf8 ? "utf-8" : "utf-16"}};
  for (const Method& method : kMethods) {
    if (method.capability != nullptr) {
      capabilities[Json::json_pointer(method.capability)] = Json::parse(method.options);
    }
  }
  capabilities["semanticTokensProvider"]["legend"] = SemanticLegend();
  return capabilities;
}

}  // namespace

std::span<const Method> Methods() { return kMethods; }

const Method* FindMethod(std::string_view name) {
  const auto found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : &*found;
}

Json Initialize(Workspace& workspace, const Json& params) {
  workspace.client = ClientOf(params);
  const Json& folders = Optional(params, "/workspaceFolders");
  if (folders.is_array()) {
    for (const Json& folder : folders) workspace.folders().Add(PathOf(StringMember(folder, "uri")));
  } else if (const Json& root = Optional(params, "/rootUri"); root.is_string()) {  // older clients send only this
                                                                                   // member
    workspace.folders().Add(PathOf(root.get<std::string>()));
  }
  workspace.SetOptions(OptionsOf(Optional(params, "/initializationOptions"), workspace.options()));
  return {{"capabilities", Capabilities(workspace.client)},
          {"serverInfo", {{"name", "onnxc"}, {"version", ONNXC_VERSION}}}};
}

}  // namespace onnxc::lsp
