// The picture of a graph beside its text. A click on a node shows its line; the cursor on a line marks its node.
import { instance, Viz } from "@viz-js/viz";
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** What the server's command `onnxc.showGraph` gives. */
interface Graph {
  title: string;
  dot: string;
  /** The nodes of the picture that have a place in the text, by their name in `dot`. */
  nodes: Record<string, { start: { line: number; character: number }; end: { line: number; character: number } }>;
}

let renderer: Promise<Viz> | undefined;

export class Pictures {
  private panel: vscode.WebviewPanel | undefined;
  private shown: { uri: vscode.Uri; position: vscode.Position } | undefined;
  private ranges = new Map<string, vscode.Range>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  register(): vscode.Disposable[] {
    return [
      vscode.window.onDidChangeTextEditorSelection((event) => this.mark(event.textEditor)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.uri.toString() !== this.shown?.uri.toString()) return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.draw(), 500);
      }),
    ];
  }

  /** Shows the graph at a position; without one, that at the cursor. */
  async show(uri?: string | vscode.Uri, position?: { line: number; character: number }): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const of = typeof uri === "string" ? vscode.Uri.parse(uri) : (uri ?? editor?.document.uri);
    if (of === undefined) return;
    const at = position ?? (editor?.document.uri.toString() === of.toString() ? editor.selection.active : { line: 0, character: 0 });
    this.shown = { uri: of, position: new vscode.Position(at.line, at.character) };
    if (this.panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("onnxc.picture", "Picture", column, { enableScripts: true });
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message: { node: string }) => this.reveal(message.node));
    }
    await this.draw();
    if (editor !== undefined) this.mark(editor);
  }

  private async draw(): Promise<void> {
    const client = this.client();
    if (this.panel === undefined || this.shown === undefined || client === undefined) return;
    const { uri, position } = this.shown;
    try {
      const graph = await client.sendRequest<Graph | null>("workspace/executeCommand", {
        command: "onnxc.showGraph",
        arguments: [{ uri: client.code2ProtocolConverter.asUri(uri), position }],
      });
      if (graph === null) return; // a text that cannot be drawn now: the last picture stays
      renderer ??= instance();
      const svg = (await renderer).renderString(graph.dot, { format: "svg" });
      this.ranges = new Map(
        Object.entries(graph.nodes).map(([name, range]) => [name, client.protocol2CodeConverter.asRange(range)]),
      );
      this.panel.title = graph.title;
      this.panel.webview.html = page(svg.slice(svg.indexOf("<svg")));
    } catch (error) {
      client.warn(`No picture: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** From the picture to the text. */
  private async reveal(node: string): Promise<void> {
    const range = this.ranges.get(node);
    if (range === undefined || this.shown === undefined) return;
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === this.shown?.uri.toString());
    const document = await vscode.workspace.openTextDocument(this.shown.uri);
    await vscode.window.showTextDocument(document, { viewColumn: open?.viewColumn ?? vscode.ViewColumn.One, selection: range });
  }

  /** From the text to the picture: the smallest node around the cursor. */
  private mark(editor: vscode.TextEditor): void {
    if (this.panel === undefined || editor.document.uri.toString() !== this.shown?.uri.toString()) return;
    let best: [string, vscode.Range] | undefined;
    for (const [name, range] of this.ranges) {
      if (range.contains(editor.selection.active) && (best === undefined || best[1].contains(range))) best = [name, range];
    }
    void this.panel.webview.postMessage({ mark: best?.[0] ?? "" });
  }
}

function page(svg: string): string {
  const nonce = randomBytes(16).toString("hex");
  return `<!DOCTYPE html>
<html>
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>
  body { background: white; }
  svg { max-width: 100%; height: auto; }
  g.node { cursor: pointer; }
  g.node.marked path, g.node.marked polygon, g.node.marked ellipse { stroke: #d1242f; stroke-width: 2.5; }
</style>
</head>
<body>${svg}
<script nonce="${nonce}">
  const editor = acquireVsCodeApi();
  const nodes = new Map([...document.querySelectorAll("g.node")].map((g) => [g.querySelector("title").textContent, g]));
  for (const [name, g] of nodes) g.addEventListener("click", () => editor.postMessage({ node: name }));
  window.addEventListener("message", ({ data }) => {
    for (const [name, g] of nodes) g.classList.toggle("marked", name === data.mark);
    nodes.get(data.mark)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
</script>
</body>
</html>`;
}
