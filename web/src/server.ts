// The language server in its worker, and the editor's client for it.
import { formatKeymap, findReferencesKeymap, hoverTooltips, jumpToDefinitionKeymap, LSPClient, LSPPlugin, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
import type { Transport } from "@codemirror/lsp-client";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin } from "@codemirror/view";
import type { Worked } from "./work";
import { later } from "./dom";
import type { Range } from "./protocol";

export const URI = "file:///model.onnxtxt";

export interface LspDiagnostic {
  range: Range;
  severity: number;
  code?: string;
  message: string;
}

interface Listeners {
  diagnostics(found: LspDiagnostic[]): void;
}

/** Sends changes after a short delay, so that the findings are updated while the user types. */
const sync = ViewPlugin.define((view) => {
  const tell = later(200, () => LSPPlugin.get(view)?.client.sync());
  return { update: ({ docChanged }) => void (docChanged && tell()) };
});

/** Adapts the messages of a worker to the interface of the client. */
function transportOf(worker: Worked): Transport {
  return {
    send: (message) => worker.lsp(withoutPull(message)),
    subscribe: (handler) => void (worker.onLsp = handler),
    unsubscribe: (handler) => {
      if (worker.onLsp === handler) worker.onLsp = () => undefined;
    },
  };
}

/**
 * Changes the capabilities in the request `initialize`. The client announces that it requests diagnostics, but it does
 * not, so the server must push them. And the server must send only plain text, so that no text becomes HTML.
 */
function withoutPull(message: string): string {
  if (!message.includes('"method":"initialize"')) return message;
  const request = JSON.parse(message) as { params: { capabilities: { textDocument: Record<string, unknown> } } };
  const { capabilities } = request.params;
  delete capabilities.textDocument.diagnostic;
  const plain = ["plaintext"];
  Object.assign(capabilities.textDocument, {
    hover: { contentFormat: plain },
    completion: { ...(capabilities.textDocument.completion as object), completionItem: { snippetSupport: true, documentationFormat: plain } },
    signatureHelp: { signatureInformation: { documentationFormat: plain, parameterInformation: { labelOffsetSupport: true }, activeParameterSupport: true } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: {},
  });
  return JSON.stringify(request);
}

export function makeClient(listeners: Listeners): LSPClient {
  const client = new LSPClient({
    timeout: 120_000,
    // The server sends only plain text, so tags other than <br> are shown as text.
    sanitizeHTML: (html) => html.replace(/<(?!br>)/g, "&lt;"),
    notificationHandlers: {
      "textDocument/publishDiagnostics": (_, params: { uri: string; version?: number; diagnostics: LspDiagnostic[] }) => {
        const file = client.workspace.getFile(params.uri);
        if (file !== null && (params.version ?? file.version) === file.version) listeners.diagnostics(params.diagnostics);
        return true;
      },
    },
  });
  return client;
}

export function connect(client: LSPClient, worker: Worked): void {
  client.connect(transportOf(worker));
}

/** Returns the extensions with which an editor uses the server. */
export function serverExtensions(client: LSPClient): Extension {
  return [
    client.plugin(URI, "onnxtxt"),
    sync,
    serverCompletion(),
    hoverTooltips(),
    signatureHelp(),
    keymap.of([...formatKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
  ];
}

interface TextEdit {
  range: Range;
  newText: string;
}
export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
}

export interface CodeAction {
  title: string;
  kind?: string;
  edit?: WorkspaceEdit;
  diagnostics?: LspDiagnostic[];
}

/** Requests the code actions for a range. */
export async function codeActions(client: LSPClient, range: Range, diagnostics: LspDiagnostic[], only?: string[]): Promise<CodeAction[]> {
  client.sync();
  const params = { textDocument: { uri: URI }, range, context: { diagnostics, only } };
  return (await client.request<object, CodeAction[] | null>("textDocument/codeAction", params)) ?? [];
}

/** Applies an edit of the server. Its places are converted, because they refer to the text that was last sent to the server. */
export function applyEdit(view: EditorView, edit: WorkspaceEdit): void {
  const plugin = LSPPlugin.get(view);
  if (plugin === null) return;
  const edits = edit.changes?.[URI] ?? [];
  const at = (place: Range["start"]): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(place, plugin.syncedDoc));
  view.dispatch({ changes: edits.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: newText })), userEvent: "input.fix", scrollIntoView: true });
}
